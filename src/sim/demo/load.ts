import { importRecords } from '../../data/import/import-records.ts'
import { familiesOf } from '../../data/kinds.ts'
import { holdsData, noteDemo } from '../../data/store/origin.ts'
import type { Db, Trx } from '../../database/open.ts'
import { lockService } from '../../database/service.ts'
import { restartHistory } from '../../database/staging/history.ts'
import { readDemoFile } from './files.ts'
import { readDemo } from './read.ts'

const maxWaits = 20
const lockTimeout = '55P03'

/** Loads the demo data into an empty database; all of it or nothing. If several nodes start on an empty
 *  database, one loads it and the others wait for it, longer than for any other lock. */
export async function loadDemo(...given: Parameters<typeof load>): Promise<boolean> {
  for (let waits = 1; ; waits++) {
    try {
      return await load(...given)
    } catch (error) {
      if ((error as { code?: string }).code !== lockTimeout || waits === maxWaits) throw error
    }
  }
}

async function load(
  db: Db,
  masterKey: Buffer,
  now: Temporal.Instant,
  { withReference = true }: { withReference?: boolean } = {},
): Promise<boolean> {
  if (await holdsData(db)) return false
  const records = await readDemoRecords(now, withReference)
  return db.transaction().execute(async (trx) => {
    await lockService(trx)
    if (await holdsData(trx)) return false
    await restartHistory(trx)
    await writeDemo(trx, masterKey, records, now)
    return true
  })
}

type DemoRecord = Readonly<{ kind: string }>

/** Reading takes a while, so it is done before the transaction. */
export async function readDemoRecords(now: Temporal.Instant, withReference = true): Promise<DemoRecord[]> {
  const access = [
    ...(await readDemoFile<DemoRecord>('clients.ndjson')),
    ...(await readDemoFile<DemoRecord>('apps.ndjson')),
  ]
  if (!withReference) return access
  const demo = await readDemo(now.toZonedDateTimeISO('UTC').toPlainDate())
  const named = (kind: string, records: readonly object[]) => records.map((record) => ({ ...record, kind }))
  return [
    ...access,
    ...named('calendar', demo.calendars),
    ...named('exchange', demo.exchanges),
    ...named('instrument', demo.instruments),
    ...named('optionRoot', demo.optionRoots),
    ...named('position', demo.positions),
    ...named('event', demo.events),
  ]
}

/** Imports the records. The secret of the demo app is public, so it is always listed. */
export async function writeDemo(
  trx: Trx,
  masterKey: Buffer,
  records: readonly DemoRecord[],
  now: Temporal.Instant,
): Promise<void> {
  await importRecords(trx, familiesOf({ masterKey, config: { secrets: 'listed' }, now, isAudited: false }), records)
  await noteDemo(trx, now)
}
