import { LRUCache } from 'lru-cache'
import { plural } from '../../core/text.ts'
import { relativeTime } from '../../core/time/relative-time.ts'
import { wallClock } from '../../core/time/wall-clock.ts'

export type Reader = Readonly<{ now: Temporal.Instant; zone: string }>

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const longMonths = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
]
export const longMonthName = (month: number): string => longMonths[month - 1] ?? ''
export const monthName = (month: number): string => months[month - 1] ?? ''
export const weekdayName = (date: Pick<Temporal.PlainDate, 'dayOfWeek'>): string => weekdays[date.dayOfWeek - 1] ?? ''

/** The date of an API value, which may be a date-time. */
export const dayOf = (wire: string): Temporal.PlainDate => days.memo(wire.slice(0, 10))

const days = new LRUCache<string, Temporal.PlainDate>({
  max: 2_000,
  memoMethod: (text) => Temporal.PlainDate.from(text),
})

/** `18 Dec 2026` */
export function day(date: Pick<Temporal.PlainDate, 'day' | 'month' | 'year'> | string): string {
  const { day, month, year } = typeof date === 'string' ? dayOf(date) : date
  return `${day} ${monthName(month)} ${year}`
}

/** `18 Dec` */
export function shortDay(date: Pick<Temporal.PlainDate, 'day' | 'month'> | string): string {
  const { day, month } = typeof date === 'string' ? dayOf(date) : date
  return `${day} ${monthName(month)}`
}

/** `18 Dec` in the given year, `18 Dec 2027` in any other. */
export const dayIn = (year: number, date: Temporal.PlainDate): string =>
  date.year === year ? shortDay(date) : day(date)

const instantOf = (at: Temporal.Instant | string): Temporal.Instant =>
  typeof at === 'string' ? Temporal.Instant.from(at) : at

export const two = (value: number): string => String(value).padStart(2, '0')

/** `09:30` in a time zone. */
export function time(at: Temporal.Instant | string, zone: string): string {
  const { hour, minute } = wallClock(instantOf(at), zone)
  return `${two(hour)}:${two(minute)}`
}

/** `18 Dec 2026, 09:30` in a time zone. */
export function dayAndTime(at: Temporal.Instant | string, zone: string): string {
  const instant = instantOf(at)
  return `${day(wallClock(instant, zone).date)}, ${time(instant, zone)}`
}

/** `New York` for America/New_York. */
export const zoneName = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** `4 minutes ago`, `in 3 days`, `now`. */
export const fromNow = (at: Temporal.Instant | string, now: Temporal.Instant): string =>
  relativeTime(instantOf(at).epochMilliseconds - now.epochMilliseconds)

/** `in 3 days`, `tomorrow`, `2 days ago`: calendar days between two dates. */
export function daysFromToday(today: Temporal.PlainDate, date: Temporal.PlainDate): string {
  const { days } = today.until(date, { largestUnit: 'days' })
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  return days > 0 ? `in ${days} days` : `${plural(-days, 'day')} ago`
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 8 })

/** `1,234.5` */
export const figure = (value: number): string => numbers.format(value)

/** `Reduce only` for `ReduceOnly`. Text that is not such a name is unchanged. */
export function words(name: string): string {
  if (!/^\w+$/.test(name)) return name
  const spaced = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return spaced.slice(0, 1) + spaced.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The items by key, in the order of their first item. No group is empty. */
export const groupsOf = <Item>(items: readonly Item[], keyOf: (item: Item) => string): [Item, ...Item[]][] =>
  [...Map.groupBy(items, keyOf).values()] as [Item, ...Item[]][]
