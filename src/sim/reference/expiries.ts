import type { ExchangeRecord } from '../../instruments/import/schema.ts'

/** The days on which nothing is settled, beside Saturdays and Sundays. */
export type TradingCalendar = ReadonlySet<string>

export const friday = 5
const wednesday = 3
const oneDay = { days: 1 }

/**
 * The calendar by which contracts of an exchange expire: its own holidays, and those of every exchange that is named
 * besides. (Chicago trades for half a day on Thanksgiving, but no contract counts it as a business day.)
 */
export function tradingCalendar(exchanges: ExchangeRecord[], ...exchangeIds: string[]): TradingCalendar {
  const named = exchanges.filter((exchange) => exchangeIds.includes(exchange.ExchangeId))
  return new Set(named.flatMap((exchange) => (exchange.Holidays ?? []).map((holiday) => holiday.Date)))
}

export function isTradingDay(calendar: TradingCalendar, day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= friday && !calendar.has(day.toString())
}

/** The day itself, or the trading day before. */
export function onOrBefore(calendar: TradingCalendar, day: Temporal.PlainDate): Temporal.PlainDate {
  let candidate = day
  while (!isTradingDay(calendar, candidate)) candidate = candidate.subtract(oneDay)
  return candidate
}

/** The day itself, or the trading day after. */
export function onOrAfter(calendar: TradingCalendar, day: Temporal.PlainDate): Temporal.PlainDate {
  let candidate = day
  while (!isTradingDay(calendar, candidate)) candidate = candidate.add(oneDay)
  return candidate
}

export function tradingDaysBefore(calendar: TradingCalendar, day: Temporal.PlainDate, count: number) {
  let candidate = day
  for (let left = count; left > 0; left--) candidate = onOrBefore(calendar, candidate.subtract(oneDay))
  return candidate
}

export function tradingDaysAfter(calendar: TradingCalendar, day: Temporal.PlainDate, count: number) {
  let candidate = day
  for (let left = count; left > 0; left--) candidate = onOrAfter(calendar, candidate.add(oneDay))
  return candidate
}

/** The first (1), second (2) ... Monday (1) to Sunday (7) of a month. */
export function nthWeekday(month: Temporal.PlainYearMonth, nth: number, weekday: number): Temporal.PlainDate {
  const first = month.toPlainDate({ day: 1 })
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + (nth - 1) * 7 })
}

/** The day on which monthly options and equity index futures expire; the day before when it is a holiday. */
export function thirdFriday(calendar: TradingCalendar, month: Temporal.PlainYearMonth): Temporal.PlainDate {
  return onOrBefore(calendar, nthWeekday(month, 3, friday))
}

export function thirdWednesday(month: Temporal.PlainYearMonth): Temporal.PlainDate {
  return nthWeekday(month, 3, wednesday)
}

export function lastTradingDay(calendar: TradingCalendar, month: Temporal.PlainYearMonth): Temporal.PlainDate {
  return onOrBefore(calendar, month.toPlainDate({ day: month.daysInMonth }))
}

/** This month and those that follow, `count` of them. */
export function monthsFrom(first: Temporal.PlainYearMonth, count: number): Temporal.PlainYearMonth[] {
  return Array.from({ length: count }, (_, months) => first.add({ months }))
}

/** When trading stops at a local time of a day, in UTC, as an instant is written on the wire. */
export function instantOf(day: Temporal.PlainDate, time: string, timeZone: string): string {
  return day
    .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
    .toInstant()
    .toString()
}
