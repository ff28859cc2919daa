import type { ReportError } from '../../database/staging/copy.ts'
import { type Hours, weekdays } from './schema.ts'

const [day, week] = [24 * 60, 7 * 24 * 60]

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Periods must not overlap, because a market has one session at a time. */
export function checkHours(hours: Hours | undefined, reportError: ReportError): void {
  let isValid = true
  for (const [index, { Days, Start, End, StartsDayBefore }] of (hours ?? []).entries()) {
    const report: ReportError = (field, reason) => {
      isValid = false
      reportError(`Hours[${index}].${field}`, reason)
    }
    if (Start >= End && StartsDayBefore !== true)
      report('End', 'Must be later than Start, unless StartsDayBefore is true.')
    if (new Set(Days).size < Days.length) report('Days', 'Must name each day once.')
  }
  if (isValid) checkOverlaps(hours ?? [], reportError)
}

/** Compares each period of the week with the next; after the last comes the first of the next week. */
function checkOverlaps(hours: Hours, reportError: ReportError): void {
  const periods = hours
    .flatMap(({ Days, Start, End, StartsDayBefore }, index) =>
      Days.map((name) => {
        const midnight = weekdays.indexOf(name) * day
        const start = midnight + minutes(Start) - (StartsDayBefore ? day : 0)
        return { index, name, start, end: midnight + minutes(End) }
      }),
    )
    .toSorted((a, b) => a.start - b.start || a.index - b.index)
  const reported = new Set<number>()
  for (const [position, period] of periods.entries()) {
    const next = periods[position + 1]
    const first = periods[0]
    const nextStart = next?.start ?? (first?.start ?? 0) + week
    const later = next ?? first
    if (!later || period.end <= nextStart) continue
    const [index, other] = later.index > period.index ? [later.index, period] : [period.index, later]
    if (!reported.has(index)) reportError(`Hours[${index}]`, `Must not overlap Hours[${other.index}] of ${other.name}.`)
    reported.add(index)
  }
}
