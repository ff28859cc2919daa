import { sql } from 'kysely'
import type { Db, Trx } from '../../database/open.ts'
import { type OwnApp, selectApps } from './manage.ts'

const maxClients = 10_000

/** Locks an app of any client, as changes by its owner do. */
export async function lockApp(trx: Trx, appKey: string): Promise<OwnApp | undefined> {
  await trx.selectFrom('app').select('app_key').where('app_key', '=', appKey).forNoKeyUpdate().execute()
  const [app] = await selectApps(trx, sql`where app_key = ${appKey}`)
  return app
}

export type AppClient = Readonly<{ clientKey: string; clientId: string; name: string }>

/** The clients that have apps, by ClientId. */
export async function listAppClients(db: Db): Promise<AppClient[]> {
  return db
    .selectFrom('client')
    .select((eb) => [eb.ref('client_key').as('clientKey'), eb.ref('client_id').as('clientId'), 'name'])
    .where((eb) =>
      eb.exists(eb.selectFrom('app').select('app_key').whereRef('app.client_key', '=', 'client.client_key')),
    )
    .orderBy('client_id')
    .limit(maxClients)
    .execute()
}

/** Sets the expiry of secrets. */
export async function endSecrets(
  trx: Trx,
  appKey: string,
  ids: readonly number[],
  at: Temporal.Instant,
): Promise<void> {
  await sql`update app_secret set valid_until = ${at.toString()} where app_key = ${appKey} and secret_id = any(${ids})`.execute(
    trx,
  )
}

export async function deleteSecrets(trx: Trx, appKey: string, ids: readonly number[]): Promise<void> {
  await sql`delete from app_secret where app_key = ${appKey} and secret_id = any(${ids})`.execute(trx)
}
