import type { TradingSchedule } from '../api/schema.ts'
import type { ExchangeRecord } from '../import/schema.ts'

type Sessions = TradingSchedule['Sessions']

/** From the present session through the closure that ends the trading that is under way or comes next; all that the
 *  schedule has, where it does not close. */
export function tradingAtHand(sessions: Sessions): Sessions {
  const end = sessions.findIndex(({ State }, index) => index > 0 && State === 'Closed')
  return end < 0 ? sessions : sessions.slice(0, end + 1)
}

/** An exchange as GET /ref/v1/exchanges tells of it; its times are those of its trading schedule. */
export function exchangeView(record: ExchangeRecord, { Sessions, ...zone }: TradingSchedule) {
  const { CountryCode, Currency, ExchangeId, Mic, Name } = record
  return {
    AllDay: Sessions.every(({ State }) => State === 'AutomatedTrading'),
    CountryCode,
    ...(Currency !== undefined && { Currency }),
    ExchangeId,
    ExchangeSessions: tradingAtHand(Sessions),
    ...(Mic !== undefined && { Mic }),
    Name,
    ...zone,
  }
}
