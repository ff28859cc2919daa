import { applyShift, realTime, type TimeShift } from '../../core/clock.ts'

export type ClockChange = Readonly<{
  Now?: Temporal.Instant | undefined
  AdvanceSeconds?: number | undefined
  Frozen?: boolean | undefined
}>

/** Outside these, calendars are guesses. */
const earliest = Temporal.Instant.from('1990-01-01T00:00:00Z')
const latest = Temporal.Instant.from('2100-01-01T00:00:00Z')

export function checkClockChange(
  change: ClockChange,
  shift: TimeShift,
  real: Temporal.Instant,
): Record<string, string[]> {
  const { Now, AdvanceSeconds, Frozen } = change
  const fields = Object.entries({ Now, AdvanceSeconds }).flatMap(([name, value]) => (value === undefined ? [] : name))
  const [field] = fields
  // A clock that has run past the limit by itself can still be stopped and started.
  if (field === undefined)
    return Frozen === undefined ? { Body: ['Give at least one of Now, AdvanceSeconds and Frozen.'] } : {}
  if (fields.length > 1) return { AdvanceSeconds: ['Give Now or AdvanceSeconds, not both.'] }
  return isWithinLimits(targetOf(change, shift, real))
    ? {}
    : { [field]: [`Must lead to a time from ${earliest} to ${latest}.`] }
}

/** The clock after a valid change. It stays stopped or running unless the change has `Frozen`. */
export function changedShift(change: ClockChange, shift: TimeShift, real: Temporal.Instant): TimeShift {
  const target = targetOf(change, shift, real)
  const isFrozen = change.Frozen ?? shift.frozenAt !== undefined
  return { offsetMicroseconds: microsecondsBetween(real, target), frozenAt: isFrozen ? target : undefined }
}

export function describeClock(shift: TimeShift, real: Temporal.Instant) {
  const now = applyShift(shift, real)
  const isFrozen = shift.frozenAt !== undefined
  const offset = isFrozen ? microsecondsBetween(real, now) : shift.offsetMicroseconds
  const isTravelled = isFrozen || offset !== realTime.offsetMicroseconds
  return { now, isFrozen, offsetSeconds: offset / 1e6, isTravelled }
}

function targetOf({ Now, AdvanceSeconds = 0 }: ClockChange, shift: TimeShift, real: Temporal.Instant) {
  return Now ?? applyShift(shift, real).add({ microseconds: Math.round(AdvanceSeconds * 1e6) })
}

function isWithinLimits(target: Temporal.Instant): boolean {
  return Temporal.Instant.compare(earliest, target) <= 0 && Temporal.Instant.compare(target, latest) <= 0
}

const microsecondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  from.until(to).total('microseconds')
