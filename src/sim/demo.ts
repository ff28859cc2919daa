import { hasClients, putAccessRight, putAccount, putClient, putUser } from '../access/import-store.ts'
import { importApp } from '../apps/import.ts'
import { hashPassword } from '../core/passwords.ts'
import type { Db } from '../database/open.ts'
import { lockService } from '../database/service-store.ts'
import { importReference } from '../instruments/import.ts'
import { demoAccounts, demoApps, demoClients, demoPassword, demoRights, demoUsers } from './demo-records.ts'
import { demoReference } from './reference/reference.ts'

/** Loads the demo data into a database that has no clients yet; all of it or nothing. */
export async function loadDemo(
  db: Db,
  masterKey: Buffer,
  now: Temporal.Instant,
  { withReference = true }: { withReference?: boolean } = {},
): Promise<boolean> {
  if (await hasClients(db)) return false
  const PasswordHash = await hashPassword(demoPassword)
  return db.transaction().execute(async (trx) => {
    // Of nodes that start together on an empty database one loads; the others find it done.
    await lockService(trx)
    if (await hasClients(trx)) return false
    for (const client of demoClients) await putClient(trx, client)
    for (const account of demoAccounts) await putAccount(trx, account)
    for (const { Password: _, ...user } of demoUsers) await putUser(trx, { ...user, PasswordHash }, now)
    for (const right of demoRights) await putAccessRight(trx, right)
    for (const app of demoApps) await importApp(trx, masterKey, app, now)
    if (withReference) await importReference(trx, demoReference(now.toZonedDateTimeISO('UTC').toPlainDate()))
    return true
  })
}
