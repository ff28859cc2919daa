import { type AuditEntry, appendAudit } from '../audit/append.ts'
import { realTime, type TravelClock } from '../core/clock.ts'
import { Problem } from '../core/problem.ts'
import { readOrigin } from '../data/store/origin.ts'
import type { Db, Trx } from '../database/open.ts'
import { lockImport } from '../database/staging/copy.ts'
import { beginRun, restartHistory } from '../database/staging/history.ts'
import { refuseReset } from './rules/reset.ts'
import { lockShift, writeShift } from './store/clock.ts'
import { holdUsers, lockUsers, putBackUsers } from './store/kept-users.ts'
import { announceEverything, readRevision, removeEverything } from './store/reset.ts'

type Reset<Kept> = Readonly<{
  db: Db
  clock: TravelClock
  masterKey: Buffer
  /** Whether the service runs with the demo (DEMO=on). */
  isDemoOn: boolean
  mayRemoveImported: boolean
  audit: Partial<AuditEntry>
  /** Called before everything is removed. The returned function is called with the times before and after the reset. */
  keep(trx: Trx): Promise<(times: { from: Temporal.Instant; to: Temporal.Instant }) => Promise<Kept>>
}>

/** Replaces all data by the demo (§11.4). Its users keep their password and whether they are disabled or operators; operators
 *  of its clients stay. One transaction, so readers see either the old or the new data. Waits for a running import or
 *  another reset. */
export async function resetToDemo<Kept>(reset: Reset<Kept>): Promise<{ Revision: number; kept: Kept }> {
  const { db, clock, masterKey, isDemoOn, mayRemoveImported } = reset
  const { readDemoRecords, writeDemo } = await import('./demo/load.ts')
  // Reading the demo takes a while.
  refuse(refuseReset(await readOrigin(db), isDemoOn, mayRemoveImported))
  const real = clock.real.now()
  const records = await readDemoRecords(real)
  return db.transaction().execute(async (trx) => {
    await lockImport(trx)
    await beginRun(trx, 'reset')
    await lockShift(trx)
    refuse(refuseReset(await readOrigin(trx), isDemoOn, mayRemoveImported))
    // Before the session is locked: a command that changes its user locks the user first, then the session.
    await lockUsers(trx)
    const restore = await reset.keep(trx)
    const at = clock.now()
    await holdUsers(trx)
    await announceEverything(trx)
    await restartHistory(trx)
    await removeEverything(trx)
    await writeDemo(trx, masterKey, records, real)
    await putBackUsers(trx)
    await writeShift(trx, realTime)
    const Revision = await readRevision(trx)
    await appendAudit(trx, { ...reset.audit, at, kind: 'DataReset', detail: { revision: Revision } })
    return { Revision, kept: await restore({ from: at, to: real }) }
  })
}

function refuse(refusal: ReturnType<typeof refuseReset>): void {
  if (refusal) throw new Problem(refusal.code, refusal.message)
}
