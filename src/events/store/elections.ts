import { sql } from 'kysely'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import { readByCursor } from '../../database/staging/copy.ts'
import type { Elections } from '../import/canonical.ts'
import type { EventOptionRecord } from '../import/schema.ts'
import { type EventFactsRow, factColumns, withInstrument } from './catalogue.ts'

const selectClient = prepared((db, { accountKey }: { accountKey: string }) =>
  db.selectFrom('account').select('client_key').where('account_key', '=', accountKey),
)

export async function clientOfAccount(db: Db, accountKey: string): Promise<string | undefined> {
  return (await selectClient(db, { accountKey }))[0]?.client_key
}

const selectName = prepared((db, { userKey }: { userKey: string }) =>
  db.selectFrom('service_user').select('name').where('user_key', '=', userKey),
)

export async function userNameOf(db: Db, userKey: string): Promise<string | undefined> {
  return (await selectName(db, { userKey }))[0]?.name
}

const selectForElection = prepared((db, { accountKey }: { accountKey: string }) =>
  db.selectFrom('account').select('account_key').where('account_key', '=', accountKey).forNoKeyUpdate(),
)

/** Elections of one account wait for each other. False if it is gone. An import locks accounts before events too. */
export async function lockAccount(trx: Trx, accountKey: string): Promise<boolean> {
  return (await selectForElection(trx, { accountKey })).length > 0
}

const selectElections = prepared(
  (_db, { eventId, accountKey }: { eventId: string; accountKey: string }) =>
    sql<{ text: string }>`
    select document::text as text from event_holding where event_id = ${eventId} and account_key = ${accountKey}`,
)

/** What an account has elected, as text, to see whether it has changed. */
export async function readElections(db: Db, eventId: string, accountKey: string): Promise<string | undefined> {
  return (await selectElections(db, { eventId, accountKey }))[0]?.text
}

export type LockedEvent = Readonly<{ row: EventFactsRow; options: readonly EventOptionRecord[] }>

/** An event that no import changes until the end of the transaction. */
export async function lockEvent(trx: Trx, eventId: string): Promise<LockedEvent | undefined> {
  const { rows } = await sql<EventFactsRow & { all_options: EventOptionRecord[] | null }>`
    select ${factColumns}, e.document -> 'Options' as all_options from ${withInstrument}
    where e.event_id = ${eventId} for share of e`.execute(trx)
  const [row] = rows
  return row && { row, options: row.all_options ?? [] }
}

export type NewElection = Readonly<{
  eventId: string
  accountKey: string
  elections: Elections
  elected: number
  at: Temporal.Instant
  userKey: string
  appKey: string
}>

/** Elections of users come after those of records, by account. */
const afterRecords = 1_000_000_000

/** Stores what an account has elected, and gives the election its number. Until the commit no other election gets one. */
export async function writeElection(trx: Trx, election: NewElection): Promise<number> {
  const { eventId, accountKey, elections, elected, at, userKey, appKey } = election
  const document = JSON.stringify(elections)
  await sql`insert into event_holding (event_id, account_key, ordinal, elected_amount, document, by_user)
    values (${eventId}, ${accountKey}, ${afterRecords}, ${elected}, ${document}, true)
    on conflict (event_id, account_key) do update
    set elected_amount = excluded.elected_amount, document = excluded.document, by_user = true`.execute(trx)
  const { rows } = await sql<{ number: number }>`
    with counted as (update election_count set last = last + 1 returning last)
    insert into election (number, event_id, account_key, elected_at, user_key, app_key, document)
    select last, ${eventId}, ${accountKey}, ${at.toString()}::timestamptz, ${userKey}, ${appKey}, ${document}::json
    from counted returning number`.execute(trx)
  const number = rows[0]?.number as number
  await announce(trx, [{ topic: 'election', key: String(number) }])
  return number
}

export type ElectionRecord = Readonly<{
  number: number
  eventId: string
  accountKey: string
  electedAt: Temporal.Instant
  userKey: string
  appKey: string
  elections: Elections
}>

const electionColumns = sql`number, event_id as "eventId", account_key as "accountKey", elected_at as "electedAt",
  user_key as "userKey", app_key as "appKey", e.document as elections`

/** The elections of a client and those below it after a number, in order. All of them are committed, and none with a lower
 *  number comes later. */
export async function electionsAfter(
  db: Db,
  after: number,
  limit: number,
  clientKey: string,
): Promise<ElectionRecord[]> {
  const { rows } = await sql<ElectionRecord>`
    with recursive clients as (
      select client_key from client where client_key = ${clientKey}
      union select c.client_key from clients join client c on c.owner_client_key = clients.client_key
    )
    select ${electionColumns} from election e
    where number > ${after} and account_key in (select account_key from account join clients using (client_key))
    order by number limit ${limit}`.execute(db)
  return rows
}

/** All elections after a number, in order and in batches. */
export function eachElection(db: Db, after: number): AsyncGenerator<ElectionRecord[]> {
  const query = sql<ElectionRecord>`select ${electionColumns} from election e where number > ${after} order by number`
  return readByCursor(db, query, 1_000)
}

/** The number of the last election. */
export async function lastElectionNumber(db: Db): Promise<number> {
  return (await db.selectFrom('election_count').select('last').executeTakeFirstOrThrow()).last
}
