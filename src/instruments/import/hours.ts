import type { Fault } from './checks.ts'
import { type Hours, weekdays } from './schema.ts'

const [day, week] = [24 * 60, 7 * 24 * 60]

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** A period with a time in it that another has too would be two sessions at once. */
export function refuseHours(hours: Hours | undefined, fault: Fault): void {
  let isPlain = true
  for (const [index, { Days, Start, End, StartsDayBefore }] of (hours ?? []).entries()) {
    const tell: Fault = (field, reason) => {
      isPlain = false
      fault(`Hours[${index}].${field}`, reason)
    }
    if (Start >= End && StartsDayBefore !== true)
      tell('End', 'Must be later than Start, unless StartsDayBefore is true.')
    if (new Set(Days).size < Days.length) tell('Days', 'Must name each day once.')
  }
  if (isPlain) refuseOverlaps(hours ?? [], fault)
}

/** All periods of a week one after the other; the first of the next week comes after the last. */
function refuseOverlaps(hours: Hours, fault: Fault): void {
  const periods = hours
    .flatMap(({ Days, Start, End, StartsDayBefore }, index) =>
      Days.map((name) => {
        const midnight = weekdays.indexOf(name) * day
        const start = midnight + minutes(Start) - (StartsDayBefore ? day : 0)
        return { index, name, start, end: midnight + minutes(End) }
      }),
    )
    .toSorted((a, b) => a.start - b.start || a.index - b.index)
  const told = new Set<number>()
  for (const [place, period] of periods.entries()) {
    const next = periods[place + 1]
    const first = periods[0]
    const nextStart = next?.start ?? (first?.start ?? 0) + week
    const later = next ?? first
    if (!later || period.end <= nextStart) continue
    const [index, other] = later.index > period.index ? [later.index, period] : [period.index, later]
    if (!told.has(index)) fault(`Hours[${index}]`, `Must not overlap Hours[${other.index}] of ${other.name}.`)
    told.add(index)
  }
}
