import {
  friday,
  isTradingDay,
  lastTradingDay,
  monthsFrom,
  nthWeekday,
  onOrBefore,
  type TradingCalendar,
  thirdFriday,
  tradingDaysBefore,
} from './expiries.ts'

/** Which expiries of an underlying an exchange lists. Those on third Fridays are the monthlies. */
export type Schedule = {
  /** Every trading day of the days that follow. */
  days?: number
  /** Every Friday of the weeks that follow. */
  weeks?: number
  /** The next monthlies, one after another. */
  months?: number
  /** After those, the next of a cycle: January (1), February (2) or March (3), and every third month after it. */
  cycle?: { start: 1 | 2 | 3; count: number }
  /** The last trading days of the quarters that follow. */
  quarterEnds?: number
  /** The long ones: a monthly of this month in every year, as far ahead as new ones are listed. */
  yearly?: { month: number; monthsAhead: number }
  /** The Friday that has passed, too. */
  expired?: true
  monthly?: (calendar: TradingCalendar, month: Temporal.PlainYearMonth) => Temporal.PlainDate
}

/** New LEAPS are added in September, for the January but one that follows. */
export const leaps = { month: 1, monthsAhead: 28 }

/** All expiries of a schedule from today on, by date. */
export function expiriesOf(schedule: Schedule, calendar: TradingCalendar, today: Temporal.PlainDate) {
  const expiries = [
    ...monthlies(schedule, calendar, today),
    ...fridays(schedule, today).map((day) => onOrBefore(calendar, day)),
    ...nextDays(schedule, today).filter((day) => isTradingDay(calendar, day)),
    ...quarterEnds(schedule, calendar, today),
  ]
  const passed = schedule.expired ? [onOrBefore(calendar, lastFridayBefore(today))] : []
  const listed = expiries.filter((day) => Temporal.PlainDate.compare(day, today) >= 0)
  const distinct = new Map([...passed, ...listed].map((day) => [day.toString(), day]))
  return [...distinct.values()].sort(Temporal.PlainDate.compare)
}

function monthlies(schedule: Schedule, calendar: TradingCalendar, today: Temporal.PlainDate): Temporal.PlainDate[] {
  const { months = 0, cycle, yearly, monthly = thirdFriday } = schedule
  const thisMonth = today.toPlainYearMonth()
  const passed = Temporal.PlainDate.compare(monthly(calendar, thisMonth), today) < 0
  const [near, later] = [
    monthsFrom(passed ? thisMonth.add({ months: 1 }) : thisMonth, 40),
    [] as Temporal.PlainYearMonth[],
  ]
  if (cycle) {
    const inCycle = (month: Temporal.PlainYearMonth) => month.month % 3 === cycle.start % 3
    later.push(...near.slice(months).filter(inCycle).slice(0, cycle.count))
  }
  if (yearly) later.push(...near.slice(0, yearly.monthsAhead).filter(({ month }) => month === yearly.month))
  return [...near.slice(0, months), ...later].map((month) => monthly(calendar, month))
}

function fridays({ weeks = 0 }: Schedule, today: Temporal.PlainDate): Temporal.PlainDate[] {
  const first = lastFridayBefore(today).add({ weeks: 1 })
  return Array.from({ length: weeks }, (_, week) => first.add({ weeks: week }))
}

function nextDays({ days = 0 }: Schedule, today: Temporal.PlainDate): Temporal.PlainDate[] {
  return Array.from({ length: days }, (_, day) => today.add({ days: day }))
}

function quarterEnds({ quarterEnds = 0 }: Schedule, calendar: TradingCalendar, today: Temporal.PlainDate) {
  const quarterMonths = monthsFrom(today.toPlainYearMonth(), quarterEnds * 3).filter(({ month }) => month % 3 === 0)
  return quarterMonths.map((month) => lastTradingDay(calendar, month))
}

function lastFridayBefore(today: Temporal.PlainDate): Temporal.PlainDate {
  return today.subtract({ days: ((today.dayOfWeek - friday + 6) % 7) + 1 })
}

/**
 * Volatility is that of the 30 days before a monthly of the S&P 500: the Wednesday that is 30 days ahead of the next
 * month's third Friday. When either is a holiday, the trading day before that Wednesday.
 */
export function volatilityExpiry(calendar: TradingCalendar, month: Temporal.PlainYearMonth): Temporal.PlainDate {
  const covered = nthWeekday(month.add({ months: 1 }), 3, friday)
  const wednesday = covered.subtract({ days: 30 })
  const undisturbed = isTradingDay(calendar, covered) && isTradingDay(calendar, wednesday)
  return undisturbed ? wednesday : tradingDaysBefore(calendar, wednesday, 1)
}
