import { sql, type Updateable } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'
import { prepared } from '../../database/prepared.ts'
import { beginRun } from '../../database/staging/history.ts'
import type { Tables } from '../../database/tables/tables.ts'
import type { AccessRight, AccountName } from '../rules/visibility.ts'

export type UserFacts = Readonly<{
  userKey: string
  name: string
  clientKey: string
  passwordHash: string | null
  disabled: boolean
}>

const selectUserByName = prepared((db, { lowerCaseName }: { lowerCaseName: string }) =>
  db
    .selectFrom('service_user')
    .select(['user_key as userKey', 'name', 'client_key as clientKey', 'password_hash as passwordHash', 'disabled'])
    .where((eb) => eb(eb.fn<string>('lower', ['name']), '=', lowerCaseName)),
)

/** Finds a user by sign-in name, in any case. */
export async function findUserByName(db: Db, name: string): Promise<UserFacts | undefined> {
  // PostgreSQL cannot store U+0000, so no user has such a name.
  if (name.includes('\0')) return undefined
  return (await selectUserByName(db, { lowerCaseName: name.toLowerCase() }))[0]
}

export async function readUser(db: Db, userKey: string): Promise<{ name: string; disabled: boolean } | undefined> {
  return db.selectFrom('service_user').select(['name', 'disabled']).where('user_key', '=', userKey).executeTakeFirst()
}

export async function isOperator(db: Db, userKey: string): Promise<boolean> {
  const user = db.selectFrom('service_user').select('is_operator').where('user_key', '=', userKey)
  return (await user.executeTakeFirst())?.is_operator ?? false
}

/** Whether there is an operator who may sign in. */
export async function hasOperators(db: Db): Promise<boolean> {
  const user = db.selectFrom('service_user').select('user_key').where('is_operator', '=', true)
  return (await user.where('disabled', '=', false).limit(1).execute()).length > 0
}

export async function readClient(db: Db, clientKey: string): Promise<{ clientId: string; name: string } | undefined> {
  const client = db.selectFrom('client').select(['client_id as clientId', 'name'])
  return client.where('client_key', '=', clientKey).executeTakeFirst()
}

export type AccountFacts = Readonly<{
  accountKey: string
  accountId: string
  accountGroupKey: string | null
  currency: string
}>

const selectAccounts = prepared((db, page: { clientKey: string; limit: number; skip: number }) =>
  db
    .selectFrom('account')
    .select([
      'account_key as accountKey',
      'account_id as accountId',
      'account_group_key as accountGroupKey',
      'currency',
    ])
    .where('client_key', '=', page.clientKey)
    .orderBy('account_id')
    .limit(sql<number>`${page.limit}`)
    .offset(sql<number>`${page.skip}`),
)

/** Lists a page of a client's accounts by id. Reads one extra row to see whether there is another page. */
export async function listAccounts(
  db: Db,
  clientKey: string,
  page: { $top: number; $skip: number },
): Promise<{ accounts: AccountFacts[]; more: boolean }> {
  const rows = await selectAccounts(db, { clientKey, limit: page.$top + 1, skip: page.$skip })
  return { accounts: rows.slice(0, page.$top), more: rows.length > page.$top }
}

/** Bounds the memory that one client can use. */
const maxRights = 10_000
const rightColumns = [
  'user_key as userKey',
  'account_key as accountKey',
  'asset_types as assetTypes',
  'exchange_ids as exchangeIds',
  'level',
] as const

/** What decides which instruments a client and its users may see and trade. */
export type ClientAccess = Readonly<{
  ownerClientKey: string | null
  accounts: readonly AccountName[]
  rights: readonly AccessRight[]
}>

/** Accounts and rights in one statement, so that they are consistent. */
const selectAccess = prepared((db, { clientKeys }: { clientKeys: readonly string[] }) =>
  db
    .selectFrom('client')
    .select((client) => [
      'client_key as clientKey',
      'owner_client_key as ownerClientKey',
      jsonArrayFrom(
        client
          .selectFrom('account')
          .select(['account_key as accountKey', 'account_id as accountId'])
          .whereRef('account.client_key', '=', 'client.client_key'),
      ).as('accounts'),
      jsonArrayFrom(
        client
          .selectFrom('access_right')
          .select(rightColumns)
          .whereRef('access_right.client_key', '=', 'client.client_key')
          .orderBy('access_right_id')
          .limit(maxRights),
      ).as('rights'),
    ])
    .where('client_key', '=', sql<string>`any(${clientKeys})`),
)

/** Unknown clients are left out. */
export async function readAccessOf(db: Db, clientKeys: readonly string[]): Promise<Map<string, ClientAccess>> {
  const rows = await selectAccess(db, { clientKeys })
  return new Map(rows.map(({ clientKey, ...access }) => [clientKey, access]))
}

export async function readClientAccess(db: Db, clientKey: string): Promise<ClientAccess | undefined> {
  return (await readAccessOf(db, [clientKey])).get(clientKey)
}

/** For commands: the key of the client with this ClientId. */
export async function requireClientKey(db: Db, clientId: string): Promise<string> {
  const row = await db.selectFrom('client').select('client_key').where('client_id', '=', clientId).executeTakeFirst()
  if (!row) throw new Error(`No client has the ClientId ${clientId}. List the clients with: refdesk clients list`)
  return row.client_key
}

/** Disables or enables a user, and announces the client. Waits for other changes as long as they take. */
export async function writeUserDisabled(
  trx: Trx,
  user: UserFacts,
  disabled: boolean,
  onWait: () => void = () => {},
): Promise<void> {
  await beginRun(trx, 'refdesk users', onWait)
  await updateUser(trx, user, { disabled })
  await announce(trx, [{ topic: 'client', key: user.clientKey }])
}

export async function writePassword(trx: Trx, user: UserFacts, passwordHash: string): Promise<void> {
  await updateUser(trx, user, { password_hash: passwordHash })
}

/** Nodes read it with every use, so it needs no announcement. */
export async function writeOperator(trx: Trx, user: UserFacts, isOperator: boolean): Promise<void> {
  await beginRun(trx, 'refdesk users')
  await updateUser(trx, user, { is_operator: isOperator })
}

/** Fails if the user was removed after it was found. */
async function updateUser(
  trx: Trx,
  { userKey, name }: UserFacts,
  change: Updateable<Tables['service_user']>,
): Promise<void> {
  const update = trx.updateTable('service_user').set(change).where('user_key', '=', userKey)
  if ((await update.executeTakeFirstOrThrow()).numUpdatedRows === 0n)
    throw new Error(`User ${name} was removed in the meantime. List the users with: refdesk users list`)
}

const selectUnchanged = prepared((db, { userKey, passwordHash }: { userKey: string; passwordHash: string | null }) =>
  db
    .selectFrom('service_user')
    .select('user_key')
    .where('user_key', '=', userKey)
    .where('password_hash', '=', passwordHash)
    .where('disabled', '=', false)
    .forShare(),
)

/** Locks a user whose password was checked. False if it was changed, or the user disabled, in the meantime. */
export async function lockUnchangedUser(trx: Trx, { userKey, passwordHash }: UserFacts): Promise<boolean> {
  return (await selectUnchanged(trx, { userKey, passwordHash })).length > 0
}
