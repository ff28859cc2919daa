import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { AccountRow } from './listings.ts'

/** What is listed of all clients. `place` is unique and not null; `names` are what a text is looked for in. */
type Source = Readonly<Record<'select' | 'place' | 'names', RawBuilder<unknown>>>

/** Which rows: after a place, of one client, whose names contain a text in any case. */
export type Selection = Readonly<{
  limit: number
  after?: string | undefined
  clientKey?: string | undefined
  text?: string | undefined
}>
/** A page of rows, and the place after which the next one begins. */
export type Section<Row> = Readonly<{ rows: Row[]; next: string | undefined }>

const inClient = (clientKey: string | undefined) =>
  clientKey === undefined ? sql`true` : sql`t.client_key = ${clientKey}`

/** Reads one extra row to see whether there is another page. */
async function readSection<Row>(db: Db, source: Source, selection: Selection): Promise<Section<Row>> {
  const { select, place, names } = source
  const { limit, after = null, clientKey, text } = selection
  const named = text === undefined ? sql`true` : sql`position(lower(${text}) in lower(${names})) > 0`
  const { rows } = await sql<Row & { place: string }>`
    select ${place} as place, ${select}
    where (${after}::text is null or ${place} > ${after}) and ${inClient(clientKey)} and ${named}
    order by ${place} limit ${limit + 1}`.execute(db)
  const shown = rows.slice(0, limit)
  return {
    rows: shown.map(({ place: _, ...row }) => row as unknown as Row),
    next: rows.length > limit ? shown.at(-1)?.place : undefined,
  }
}

const pageSize = 1_000

async function* readAll<Row>(db: Db, source: Source, clientKey: string | undefined): AsyncGenerator<Row[]> {
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const { rows, next }: Section<Row> = await readSection<Row>(db, source, { limit: pageSize, after, clientKey })
    if (rows.length > 0) yield rows
    after = next
  }
}

export type ListedUser = Readonly<{
  name: string
  userKey: string
  clientKey: string
  clientId: string
  clientName: string
  disabled: boolean
  isOperator: boolean
  lastLogin: Temporal.Instant | null
}>

const users: Source = {
  select: sql`t.name, user_key as "userKey", client_key as "clientKey", client_id as "clientId", c.name as "clientName",
    disabled, is_operator as "isOperator",
    (select max(created_at) from session s where s.user_key = t.user_key) as "lastLogin"
    from service_user t join client c using (client_key)`,
  place: sql`lower(t.name)`,
  names: sql`concat_ws(' ', t.name, c.client_id, c.name)`,
}

/** Users by name. */
export const readUsers = (db: Db, selection: Selection): Promise<Section<ListedUser>> =>
  readSection(db, users, selection)

export async function findListedUser(db: Db, userKey: string): Promise<ListedUser | undefined> {
  const { rows } = await sql<ListedUser>`select ${users.select} where user_key = ${userKey}`.execute(db)
  return rows[0]
}

/** An app that a user has allowed, or has sessions with. */
export type UsedApp = Readonly<{ appKey: string; name: string; consentAt: Temporal.Instant | null; sessions: number }>

/** The ones with the most sessions first, one more than the limit if there are more. Sessions are those in progress. */
export async function readUsedApps(db: Db, userKey: string, now: Temporal.Instant, limit: number): Promise<UsedApp[]> {
  const { rows } = await sql<UsedApp>`
    with sessions as (
      select app_key, count(*)::int as sessions from session
      where user_key = ${userKey} and ended_at is null and expires_at > ${now.toString()} group by app_key)
    select app_key as "appKey", a.name, c.given_at as "consentAt", coalesce(s.sessions, 0) as sessions
    from (select app_key, given_at from consent where user_key = ${userKey}) c
    full join sessions s using (app_key) join app a using (app_key)
    order by coalesce(s.sessions, 0) desc, a.name, app_key limit ${limit + 1}`.execute(db)
  return rows
}

/** All users by name, in pages, or those of one client. */
export const readAllUsers = (db: Db, clientKey: string | undefined): AsyncGenerator<ListedUser[]> =>
  readAll(db, users, clientKey)

export type ListedClient = Readonly<{
  clientId: string
  clientKey: string
  name: string
  /** The ClientId of its owner. */
  ownerId: string | null
  accounts: number
  users: number
  rights: number
}>

const clients: Source = {
  select: sql`t.client_id as "clientId", t.client_key as "clientKey", t.name, o.client_id as "ownerId",
    (select count(*)::int from account a where a.client_key = t.client_key) as accounts,
    (select count(*)::int from service_user u where u.client_key = t.client_key) as users,
    (select count(*)::int from access_right r where r.client_key = t.client_key) as rights
    from client t left join client o on o.client_key = t.owner_client_key`,
  place: sql`t.client_id`,
  names: sql`concat_ws(' ', t.client_id, t.name)`,
}

/** Clients by ClientId. */
export const readClients = (db: Db, selection: Selection): Promise<Section<ListedClient>> =>
  readSection(db, clients, selection)

/** All clients by ClientId, in pages. */
export const readAllClients = (db: Db): AsyncGenerator<ListedClient[]> => readAll(db, clients, undefined)

export type ListedAccount = Readonly<
  Pick<AccountRow, 'accountId' | 'accountKey' | 'clientId' | 'accountGroupName' | 'currency'>
>

const accounts: Source = {
  select: sql`t.account_id as "accountId", t.account_key as "accountKey", c.client_id as "clientId",
    g.name as "accountGroupName", t.currency
    from account t join client c using (client_key) left join account_group g using (account_group_key)`,
  place: sql`t.account_id`,
  names: sql`t.account_id`,
}

/** All accounts by AccountId, in pages, or those of one client. */
export const readAllAccounts = (db: Db, clientKey: string | undefined): AsyncGenerator<ListedAccount[]> =>
  readAll(db, accounts, clientKey)
