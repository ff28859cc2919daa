import { type ClosedDays, isBusinessDay, takeSteps } from '../../core/time/relative-days.ts'
import { firstDayOf, monthCode, monthOf, monthsFrom } from './months.ts'

/** Which expiries of an underlying are listed. Monthlies are on third Fridays. */
export type Schedule = Readonly<{
  /** Every business day of the next days. */
  Days?: number
  /** The next Fridays. */
  Fridays?: number
  /** The next monthlies. */
  Months?: number
  /** After those, the next of a cycle: its first month (1, 2 or 3) and how many. */
  Cycle?: readonly [first: number, count: number]
  /** The last business days of the quarters in the next quarters. */
  QuarterEnds?: number
  /** The monthly of this month of every year, up to so many months ahead. */
  Yearly?: readonly [month: number, monthsAhead: number]
  /** The Friday before, too. */
  Expired?: boolean
  Monthly?: 'volatility'
}>

/** Options on futures expire by month, some of them a day earlier if the next day is closed. */
export type FuturesSchedule = Readonly<{
  FuturesMonths: string
  Listed: number
  LastTrade: string
  NotBeforeClosedDay?: boolean
}>

export function expiriesOf(schedule: Schedule, closed: ClosedDays, today: number): number[] {
  const { Days = 0, Fridays = 0, QuarterEnds = 0, Expired = false } = schedule
  const lastFriday = takeSteps(today, '-1<fri')
  const fridays = monthsFrom(1, Fridays).map((week) => takeSteps(lastFriday + 7 * week, '-0b', closed))
  const days = monthsFrom(today, Days).filter((day) => isBusinessDay(day, closed))
  const quarterEnds = monthsFrom(monthOf(today), QuarterEnds * 3)
    .filter((month) => month % 3 === 2)
    .map((month) => takeSteps(firstDayOf(month), '/end-0b', closed))
  const listed = [...monthlies(schedule, closed, today), ...fridays, ...days, ...quarterEnds].filter(
    (day) => day >= today,
  )
  const passed = Expired ? [takeSteps(lastFriday, '-0b', closed)] : []
  return [...new Set([...passed, ...listed])].sort((one, other) => one - other)
}

function monthlies({ Months = 0, Cycle, Yearly, Monthly }: Schedule, closed: ClosedDays, today: number): number[] {
  const expiryIn = (month: number) =>
    Monthly ? volatilityExpiry(month, closed) : takeSteps(firstDayOf(month), '/3fri-0b', closed)
  const thisMonth = monthOf(today)
  const months = monthsFrom(expiryIn(thisMonth) < today ? thisMonth + 1 : thisMonth, 40)
  const [first = 0, count = 0] = Cycle ?? []
  const inCycle = months.slice(Months).filter((month) => (month + 1) % 3 === first % 3)
  const [monthOfYear, monthsAhead = 0] = Yearly ?? []
  const yearly = months.slice(0, monthsAhead).filter((month) => (month % 12) + 1 === monthOfYear)
  return [...months.slice(0, Months), ...inCycle.slice(0, count), ...yearly].map(expiryIn)
}

/** The Wednesday 30 days before the next month's third Friday; the business day before if either is a holiday. */
function volatilityExpiry(month: number, closed: ClosedDays): number {
  const covered = takeSteps(firstDayOf(month + 1), '/3fri')
  const wednesday = covered - 30
  const isUndisturbed = isBusinessDay(covered, closed) && isBusinessDay(wednesday, closed)
  return isUndisturbed ? wednesday : takeSteps(wednesday, '-1-0b', closed)
}

/** Option months with their expiries. An option of this month or the next may have expired already. */
export function futuresExpiriesOf(schedule: FuturesSchedule, closed: ClosedDays, today: number) {
  const { FuturesMonths, Listed, LastTrade, NotBeforeClosedDay } = schedule
  return monthsFrom(monthOf(today), 40)
    .filter((month) => FuturesMonths.includes(monthCode(month)))
    .slice(0, Listed + 2)
    .map((month) => {
      const day = takeSteps(firstDayOf(month), LastTrade, closed)
      const isEarlier = NotBeforeClosedDay && !isBusinessDay(day + 1, closed)
      return { month, expiry: isEarlier ? takeSteps(day, '-1b', closed) : day }
    })
    .filter(({ expiry }) => expiry >= today)
    .slice(0, Listed)
}
