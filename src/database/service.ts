import type pg from 'pg'
import { deriveKey, seal, unseal } from '../core/crypto/keys.ts'
import { type Connection, type Db, openDatabase, type Trx } from './open.ts'

const checkText = 'this key opens this database'

export class DatabaseMismatch extends Error {}

/** A database that this service must not use, and what to do about it. */
export class WrongDatabase extends DatabaseMismatch {
  readonly subject: 'database' | 'environment' | 'master key'
  readonly reason: string
  readonly advice: string

  constructor(subject: WrongDatabase['subject'], reason: string, advice: string) {
    super(`${reason} ${advice}`)
    this.subject = subject
    this.reason = reason
    this.advice = advice
  }
}

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

export async function readEnvironment(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('service').select('environment').executeTakeFirst())?.environment
}

/** For a replica, which must be a copy of a database that this service has claimed. */
export async function requireSameService(client: pg.ClientBase, masterKey: Buffer, environment: string): Promise<void> {
  const { rows } = await client.query<Claim>('select environment, key_check from service')
  requireClaim(rows[0], deriveKey(masterKey, 'key check'), environment)
}

type Claim = Readonly<{ environment: string; key_check: Buffer }>

function requireClaim(row: Claim | undefined, key: Buffer, environment: string): void {
  if (!row)
    throw new WrongDatabase(
      'database',
      'This database has not been used by refdesk before.',
      'Start the service on it first, or use another database.',
    )
  if (row.environment !== environment)
    throw new WrongDatabase(
      'environment',
      `This database belongs to ENVIRONMENT=${row.environment} and cannot be used for ${environment}.`,
      `Set ENVIRONMENT=${row.environment}, or use another database.`,
    )
  try {
    unseal(key, row.key_check, 'service')
  } catch {
    throw new WrongDatabase(
      'master key',
      'This database was created with another master key.',
      'Set MASTER_KEY to that key, or, if MASTER_KEY is not set, restore DATA_DIR/master.key from your backup.',
    )
  }
}

/** Locks the only row of `service` until the transaction ends, for what only one node at a time may do. */
export async function lockService(trx: Trx): Promise<void> {
  await trx.selectFrom('service').select('only_row').forUpdate().execute()
}

/** Returns the address that was stored before, if it was another. */
export async function writePublicUrl(db: Db, publicUrl: string): Promise<string | undefined> {
  const before = await db.selectFrom('service').select('public_url').executeTakeFirst()
  if (before?.public_url === publicUrl) return undefined
  await db.updateTable('service').set({ public_url: publicUrl }).execute()
  return before?.public_url ?? undefined
}

export async function readPublicUrl(connection: Connection): Promise<string | undefined> {
  const { db, close } = openDatabase(connection, 1)
  try {
    return (await db.selectFrom('service').select('public_url').executeTakeFirst())?.public_url ?? undefined
  } finally {
    await close()
  }
}
