import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import type { ScenarioHead } from '../scenarios/text.ts'

/** A loaded scenario. */
export type LoadedScenario = Omit<ScenarioHead, 'kind'> & Readonly<{ LoadedAt: Temporal.Instant; RecordCount: number }>

const columns = [
  'name as Name',
  'title as Title',
  'shows as Shows',
  'view as View',
  'look_at as LookAt',
  'loaded_at as LoadedAt',
  'record_count as RecordCount',
] as const

/** By name. There are a few at most. */
export function listLoaded(db: Db): Promise<LoadedScenario[]> {
  return db.selectFrom('scenario').select(columns).orderBy('name').execute()
}

/** With its records: keys in the import format. */
export function findLoaded(db: Db, name: string) {
  return db.selectFrom('scenario').select(columns).select('records').where('name', '=', name).executeTakeFirst()
}

export async function noteLoaded(
  trx: Trx,
  head: ScenarioHead,
  loadedAt: Temporal.Instant,
  records: readonly object[],
): Promise<void> {
  await trx
    .insertInto('scenario')
    .values({
      name: head.Name,
      title: head.Title,
      shows: head.Shows,
      view: head.View,
      look_at: head.LookAt,
      loaded_at: loadedAt.toString(),
      record_count: records.length,
      records: JSON.stringify(records),
    })
    .execute()
}

export async function noteUnloaded(trx: Trx, name: string): Promise<void> {
  await trx.deleteFrom('scenario').where('name', '=', name).execute()
}

/** Stages the deletion of what cannot be without the staged ones: positions in instruments and events of instruments. */
export async function stageDependents(trx: Trx): Promise<void> {
  const isGone = sql`t.uic in (select uic from staged_instrument where deletion)`
  await sql`insert into staged_position (line, deletion, account_key, uic, asset_type, held_from)
    select 0, true, account_key, uic, asset_type, held_from from position t
    where ${isGone} and not exists (select from staged_position s where (s.account_key, s.uic, s.asset_type)
      = (t.account_key, t.uic, t.asset_type) and coalesce(s.held_from, '-infinity') = t.held_from)`.execute(trx)
  await sql`insert into staged_event (line, deletion, event_id) select 0, true, event_id from event t
    where ${isGone} and not exists (select from staged_event s where s.event_id = t.event_id)`.execute(trx)
  await sql`create temp table gone_account on commit drop as select account_key from staged_account where deletion
    union select account_key from account join staged_client s using (client_key) where s.deletion`.execute(trx)
}

/** After the deletions are applied, so that no election can come between: removes what users have chosen about them. Elections
 *  outlive the events of an import, but not those of a scenario. */
export async function removeChoices(trx: Trx): Promise<void> {
  await sql`delete from election where event_id in (select event_id from staged_event where deletion)
    or account_key in (select account_key from gone_account)`.execute(trx)
  await sql`delete from standing_instruction
    where uic in (select uic from staged_instrument where deletion)`.execute(trx)
}
