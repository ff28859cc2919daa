import { hasClients, putAccessRight, putAccount, putClient, putUser } from '../access/store/import.ts'
import { importApp } from '../apps/import/kinds.ts'
import { hashPassword } from '../core/crypto/passwords.ts'
import type { Db, Trx } from '../database/open.ts'
import { lockService } from '../database/service.ts'
import { importEvents } from '../events/import/kinds.ts'
import { importReference } from '../instruments/import/kinds.ts'
import { demoAccounts, demoApps, demoClients, demoPassword, demoRights, demoUsers } from './demo-records.ts'
import { demoEvents } from './events/events.ts'
import { demoReference } from './reference/reference.ts'

const mostWaits = 20
const lockTimeout = '55P03'

/** Loads the demo data into a database that has no clients yet; all of it or nothing. Of nodes that start together on an
 *  empty database one loads; the others wait, longer than for any other lock, and find it done. */
export async function loadDemo(...parts: Parameters<typeof load>): Promise<boolean> {
  for (let waits = 1; ; waits++) {
    try {
      return await load(...parts)
    } catch (error) {
      if ((error as { code?: string }).code !== lockTimeout || waits === mostWaits) throw error
    }
  }
}

async function load(
  db: Db,
  masterKey: Buffer,
  now: Temporal.Instant,
  { withReference = true }: { withReference?: boolean } = {},
): Promise<boolean> {
  if (await hasClients(db)) return false
  const demo = await makeDemo(now, withReference)
  return db.transaction().execute(async (trx) => {
    await lockService(trx)
    if (await hasClients(trx)) return false
    await writeDemo(trx, masterKey, demo, now)
    return true
  })
}

type Demo = Readonly<{ passwordHash: string; dated?: ReturnType<typeof makeDated> }>

/** What takes long to work out, before a transaction waits for it. */
export async function makeDemo(now: Temporal.Instant, withReference = true): Promise<Demo> {
  const passwordHash = await hashPassword(demoPassword)
  return withReference ? { passwordHash, dated: makeDated(now) } : { passwordHash }
}

/** Of the day in UTC: the reference data, what the accounts hold of it, and what happens to that. */
function makeDated(now: Temporal.Instant) {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate()
  const reference = demoReference(today)
  return { reference, events: demoEvents(today, reference) }
}

/** Into tables that have none of it. */
export async function writeDemo(
  trx: Trx,
  masterKey: Buffer,
  { passwordHash: PasswordHash, dated }: Demo,
  now: Temporal.Instant,
): Promise<void> {
  for (const client of demoClients) await putClient(trx, client)
  for (const account of demoAccounts) await putAccount(trx, account)
  for (const { Password: _, ...user } of demoUsers) await putUser(trx, { ...user, PasswordHash }, now)
  for (const right of demoRights) await putAccessRight(trx, right)
  for (const app of demoApps) await importApp(trx, masterKey, app, now)
  if (!dated) return
  await importReference(trx, dated.reference)
  await importEvents(trx, dated.events, now)
}
