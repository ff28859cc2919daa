import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/open.ts'
import type { Extent } from '../rules/cursor.ts'

/** Which changes are read: of these kinds, and what decides which records a client sees: its rights, and its positions if
 *  events are read. */
export type Selection = Readonly<{ kinds: readonly string[]; client?: string }>

/** What a run did to a record. Its own row is that without a part. */
export type ChangeRow = Readonly<{
  seq: number
  run: number
  check: string
  kind: string
  id: string
  /** When the run was committed. */
  at: Temporal.Instant
  referenceRevision: number | null
  eventRevision: number | null
  /** The first and the last change of the own row in the run; null if only other rows changed. */
  first: 'added' | 'changed' | 'removed' | null
  last: 'added' | 'changed' | 'removed' | null
  hasParts: boolean
  /** The own row before the run. */
  before: string | null
  /** The own row after the run, if a later run changed it; else it is the present one. */
  after: string | null
  isLater: boolean
}>

/** Identifies a run: its number and when it began. */
const checkOf = (run: string): RawBuilder<string> =>
  sql<string>`left(md5(concat_ws(' ', ${sql.ref(`${run}.run`)}, extract(epoch from ${sql.ref(`${run}.at`)}))), 8)`

/** What the history has. `check` is that of the run with the version `seq`, or of the last version. */
export async function readExtent(db: Db, seq?: number): Promise<Extent & { check: string }> {
  const { rows } = await sql<Extent & { check: string }>`
    select left(replace(h.identity::text, '-', ''), 16) as identity, h.pruned_seq as "prunedSeq", h.head as seq,
      coalesce((select ${checkOf('r')} from history_run r where r.after_seq < coalesce(${seq ?? null}, h.head)
        order by r.after_seq desc limit 1), '0') as check
    from (select *, greatest(pruned_seq, (select max(seq) from record_version)) as head from history) h`.execute(db)
  return rows[0] as Extent & { check: string }
}

/** The changes after a number, each at the number of its first version in its run: at most `limit`. */
export async function readChangeRows(
  db: Db,
  { kinds, client }: Selection,
  after: number,
  limit: number,
): Promise<ChangeRow[]> {
  const ofRecord = sql`m.kind = p.kind and m.id = p.id`
  const own = sql`${ofRecord} and m.seq >= p.seq and m.run = p.run and m.part = ''`
  const { rows } = await sql<ChangeRow>`
    with page as materialized (
      select v.seq, v.kind, v.id, r.run, r.at, r.committed_at, r.reference_revision, r.event_revision
      from record_version v join history_run r on r.run = v.run
      where v.seq > ${after}
        and (v.kind = any(${kinds}) ${client === undefined ? sql`` : ofClient(client, kinds)})
        and not exists (select from record_version e
          where e.kind = v.kind and e.id = v.id and e.seq > r.after_seq and e.seq < v.seq)
      order by v.seq limit ${limit})
    select p.seq, p.run, ${checkOf('p')} as check, p.kind, p.id, coalesce(p.committed_at, p.at) as at,
      p.reference_revision as "referenceRevision", p.event_revision as "eventRevision", first.change as first, last.change as last, first.previous::text as before,
      later.previous::text as after, later.seq is not null as "isLater",
      exists (select from record_version m
        where ${ofRecord} and m.seq >= p.seq and m.run = p.run and m.part <> '') as "hasParts"
    from page p
    left join lateral (select m.change, m.previous from record_version m where ${own} order by m.seq limit 1) first on true
    left join lateral (select m.change from record_version m where ${own} order by m.seq desc limit 1) last on true
    left join lateral (select m.seq, m.previous from record_version m
      where ${ofRecord} and m.seq > p.seq and m.run > p.run and m.part = '' order by m.seq limit 1) later on true
    order by p.seq`.execute(db)
  return rows
}

const ofClient = (client: string, kinds: readonly string[]) => sql`
  or (v.kind = 'accessRight' and v.id = ${client})
  or (${kinds.includes('event')} and v.kind = 'position'
    and split_part(v.id, ' ', 1) in (select account_key from account where client_key = ${client}))`
