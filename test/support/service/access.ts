import pg from 'pg'
import type { AccessRightRecord } from '../../../src/access/api/schema.ts'
import { putAccounts, putClients, putUsers } from '../../../src/access/store/import.ts'
import type { Caller } from '../../../src/core/caller.ts'
import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import type { Connection, Db } from '../../../src/database/open.ts'
import { eventually } from '../eventually.ts'

export type TestClient = { key: string; user: string; caller: Caller; accounts: { key: string; id: string }[] }

let ids = 0
/** A client with a user and two accounts, and no right yet. */
export async function createClient(db: Db, OwnerClientKey?: string): Promise<TestClient> {
  const [key, user] = [randomEntityKey(), randomEntityKey()]
  const number = ++ids
  const accounts = ['a', 'b'].map((letter) => ({ key: randomEntityKey(), id: `${number}${letter}` }))
  await db.transaction().execute(async (trx) => {
    const record = { ClientKey: key, ClientId: `${number}`, Name: 'A client' }
    await putClients(trx, [OwnerClientKey === undefined ? record : { ...record, OwnerClientKey }])
    for (const { key: AccountKey, id: AccountId } of accounts)
      await putAccounts(trx, [{ AccountKey, AccountId, ClientKey: key, Currency: 'EUR' }])
    await putUsers(trx, [{ UserKey: user, Name: `user ${number}`, ClientKey: key }], Temporal.Now.instant())
  })
  const caller = {
    UserKey: user,
    ClientKey: key,
    sessionId: 's',
    appKey: 'a',
    mayWrite: false,
    expiresAt: 0,
    isDayToken: false,
  }
  return { key, user, caller, accounts }
}

/** Announces nothing, so that a test decides when the change is seen. */
export async function grantSilently(db: Db, clientKey: string, right: Partial<AccessRightRecord>): Promise<void> {
  await db
    .insertInto('access_right')
    .values({
      client_key: clientKey,
      account_key: right.AccountKey ?? null,
      user_key: right.UserKey ?? null,
      asset_types: right.AssetTypes ?? null,
      exchange_ids: right.ExchangeIds ?? null,
      level: right.Level ?? 'Trade',
    })
    .execute()
}

type HeldReads = { waiting(count: number): Promise<unknown>; cancel(): Promise<void>; release(): Promise<void> }

/** Blocks every read of rights until it is released. */
export async function holdRightReads(connection: Connection): Promise<HeldReads> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('begin; lock table access_right in access exclusive mode')
  const blocked = async (): Promise<number[]> => {
    const { rows } = await client.query<{ pid: number }>(`select pid from pg_locks
      where relation = 'access_right'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    return rows.map(({ pid }) => pid)
  }
  return {
    waiting: (count) => eventually(async () => ((await blocked()).length === count ? true : undefined)),
    async cancel() {
      for (const pid of await blocked()) await client.query('select pg_cancel_backend($1)', [pid])
    },
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}
