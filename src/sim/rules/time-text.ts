import type { ClockChange } from './clock-change.ts'

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 }

/** A change of the clock as text: a time, a day (its start in UTC), a step such as +3d, `freeze` or `run`. */
export function parseTime(text: string): ClockChange | undefined {
  if (text === 'freeze') return { Frozen: true }
  if (text === 'run') return { Frozen: false }
  const [, sign, count, unit = ''] = /^([+-])(\d{1,6})([dhms])$/.exec(text) ?? []
  const seconds = secondsOf[unit]
  if (seconds !== undefined) return { AdvanceSeconds: (sign === '-' ? -1 : 1) * Number(count) * seconds }
  if (!/^\d{4}-\d\d-\d\d(T.*(Z|[+-]\d\d:\d\d))?$/.test(text)) return undefined
  try {
    return { Now: Temporal.Instant.from(text.length === 10 ? `${text}T00:00:00Z` : text) }
  } catch {
    return undefined
  }
}
