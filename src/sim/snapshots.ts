import { type AuditEntry, appendAudit } from '../audit/append.ts'
import { realTime, type TravelClock, wireTime } from '../core/clock.ts'
import { isLocked } from '../core/network/outage.ts'
import { notFound, Problem } from '../core/problem.ts'
import type { Db, Trx } from '../database/open.ts'
import { lockImport } from '../database/staging/copy.ts'
import { beginRun } from '../database/staging/history.ts'
import { refuseRestore, refuseSave, restoredShift, savedTime } from './rules/snapshot.ts'
import { lockShift, readShift, writeShift } from './store/clock.ts'
import { holdOperators, putBackUsers } from './store/kept-users.ts'
import { readRevision } from './store/reset.ts'
import { announceRestore, finishRestore, limitLockWaits, lockTables, restoreTables } from './store/snapshot-restore.ts'
import {
  deleteSnapshot,
  holdSnapshot,
  listSnapshots,
  lockSnapshots,
  measureTables,
  type Snapshot,
  writeSnapshot,
} from './store/snapshots.ts'

export type SnapshotCall = Readonly<{ db: Db; clock: TravelClock; name: string; audit: Partial<AuditEntry> }>

const note = (trx: Trx, kind: AuditEntry['kind'], { clock, name, audit }: SnapshotCall, more: object = {}) =>
  appendAudit(trx, { ...audit, at: clock.now(), kind, detail: { name, ...more } })

/** Saves all data and the clock under a name, in place of the snapshot that had it (§11.8). */
export async function saveSnapshot(call: SnapshotCall): Promise<Snapshot> {
  const { db, clock, name } = call
  const save = db.transaction().setIsolationLevel('repeatable read')
  return save.execute(async (trx) => {
    await lockSnapshots(trx)
    const isReplaced = await deleteSnapshot(trx, name)
    const refusal = refuseSave({
      count: (await listSnapshots(trx)).length,
      bytes: await measureTables(trx),
      isReplaced,
    })
    if (refusal !== undefined) throw new Problem('LimitReached', refusal)
    const savedAt = clock.real.now()
    const time = savedTime((await readShift(trx)) ?? realTime, savedAt)
    await writeSnapshot(trx, { name, savedAt, ...time })
    await note(trx, 'SnapshotSaved', call)
    return (await holdSnapshot(trx, name)) as Snapshot
  })
}

export async function removeSnapshot(call: SnapshotCall): Promise<void> {
  await call.db.transaction().execute(async (trx) => {
    await lockSnapshots(trx)
    if (!(await deleteSnapshot(trx, call.name))) throw notFound(`Snapshot ${call.name}`)
    await note(trx, 'SnapshotDeleted', call)
  })
}

export type Restored = Readonly<{ snapshot: Snapshot; revision: number }>

/** How long each attempt waits for a lock. Short at first: a transaction that holds one may wait for one that the restore
 *  has. Longer later: whatever vacuums a table gives way after a second. */
const waitsMs = [250, 500, 1_000, 2_000, 4_000]

/** Restores all data and the clock (§11.8). One transaction, so readers see either the old or the new data. */
export async function restoreSnapshot<Kept>(
  call: SnapshotCall,
  after: (trx: Trx) => Promise<Kept>,
): Promise<Restored & { kept: Kept }> {
  for (const [attempt, waitMs] of waitsMs.entries()) {
    try {
      return await call.db.transaction().execute((trx) => restoreIn(trx, call, waitMs, after))
    } catch (error) {
      if (!isLocked(error) || attempt === waitsMs.length - 1) throw error
    }
  }
  throw new Error('Unreachable: the last attempt returns or throws.')
}

async function restoreIn<Kept>(trx: Trx, call: SnapshotCall, waitMs: number, after: (trx: Trx) => Promise<Kept>) {
  const { clock, name } = call
  await limitLockWaits(trx, waitMs)
  await lockImport(trx)
  await beginRun(trx, `snapshot ${name}`)
  const snapshot = await holdSnapshot(trx, name)
  if (!snapshot) throw notFound(`Snapshot ${name}`)
  const refusal = refuseRestore(snapshot)
  if (refusal !== undefined) throw new Problem('OtherVersion', refusal)
  const tables = await lockTables(trx)
  await lockShift(trx)
  const from = clock.now()
  const areOperatorsHeld = await holdOperators(trx)
  const rows = await restoreTables(trx, snapshot.id, tables)
  if (areOperatorsHeld) await putBackUsers(trx)
  await finishRestore(trx, snapshot.id)
  await writeShift(trx, restoredShift(snapshot, clock.real.now()))
  await note(trx, 'SnapshotRestored', call, { rows, from: wireTime(from), to: wireTime(snapshot.serviceTime) })
  const kept = await after(trx)
  await announceRestore(trx)
  return { snapshot, revision: await readRevision(trx), kept }
}
