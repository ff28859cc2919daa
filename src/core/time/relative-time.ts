import { plural } from '../text.ts'

/** Each unit, its seconds, and from how many on the next one is precise enough. */
const units = [
  ['minute', 60, 90],
  ['hour', 3_600, 48],
  ['day', 86_400, 45],
  ['month', 2_592_000, 18],
] as const
const yearSeconds = 31_536_000

/** `in 2 hours`, `4 minutes ago`, `now`: rounded. `largest` keeps the days until a deadline from becoming months. */
export function relativeTime(milliseconds: number, largest: 'day' | 'year' = 'year'): string {
  const seconds = Math.abs(milliseconds) / 1000
  if (seconds < 60) return 'now'
  const [unit, size] = units.find(([unit, size, next]) => unit === largest || Math.round(seconds / size) < next) ?? [
    'year',
    yearSeconds,
  ]
  const text = plural(Math.round(seconds / size), unit)
  return milliseconds > 0 ? `in ${text}` : `${text} ago`
}
