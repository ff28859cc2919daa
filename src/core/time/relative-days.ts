import { didYouMean } from '../text.ts'
import { dayText, epochDay } from './days.ts'

/** Days on which an exchange is closed, besides Saturdays and Sundays, as epoch days. */
export type ClosedDays = ReadonlySet<number>

const noClosedDays: ClosedDays = new Set()

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekday = weekdays.join('|')
const step = `[+-]\\d{1,4}[bmy]?|\\/(?:end|[1-5](?:${weekday})|\\d{1,2})|[<>](?:${weekday})`
const stepPattern = new RegExp(step, 'g')
const dayPattern = new RegExp(
  `^@([A-Za-z0-9_.]{1,32}?)??((?:${step}){0,8})(?:(T(?:[01]\\d|2[0-3]):[0-5]\\d)(:[0-5]\\d)?Z)?$`,
)

const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

export const isBusinessDay = (day: number, closed: ClosedDays): boolean => weekdayOf(day) < 5 && !closed.has(day)

/** Moves to a business day first, in the direction of the sign; then counts. */
function addBusinessDays(from: number, direction: 1 | -1, count: number, closed: ClosedDays): number {
  let day = from
  let left = count
  while (left > 0 || !isBusinessDay(day, closed)) {
    if (isBusinessDay(day, closed)) left--
    day += direction
  }
  return day
}

const dateOf = (day: number): Temporal.PlainDate => Temporal.PlainDate.from(dayText(day))

const addCalendar = (day: number, duration: Temporal.DurationLike): number =>
  epochDay(dateOf(day).add(duration).toString())

/** The 15th, the last day, or the third Friday (3fri) of the month of a day. */
function dayOfMonth(day: number, which: string): number {
  const date = dateOf(day)
  const first = day - date.day + 1
  if (which === 'end') return first + date.daysInMonth - 1
  const nth = Number.parseInt(which, 10)
  if (/^\d+$/.test(which)) return first + Math.min(Math.max(nth, 1), date.daysInMonth) - 1
  return onOrAfter(first, which.slice(1)) + (nth - 1) * 7
}

const onOrAfter = (day: number, name: string): number => day + ((weekdays.indexOf(name) - weekdayOf(day) + 7) % 7)
const onOrBefore = (day: number, name: string): number => day - ((weekdayOf(day) - weekdays.indexOf(name) + 7) % 7)

/** Takes steps such as `+1m/3fri-0b` from a day, left to right (§9.4). */
export function takeSteps(from: number, steps: string, closed: ClosedDays = noClosedDays): number {
  return steps.match(stepPattern)?.reduce((day, text) => takeStep(day, text, closed), from) ?? from
}

function takeStep(day: number, text: string, closed: ClosedDays): number {
  const [sign, rest] = [text.charAt(0), text.slice(1)]
  if (sign === '/') return dayOfMonth(day, rest)
  if (sign === '<') return onOrBefore(day, rest)
  if (sign === '>') return onOrAfter(day, rest)
  const count = Number.parseInt(rest, 10)
  const direction = sign === '+' ? 1 : -1
  if (rest.endsWith('b')) return addBusinessDays(day, direction, count, closed)
  if (rest.endsWith('m')) return addCalendar(day, { months: direction * count })
  if (rest.endsWith('y')) return addCalendar(day, { years: direction * count })
  return day + direction * count
}

const formReason =
  'Must be a date or a relative day: @+12 (days from the day of loading), @-3b (business days), @NYSE+2b (trading days ' +
  'of an exchange), @+1m/3fri (third Friday of next month); with T16:00Z at the end for a time. Or a time relative to the ' +
  'time of loading: @now+45min, @now-2h.'

const momentPattern = /^@now(?:([+-]\d{1,4})(min|h))?$/

/** Resolves `@now`, `@now+45min` or `@now-2h` to a date-time in whole seconds (§9.4). Undefined for anything else. */
export function resolveMoment(text: string, now: Temporal.Instant): string | undefined {
  const [matched, count = '0', unit] = momentPattern.exec(text) ?? []
  if (matched === undefined) return undefined
  const moved = now.add(unit === 'h' ? { hours: Number(count) } : { minutes: Number(count) })
  return moved.toString({ smallestUnit: 'second' })
}

/** Resolves `@+12`, `@-3b` or `@NYSE+2bT16:00Z` to a date or date-time, or returns the reason why it cannot (§9.4). */
export function resolveDay(
  text: string,
  today: number,
  closedDays: ReadonlyMap<string, ClosedDays>,
): Readonly<{ text: string } | { reason: string }> {
  const [matched, exchangeId, steps = '', time, seconds = ':00'] = dayPattern.exec(text) ?? []
  if (matched === undefined) return { reason: formReason }
  const closed = exchangeId === undefined ? noClosedDays : closedDays.get(exchangeId)
  if (!closed) {
    const hint = didYouMean([...closedDays.keys()], exchangeId)
    return { reason: `There is no exchange ${exchangeId}.${hint} Import an exchange before the records that name it.` }
  }
  const day = dayText(takeSteps(today, steps, closed))
  return { text: time === undefined ? day : `${day}${time}${seconds}Z` }
}
