import { friday, isTradingDay, lastTradingDay, onOrBefore, thirdWednesday, tradingDaysBefore } from './expiries.ts'
import type { MonthRule } from './futures-rules.ts'
import { crudeOil, equityIndex, naturalGas } from './futures-rules.ts'

/** Options on futures are named by a month too. Serial months deliver the next future there is. */
export type FuturesOptionRule = { lastTrade: MonthRule; optionMonths: string; listed: number }

const oneMonth = { months: 1 }

/** With the future, whose price is fixed at the opening of the third Friday. */
export const withEquityIndexFuture: MonthRule = equityIndex.lastTrade

/** Three business days before the future. */
export const beforeCrudeOil: MonthRule = (calendar, month) =>
  tradingDaysBefore(calendar, crudeOil.lastTrade(calendar, month), 3)

export const beforeNaturalGas: MonthRule = (calendar, month) =>
  tradingDaysBefore(calendar, naturalGas.lastTrade(calendar, month), 1)

/** The fourth last business day of the month before; a day earlier if that is a Friday or the eve of a holiday. */
export const beforeMetalMonth: MonthRule = (calendar, month) => {
  const day = tradingDaysBefore(calendar, lastTradingDay(calendar, month.subtract(oneMonth)), 3)
  const lastsOverNight = day.dayOfWeek < friday && isTradingDay(calendar, day.add({ days: 1 }))
  return lastsOverNight ? day : tradingDaysBefore(calendar, day, 1)
}

/** The last Friday that is at least two business days ahead of the last business day of the month before. */
export const beforeDeliveryNotice: MonthRule = (calendar, month) => {
  const latest = tradingDaysBefore(calendar, lastTradingDay(calendar, month.subtract(oneMonth)), 2)
  return onOrBefore(calendar, latest.subtract({ days: (latest.dayOfWeek - friday + 7) % 7 }))
}

/** The second Friday before the third Wednesday. */
export const beforeCurrencyDelivery: MonthRule = (calendar, month) =>
  onOrBefore(calendar, thirdWednesday(month).subtract({ days: 12 }))

/** The options that end with a month. */
export const withMonth: MonthRule = lastTradingDay
