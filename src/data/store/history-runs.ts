import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { findRun } from '../../database/staging/history.ts'
import type { Count } from '../kind.ts'

export type Run = Readonly<{
  run: number
  at: Temporal.Instant
  source: string
  afterSeq: number
  lastElection: number
  counts: readonly Count[] | null
  /** The run that undid it, unless that was undone itself. */
  undoneBy: number | null
}>

/** The run that undid the run `r`: its last undo that was not undone itself. Only a run that is in effect can be undone, so in the
 *  tree of undos under a run each one takes back what the one before it did: an odd number leaves the run undone. */
export const undoneBy = sql<number | null>`(
  with recursive undoing as (
    select u.run, u.run as first from history_run u where u.undoes = r.run
    union all
    select u.run, c.first from undoing c join history_run u on u.undoes = c.run)
  select max(first) from (select first from undoing group by first having count(*) % 2 = 1) in_effect)`

export async function findHistoryRun(db: Db, run: number): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select run, at, source, after_seq as "afterSeq", last_election as "lastElection", counts,
      ${undoneBy} as "undoneBy"
    from history_run r where run = ${run}`.execute(db)
  return rows[0]
}

/** The first and the last run that are kept; undefined if there is none. */
export async function readRunRange(db: Db): Promise<{ first: number; last: number } | undefined> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select min(run) as first, max(run) as last from history_run`.execute(db)
  const { first = null, last = null } = rows[0] ?? {}
  return first === null || last === null ? undefined : { first, last }
}

/** Notes what an import counted. Returns its run; undefined if it changed nothing that has a history. */
export async function finishRun(
  trx: Trx,
  { counts, undoes }: { counts: readonly Count[]; undoes: number | undefined },
): Promise<number | undefined> {
  const run = await findRun(trx)
  if (run === undefined) return undefined
  const changed = counts.filter(({ added, changed, removed }) => added + changed + removed > 0)
  await trx
    .updateTable('history_run')
    .set({ counts: JSON.stringify(changed), undoes: undoes ?? null })
    .where('run', '=', run)
    .execute()
  return run
}

/** Kinds in which every row is a record of its own. */
const byPart = ['accessRight']

/** The first of some records, with a reason each, and how many there are. */
export type Listed = Readonly<{ listed: readonly string[]; total: number }>

/** The records of a run that changed after it, except by the run `except` and by later runs that were undone. An election is a
 *  change of its event. */
export async function findLaterChanges(
  db: Db,
  { run, afterSeq, lastElection }: Run,
  max: number,
  except = 0,
): Promise<Listed> {
  const { rows } = await sql<{ kind: string; id: string; run: number | null; total: number }>`
    with touched as materialized (
      select distinct kind, id, case when kind = any(${byPart}) then part end as part
      from record_version where seq > ${afterSeq} and run = ${run} and seq <= ${lastSeqOf(run)}),
    undone as materialized (
      select run from history_run r where run > ${run} and (undoes > ${run}
        or exists (select from history_run u where u.undoes = r.run) and ${undoneBy} is not null)),
    later as (
      select t.kind, t.id, (
        select min(v.run) from record_version v
        where v.kind = t.kind and v.id = t.id and v.run > ${run} and v.run <> ${except}
          and not exists (select from undone where undone.run = v.run)
          and (t.part is null or v.part = t.part)) as run,
        t.kind = 'event' and exists (
          select from election e where e.event_id = t.id and e.number > ${lastElection}) as is_elected
      from touched t)
    select kind, id, run, count(*) over () as total from later where run is not null or is_elected
    order by kind, id collate "C" limit ${max}`.execute(db)
  const listed = rows.map(
    ({ kind, id, run: later }) =>
      `${kind} ${id}: ${later === null ? 'users have elected since.' : `run ${later} changed it again.`}`,
  )
  return { listed, total: rows[0]?.total ?? 0 }
}

/** The records that the run `undoing` removed or changed, although `run` did not touch them. They came with later runs or
 *  from users, and go with what the undo removes. */
export async function findLost(db: Db, { run, afterSeq }: Run, undoing: number, max: number): Promise<Listed> {
  const { rows } = await sql<{
    kind: string
    id: string
    change: string
    elected: boolean
    from: number
    total: number
  }>`
    with touched as materialized (
      select distinct kind, id, part from record_version where seq > ${afterSeq} and seq <= ${lastSeqOf(run)}),
    -- Elections that get another place are removed and added again.
    changed as materialized (
      select distinct on (kind, id, part) kind, id, part, change, previous from record_version
      where ${isOf(undoing)} order by kind, id, part, seq desc),
    lost as (
      select kind, id, case when bool_or(change = 'removed' and not ${isSide}) then 'removed' else 'changed' end as change,
        coalesce(bool_or(kind = 'event' and ${isSide} and (previous ->> 'by_user')::boolean), false) as elected
      from changed c where change <> 'added'
        and not exists (select from touched t where t.kind = c.kind and t.id = c.id and t.part = c.part)
      group by kind, id),
    first as (select *, count(*) over () as total from lost order by kind, id collate "C" limit ${max})
    select kind, id, change, elected, total, (
      select max(v.run) from record_version v where v.kind = f.kind and v.id = f.id and v.run <> ${undoing}) as from
    from first f order by kind, id collate "C"`.execute(db)
  const listed = rows.map(({ kind, id, change, elected, from }) => {
    if (elected) return `${kind} ${id}: users have elected, and their elections would be removed.`
    return `${kind} ${id}: it ${from > run ? `is from run ${from} and ` : ''}would be ${change} too.`
  })
  return { listed, total: rows[0]?.total ?? 0 }
}

/** Whether a row is only a part of its record. */
const isSide = sql`(kind in ('client', 'event') and part <> '')`

/** Whether a version is one of the latest run. */
const isOf = (latest: number) => sql`seq > (select after_seq from history_run where run = ${latest})`

/** The last version of a run: the versions of a run have no others between them. */
export const lastSeqOf = (run: number) =>
  sql`coalesce((select min(after_seq) from history_run where run > ${run}), (select max(seq) from record_version), 0)`

export type Touched = Readonly<{ kind: string; id: string; part: string; added: boolean; previous: string | null }>

/** The first versions of a run, by record: what was there before it. Bounded by `limit` records of one kind after `after`. */
export async function readTouched(db: Db, { run, afterSeq }: Run, kind: string, after: string, limit: number) {
  const { rows } = await sql<{ id: string; part: string; previous: string | null }>`
    with ids as materialized (
      select distinct id collate "C" as id from record_version
      where seq > ${afterSeq} and seq <= ${lastSeqOf(run)} and kind = ${kind} and id collate "C" > ${after}
      order by 1 limit ${limit})
    select distinct on (v.id collate "C", v.part) v.id, v.part, v.previous::text as previous
    from record_version v join ids on ids.id = v.id
    where v.kind = ${kind} and v.seq > ${afterSeq} and v.seq <= ${lastSeqOf(run)}
    order by v.id collate "C", v.part, v.seq`.execute(db)
  return rows
}

/** Users whose record a run is to restore keep the password that they have now: it is not part of the history. Locks them. */
export async function keepPasswords(trx: Trx): Promise<void> {
  await sql`select from service_user u join staged_user s using (user_key) where not s.deletion
    order by user_key for no key update of u`.execute(trx)
  await sql`update staged_user s
    set document = (s.document::jsonb || jsonb_build_object('PasswordHash', u.password_hash))::json
    from service_user u where u.user_key = s.user_key and not s.deletion and u.password_hash is not null`.execute(trx)
}

/** Elections that users had made before the run, or that it did not touch, are theirs again, so that imports keep them. */
export async function restoreElectors(trx: Trx, { run, afterSeq }: Run, undoing: number): Promise<void> {
  await sql`update event_holding h set by_user = true from (
      select distinct on (id, part) id, part, previous from record_version
      where kind = 'event' and part <> '' and (seq > ${afterSeq} and seq <= ${lastSeqOf(run)} or ${isOf(undoing)})
      order by id, part, seq) v
    where h.event_id = v.id and h.account_key = v.part and (v.previous ->> 'by_user')::boolean and not h.by_user`.execute(
    trx,
  )
}
