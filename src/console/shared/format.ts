/** Dates, times and figures as people read them. One place, so that every page writes them alike. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export const monthName = (month: number): string => months[month - 1] ?? ''
export const weekdayName = (date: Temporal.PlainDate): string => weekdays[date.dayOfWeek - 1] ?? ''

/** The day of a Date or of a date-time that stands for a day, as the wire has them. */
export const dayOf = (wire: string): Temporal.PlainDate => Temporal.PlainDate.from(wire.slice(0, 10))

/** `18 Dec 2026` */
export function day(date: Temporal.PlainDate | string): string {
  const { day, month, year } = typeof date === 'string' ? dayOf(date) : date
  return `${day} ${monthName(month)} ${year}`
}

/** `18 Dec`, for where the year is clear. */
export function shortDay(date: Temporal.PlainDate | string): string {
  const { day, month } = typeof date === 'string' ? dayOf(date) : date
  return `${day} ${monthName(month)}`
}

const instantOf = (at: Temporal.Instant | string): Temporal.Instant =>
  typeof at === 'string' ? Temporal.Instant.from(at) : at

const two = (value: number): string => String(value).padStart(2, '0')

/** `09:30`, in a zone. */
export function time(at: Temporal.Instant | string, zone: string): string {
  const { hour, minute } = instantOf(at).toZonedDateTimeISO(zone)
  return `${two(hour)}:${two(minute)}`
}

/** `18 Dec 2026, 09:30`, in a zone. */
export function dayAndTime(at: Temporal.Instant | string, zone: string): string {
  const local = instantOf(at).toZonedDateTimeISO(zone)
  return `${day(local.toPlainDate())}, ${two(local.hour)}:${two(local.minute)}`
}

/** `New York` of America/New_York. */
export const zoneName = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

const steps: readonly (readonly [seconds: number, word: string])[] = [
  [31_536_000, 'year'],
  [2_592_000, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** `4 minutes ago`, `in 3 days`, `now`. */
export function fromNow(at: Temporal.Instant | string, now: Temporal.Instant): string {
  const seconds = Math.round((instantOf(at).epochMilliseconds - now.epochMilliseconds) / 1000)
  const [size, word] = steps.find(([size]) => Math.abs(seconds) >= size) ?? [0, '']
  if (size === 0) return 'now'
  const count = Math.floor(Math.abs(seconds) / size)
  const text = `${count} ${word}${count === 1 ? '' : 's'}`
  return seconds < 0 ? `${text} ago` : `in ${text}`
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 8 })

/** `1,234.5` */
export const figure = (value: number): string => numbers.format(value)

/** `ReduceOnly` as `Reduce only`; what is no such name stays as it is. */
export function words(name: string): string {
  if (!/^\w+$/.test(name)) return name
  const spaced = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
  return spaced.slice(0, 1) + spaced.slice(1).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}
