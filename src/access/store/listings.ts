import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import type { GivenFields } from '../api/fields.ts'

/** What is listed: what belongs to a client, or also to the clients below it. */
export type Scope = Readonly<{ clientKey: string; includesSubClients?: boolean | undefined }>
export type Page = Readonly<{ $top: number; $skip: number; $inlinecount: 'AllPages' | 'None' }>
export type Listed<Row> = Readonly<{ rows: Row[]; more: boolean; count: number | undefined }>

/** The columns of a kind, its key, the client that decides whether it is in a scope, and the order of a list. */
type Source = Readonly<Record<'select' | 'key' | 'client' | 'order', RawBuilder<unknown>>>
type Cut = Readonly<{ clientKey: string; top: number; skip: number }>

/** Reads rows of one kind from the database. */
export type Readers<Row> = Readonly<{
  find(db: Db, key: string): Promise<Row | undefined>
  /** The first rows of a client. */
  ofClient(db: Db, clientKey: string, top: number): Promise<Row[]>
  list(db: Db, scope: Scope, page: Page): Promise<Listed<Row>>
}>

function readers<Row>({ select, key, client, order }: Source): Readers<Row> {
  const find = prepared((_db, { value }: { value: string }) => sql<Row>`${select} where ${key} = ${value}`)
  const inClient = (clientKey: string) => sql`${select} where ${client} = ${clientKey}`
  // `union` drops clients seen before, so the walk ends.
  const inTree = (clientKey: string) => sql`with recursive scope as (
    select ${clientKey}::text as client_key
    union select c.client_key from scope join client c on c.owner_client_key = scope.client_key)
    ${select} join scope on scope.client_key = ${client}`
  const cut = (all: RawBuilder<unknown>, { top, skip }: Cut) =>
    sql<Row>`${all} order by ${order} limit ${top} offset ${skip}`
  const counted = (all: RawBuilder<unknown>) => sql<{ count: number }>`select count(*)::int as count from (${all}) rows`
  const pageOfClient = prepared((_db, page: Cut) => cut(inClient(page.clientKey), page))
  const countOfClient = prepared((_db, { clientKey }: { clientKey: string }) => counted(inClient(clientKey)))

  return {
    find: async (db, value) => (await find(db, { value }))[0],
    ofClient: (db, clientKey, top) => pageOfClient(db, { clientKey, top, skip: 0 }),

    /** Reads one extra row to see whether there is another page. */
    async list(db, { clientKey, includesSubClients }, { $top, $skip, $inlinecount }) {
      const page = { clientKey, top: $top + 1, skip: $skip }
      const all = inTree(clientKey)
      const rowsIn = includesSubClients
        ? async () => (await cut(all, page).execute(db)).rows
        : () => pageOfClient(db, page)
      const countIn = includesSubClients
        ? async () => (await counted(all).execute(db)).rows
        : () => countOfClient(db, page)
      const [rows, count] = await Promise.all([rowsIn(), $inlinecount === 'AllPages' ? countIn() : undefined])
      return { rows: rows.slice(0, $top), more: rows.length > $top, count: count?.[0]?.count }
    },
  }
}

export type UserRow = Readonly<{
  userKey: string
  name: string
  clientKey: string
  disabled: boolean
  fields: GivenFields
  lastLogin: Temporal.Instant | null
}>

export const users = readers<UserRow>({
  select: sql`select user_key as "userKey", t.name, t.client_key as "clientKey", disabled, fields,
    (select max(created_at) from session s where s.user_key = t.user_key) as "lastLogin" from service_user t`,
  key: sql`t.user_key`,
  client: sql`t.client_key`,
  order: sql`lower(t.name)`,
})

export type AccountRow = Readonly<{
  accountKey: string
  accountId: string
  clientKey: string
  clientId: string
  accountGroupKey: string | null
  accountGroupName: string | null
  currency: string
  fields: GivenFields
}>

export const accounts = readers<AccountRow>({
  select: sql`select account_key as "accountKey", account_id as "accountId", t.client_key as "clientKey",
    c.client_id as "clientId", t.account_group_key as "accountGroupKey", g.name as "accountGroupName", currency, t.fields
    from account t join client c on c.client_key = t.client_key
    left join account_group g on g.account_group_key = t.account_group_key`,
  key: sql`t.account_key`,
  client: sql`t.client_key`,
  order: sql`t.account_id`,
})

export type AccountGroupRow = Readonly<{
  accountGroupKey: string
  name: string
  clientKey: string
  fields: GivenFields
}>

export const accountGroups = readers<AccountGroupRow>({
  select: sql`select account_group_key as "accountGroupKey", t.name, t.client_key as "clientKey", fields
    from account_group t`,
  key: sql`t.account_group_key`,
  client: sql`t.client_key`,
  order: sql`t.name, t.account_group_key`,
})

export type ClientRow = Readonly<{
  clientKey: string
  clientId: string
  name: string
  fields: GivenFields
  /** The first account by id, which is the default; absent for a client without accounts. */
  accountId: string | null
  accountKey: string | null
  currency: string | null
}>

/** Lists the clients that a client owns. */
export const clients = readers<ClientRow>({
  select: sql`select t.client_key as "clientKey", client_id as "clientId", t.name, t.fields,
      a.account_id as "accountId", a.account_key as "accountKey", a.currency
    from client t left join lateral (select account_id, account_key, currency from account
      where account.client_key = t.client_key order by account_id limit 1) a on true`,
  key: sql`t.client_key`,
  client: sql`t.owner_client_key`,
  order: sql`client_id`,
})
