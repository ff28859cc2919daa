import { dayText, epochDay } from '../../core/time/days.ts'

type IsDay = (day: number) => boolean

/** What the value dates of a currency pair depend on. Days are counted from 1970-01-01. */
export type PairCalendar = Readonly<{
  /** Days from the trade to the spot date: 2, or 1 for pairs such as USDCAD. */
  spotDays: number
  /** Whether the pair is traded on a day. */
  trades: IsDay
  /** Whether a day counts towards the spot date: every currency but the dollar settles. */
  counts: IsDay
  /** Whether a trade can settle on a day: both currencies and the dollar do. */
  settles: IsDay
}>

export type Tenor = Readonly<{ unit: 'Days' | 'Weeks' | 'Months' | 'Years'; value: number }>

const dollar = 'USD'
const daysPer = { Days: 1, Weeks: 7 }
const monthsPer = { Months: 1, Years: 12 }
/** A calendar without open days must not hang the service. */
const maxReach = 400

/** A holiday of the dollar does not delay the count, but nothing settles on it, crosses included (§6.2). */
export function pairCalendar(
  currencies: readonly string[],
  spotDays: number,
  trades: IsDay,
  settlesOn: (currency: string, day: number) => boolean,
): PairCalendar {
  const counted = currencies.filter((currency) => currency !== dollar)
  const counts: IsDay = (day) => counted.every((currency) => settlesOn(currency, day))
  return { spotDays, trades, counts, settles: (day) => counts(day) && settlesOn(dollar, day) }
}

/** The value date of a spot trade made today, or on the next day on which the pair is traded. */
export function spotDate({ spotDays, trades, counts, settles }: PairCalendar, today: number): number {
  let day = nearest(today, 1, trades)
  for (let count = 0; count < spotDays; count++) day = nearest(day + 1, 1, counts)
  return nearest(day, 1, settles)
}

/** The value date of a forward. Months end on the same day of a later month, on the next settlement day in that month or
 *  else the one before; from the last settlement day of a month, on the last of the later month. */
export function forwardDate(pair: PairCalendar, today: number, { unit, value }: Tenor): number {
  const { settles } = pair
  const spot = spotDate(pair, today)
  if (unit === 'Days' || unit === 'Weeks') return nearest(spot + daysPer[unit] * value, 1, settles)
  const target = addMonths(spot, monthsPer[unit] * value)
  const isLastOfMonth = monthOf(nearest(spot + 1, 1, settles)) !== monthOf(spot)
  if (isLastOfMonth) return nearest(lastOfMonth(target), -1, settles)
  const next = nearest(target, 1, settles)
  return monthOf(next) === monthOf(target) ? next : nearest(target, -1, settles)
}

/** The earliest and the latest value date of a forward: the spot date and a year after it. */
export function forwardRange(pair: PairCalendar, today: number): { first: number; last: number } {
  return { first: spotDate(pair, today), last: forwardDate(pair, today, { unit: 'Years', value: 1 }) }
}

/** The expiry of an option. Days and weeks count from the trade day; months and years from the spot date to the delivery,
 *  which is the spot date of the expiry. */
export function optionExpiry(pair: PairCalendar, today: number, tenor: Tenor): number {
  const { trades } = pair
  const { unit, value } = tenor
  if (unit === 'Days' || unit === 'Weeks') return nearest(nearest(today, 1, trades) + daysPer[unit] * value, 1, trades)
  const delivery = forwardDate(pair, today, tenor)
  return nearest(delivery, -1, (day) => trades(day) && spotDate(pair, day) <= delivery)
}

/** The day itself if it is one, else the next or the previous. */
function nearest(from: number, direction: 1 | -1, isDay: IsDay): number {
  let day = from
  for (let reach = 0; reach < maxReach && !isDay(day); reach++) day += direction
  return day
}

const dateOf = (day: number): Temporal.PlainDate => Temporal.PlainDate.from(dayText(day))
const monthOf = (day: number): string => dayText(day).slice(0, 7)
const addMonths = (day: number, months: number): number => epochDay(dateOf(day).add({ months }).toString())

function lastOfMonth(day: number): number {
  const date = dateOf(day)
  return day + date.daysInMonth - date.day
}
