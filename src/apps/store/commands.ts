import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { readApp, type StoredApp } from './apps.ts'

const maxClients = 10_000

/** Locks an app of any client, as changes by its owner do. */
export async function lockApp(trx: Trx, appKey: string): Promise<StoredApp | undefined> {
  await trx.selectFrom('app').select('app_key').where('app_key', '=', appKey).forNoKeyUpdate().execute()
  return readApp(trx, appKey)
}

export type AppClient = Readonly<{ clientKey: string; clientId: string; name: string }>

export async function listAppClients(db: Db): Promise<AppClient[]> {
  return db
    .selectFrom('client')
    .select(['client_key as clientKey', 'client_id as clientId', 'name'])
    .where('client_key', 'in', db.selectFrom('app').select('client_key').where('client_key', 'is not', null))
    .orderBy('client_id')
    .limit(maxClients)
    .execute()
}

export async function endSecrets(trx: Trx, appKey: string, ids: readonly number[], at: Temporal.Instant) {
  const ended = sql`app_key = ${appKey} and secret_id = any(${ids})`
  await sql`update app_secret set valid_until = ${at.toString()} where ${ended}`.execute(trx)
}

export async function deleteSecrets(trx: Trx, appKey: string, ids: readonly number[]): Promise<void> {
  await sql`delete from app_secret where app_key = ${appKey} and secret_id = any(${ids})`.execute(trx)
}
