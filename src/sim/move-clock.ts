import { type AuditEntry, appendAudit } from '../audit/append.ts'
import { applyShift, type TimeShift, type TravelClock, wireTime } from '../core/clock.ts'
import { invalid } from '../core/problem.ts'
import type { Trx } from '../database/open.ts'
import { type ClockChange, changedShift, checkClockChange } from './rules/clock-change.ts'
import { lockShift, writeShift } from './store/clock.ts'

/** The clock after a change, from the clock before it and real time. */
export type ClockDecision = (shift: TimeShift, real: Temporal.Instant) => TimeShift

export const decideChange =
  (change: ClockChange): ClockDecision =>
  (shift, real) => {
    const errors = checkClockChange(change, shift, real)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return changedShift(change, shift, real)
  }

/** Changes the clock and writes it to the audit log. Every node follows after the commit. */
export async function moveClock(
  trx: Trx,
  clock: TravelClock,
  decide: ClockDecision,
  actor: Pick<AuditEntry, 'user' | 'session' | 'address' | 'app'>,
) {
  const before = await lockShift(trx)
  const real = clock.real.now()
  const after = decide(before, real)
  const [from, to] = [applyShift(before, real), applyShift(after, real)]
  await writeShift(trx, after)
  const detail = { from: wireTime(from), to: wireTime(to), frozen: after.frozenAt !== undefined }
  await appendAudit(trx, { at: from, kind: 'ClockChanged', ...actor, detail })
  return { after, from, to }
}
