import type { TimeShift } from '../../core/clock.ts'
import { announce } from '../../database/changes.ts'
import type { Db, Trx } from '../../database/open.ts'

/** Undefined if the clock was never changed. */
export async function readShift(db: Db): Promise<TimeShift | undefined> {
  const row = await db.selectFrom('sim_clock').select(['offset_microseconds', 'frozen_at']).executeTakeFirst()
  return row && { offsetMicroseconds: row.offset_microseconds, frozenAt: row.frozen_at ?? undefined }
}

/** Locks the clock until the transaction ends, so concurrent changes apply one after the other. */
export async function lockShift(trx: Trx): Promise<TimeShift> {
  await trx
    .insertInto('sim_clock')
    .values({ offset_microseconds: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await trx.selectFrom('sim_clock').selectAll().forUpdate().executeTakeFirstOrThrow()
  return { offsetMicroseconds: row.offset_microseconds, frozenAt: row.frozen_at ?? undefined }
}

export async function writeShift(trx: Trx, { offsetMicroseconds, frozenAt }: TimeShift): Promise<void> {
  await trx
    .updateTable('sim_clock')
    .set({ offset_microseconds: offsetMicroseconds, frozen_at: frozenAt?.toString() ?? null })
    .execute()
  await announce(trx, [{ topic: 'clock', key: '' }])
}
