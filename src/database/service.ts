import type pg from 'pg'
import { deriveKey, seal, unseal } from '../core/crypto/keys.ts'
import { type Connection, type Db, openDatabase, type Trx } from './open.ts'

const checkText = 'this key opens this database'

export class DatabaseMismatch extends Error {}

/** The first start stores the environment and a text sealed with MASTER_KEY. Later starts must have the same environment
 *  and be able to unseal the text. */
export async function claimDatabase(db: Db, masterKey: Buffer, environment: string): Promise<void> {
  const key = deriveKey(masterKey, 'key check')
  await db
    .insertInto('service')
    .values({ environment, key_check: seal(key, checkText, 'service') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await requireClaimed(db, masterKey, environment)
}

/** Requires that the service has claimed this database before, with this key and environment. Changes nothing. */
export async function requireClaimed(db: Db, masterKey: Buffer, environment: string): Promise<void> {
  const row = await db.selectFrom('service').selectAll().executeTakeFirst()
  requireClaim(row, deriveKey(masterKey, 'key check'), environment)
}

/** For a replica, which must be a copy of a database that this service has claimed. */
export async function requireSameService(client: pg.ClientBase, masterKey: Buffer, environment: string): Promise<void> {
  const { rows } = await client.query<Claim>('select environment, key_check from service')
  requireClaim(rows[0], deriveKey(masterKey, 'key check'), environment)
}

type Claim = Readonly<{ environment: string; key_check: Buffer }>

function requireClaim(row: Claim | undefined, key: Buffer, environment: string): void {
  if (!row) throw new DatabaseMismatch('This database has not been used by refdesk before.')
  if (row.environment !== environment)
    throw new DatabaseMismatch(
      `This database belongs to ENVIRONMENT=${row.environment} and cannot be used for ${environment}. Set ENVIRONMENT=${row.environment}, or use another database.`,
    )
  try {
    unseal(key, row.key_check, 'service')
  } catch {
    throw new DatabaseMismatch('MASTER_KEY is not the key that this database was created with. Set it to that key.')
  }
}

/** Locks the only row of `service` until the transaction ends, for what only one node at a time may do. */
export async function lockService(trx: Trx): Promise<void> {
  await trx.selectFrom('service').select('only_row').forUpdate().execute()
}

export async function writePublicUrl(db: Db, publicUrl: string): Promise<void> {
  await db.updateTable('service').set({ public_url: publicUrl }).execute()
}

export async function readPublicUrl(connection: Connection): Promise<string | undefined> {
  const { db, close } = openDatabase(connection, 1)
  try {
    return (await db.selectFrom('service').select('public_url').executeTakeFirst())?.public_url ?? undefined
  } finally {
    await close()
  }
}
