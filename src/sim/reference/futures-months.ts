import type { ExchangeRecord } from '../../instruments/import/schema.ts'
import { monthsFrom, type TradingCalendar, tradingCalendar } from './expiries.ts'
import type { FuturesSpace } from './futures-spaces.ts'

/** A delivery month and the last day on which it is traded. */
export type FuturesMonth = { month: Temporal.PlainYearMonth; expiry: Temporal.PlainDate }

export const monthCodes = 'FGHJKMNQUVXZ'
const americanExchanges = ['CME', 'CBOT', 'NYMEX', 'COMEX', 'CBOE']

/** Chicago and its sisters trade on some days on which New York is closed, but count them as no business days. */
export function expiryCalendar(exchanges: ExchangeRecord[], exchangeId: string): TradingCalendar {
  return tradingCalendar(exchanges, exchangeId, ...(americanExchanges.includes(exchangeId) ? ['NYSE'] : []))
}

export function monthCode(month: Temporal.PlainYearMonth): string {
  return monthCodes.charAt(month.month - 1)
}

/** ESZ6 is the E-mini of December 2026. */
export function futureSymbol({ code }: FuturesSpace, month: Temporal.PlainYearMonth): string {
  return `${code}${monthCode(month)}${month.year % 10}`
}

/** The contract that expired last, then the listed ones, by expiry. */
export function futuresMonths(
  space: FuturesSpace,
  calendar: TradingCalendar,
  today: Temporal.PlainDate,
): FuturesMonth[] {
  const halfYearAgo = today.toPlainYearMonth().subtract({ months: 6 })
  const delivered = monthsFrom(halfYearAgo, 12 * (Math.ceil(space.listed / space.cycle.length) + 2))
    .filter((month) => space.cycle.includes(monthCode(month)))
    .slice(0, space.listed + space.cycle.length)
    .map((month) => ({ month, expiry: space.rule.lastTrade(calendar, month) }))
  const firstListed = delivered.findIndex(({ expiry }) => Temporal.PlainDate.compare(expiry, today) >= 0)
  return delivered.slice(firstListed - 1, firstListed + space.listed)
}
