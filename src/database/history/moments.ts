import { sql } from 'kysely'
import { wireTime } from '../../core/clock.ts'
import { invalid, momentExpired, unavailable } from '../../core/problem.ts'
import { type AskedMoment, parseAsOf } from '../../core/time/as-of.ts'
import type { Db } from '../open.ts'
import { prepared } from '../prepared.ts'

/** The revision of the data at a moment, and its identity if that is still known. */
type DataState = Readonly<{ revision: number; identity: string | null }>

/** A moment of the past: what was known then. */
export type Moment = Readonly<{
  /** Of the history: after a reset it is another one. */
  identity: string
  /** The versions up to this number had been made. */
  seq: number
  /** In real time. What users do outside of runs is ordered by it. */
  at: Temporal.Instant
  reference: DataState
  events: DataState
}>

/** The data whose revision a number is. */
export type Revised = 'reference' | 'events'

/** The moment that `AsOf` names, or the error that says which ones can be asked for. Two instants between the same two runs
 *  differ only in `at`. */
export async function requireMoment(db: Db, text: string, data: Revised): Promise<Moment> {
  const asked = parseAsOf(text)
  const found = await findMoment(db, asked, data)
  requireKnown(found, asked, data)
  const { identity, seq, at, referenceRevision, referenceIdentity, eventRevision, eventIdentity } = found
  return {
    ...{ identity, seq, at },
    reference: { revision: referenceRevision, identity: referenceIdentity },
    events: { revision: eventRevision, identity: eventIdentity },
  }
}

type Range = Readonly<{
  beginsAt: Temporal.Instant
  now: Temporal.Instant
  firstReference: number
  lastReference: number
  firstEvent: number
  lastEvent: number
}>
type Found = Range &
  Readonly<{
    identity: string
    at: Temporal.Instant | null
    seq: number
    referenceRevision: number
    referenceIdentity: string | null
    eventRevision: number
    eventIdentity: string | null
  }>

type Asked = Readonly<{ instant: string | null; revision: number | null }>

const momentStatement = (name: string) => {
  const column = sql.ref(name)
  return prepared(
    (_db, { instant, revision }: Asked) => sql<Found>`
    with asked as (
      select h.*, clock_timestamp() as now, case when ${revision}::bigint = h.${column} then h.begins_at
        else ${instant}::timestamptz end as instant
      from history h),
    found as (
      select a.*, case when a.instant is null
        then (select r.run from history_run r
          where r.${column} = ${revision}::bigint and r.committed_at > a.begins_at order by r.run desc limit 1)
        else coalesce((select run from history_run where committed_at <= a.instant
          order by committed_at desc, run desc limit 1), 0) end as run
      from asked a),
    known as (
      select f.*,
        coalesce((select max(r.reference_revision) from history_run r where r.run <= f.run), f.reference_revision) as reference,
        coalesce((select max(r.event_revision) from history_run r where r.run <= f.run), f.event_revision) as event
      from found f)
    select k.identity, coalesce(k.instant, (select committed_at from history_run where run = k.run)) as at, k.begins_at as "beginsAt", k.now, k.reference_revision as "firstReference",
      (select revision from reference_data) as "lastReference", k.event_revision as "firstEvent",
      (select revision from event_data) as "lastEvent",
      coalesce((select after_seq from history_run where run > k.run order by run limit 1),
        greatest(k.pruned_seq, (select max(seq) from record_version))) as seq,
      k.reference as "referenceRevision", k.event as "eventRevision",
      (select identity from reference_history where revision = k.reference) as "referenceIdentity",
      (select identity from event_history where revision = k.event) as "eventIdentity"
    from known k`,
  )
}

const momentStatements = {
  reference: momentStatement('reference_revision'),
  events: momentStatement('event_revision'),
} as const

async function findMoment(db: Db, asked: AskedMoment, data: Revised): Promise<Found> {
  const instant = 'at' in asked ? asked.at.toString() : null
  const revision = 'revision' in asked ? asked.revision : null
  const [found] = await momentStatements[data](db, { instant, revision })
  return found as Found
}

function requireKnown(
  found: Found,
  asked: AskedMoment,
  data: Revised,
): asserts found is Found & { at: Temporal.Instant } {
  const { at, beginsAt, now } = found
  const [first, last] =
    data === 'reference' ? [found.firstReference, found.lastReference] : [found.firstEvent, found.lastEvent]
  const name = data === 'reference' ? 'reference revision' : 'event revision'
  const range = `from ${wireTime(beginsAt)} onwards, or ${name} ${first} or later`
  if ('revision' in asked && asked.revision > last)
    throw invalid({ AsOf: [`There is no ${name} ${asked.revision} yet. The latest is ${last}.`] })
  if (at === null) {
    if ('revision' in asked && asked.revision > first)
      throw invalid({
        AsOf: [`There is no ${name} ${asked.revision}. The change feed and the history list those that there are.`],
      })
    throw momentExpired(range)
  }
  // After the clock was set back, the last runs may be later than now.
  if ('at' in asked && Temporal.Instant.compare(at, now) > 0)
    throw invalid({ AsOf: [`Must not be in the future: the time is now ${wireTime(now)}.`] })
  if (Temporal.Instant.compare(at, beginsAt) < 0) throw momentExpired(range)
}

/** The identity of the history, and the version from which on it is complete. */
export async function readHistoryStart(db: Db): Promise<{ identity: string; prunedSeq: number }> {
  const { rows } = await sql<{ identity: string; prunedSeq: number }>`
    select identity, pruned_seq as "prunedSeq" from history`.execute(db)
  return rows[0] as { identity: string; prunedSeq: number }
}

/** Must be called after data of a moment was read: a reset or the removal of old versions in between would have mixed it with
 *  data of now. */
export async function requireStillKnown(db: Db, { identity, seq, at }: Moment): Promise<void> {
  const { rows } = await sql`select from history
    where identity = ${identity} and pruned_seq <= ${seq} and begins_at <= ${at.toString()}`.execute(db)
  if (rows.length === 0) throw unavailable()
}
