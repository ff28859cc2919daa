import type { TradingSchedule } from '../api/schema.ts'
import type { ExchangeRecord } from '../import/schema.ts'

type Sessions = TradingSchedule['Sessions']

/** From the current session to the closure after the current or next trading day; all sessions if it never closes. */
export function sessionsToNextClose(sessions: Sessions): Sessions {
  const end = sessions.findIndex(({ State }, index) => index > 0 && State === 'Closed')
  return end < 0 ? sessions : sessions.slice(0, end + 1)
}

/** An exchange as listed by GET /ref/v1/exchanges (§6.6). */
export function exchangeView(record: ExchangeRecord, { Sessions, ...zone }: TradingSchedule) {
  const { CountryCode, Currency, ExchangeId, Mic, Name, PriceSourceName } = record
  return {
    AllDay: Sessions.every(({ State }) => State === 'AutomatedTrading'),
    CountryCode,
    ...(Currency !== undefined && { Currency }),
    ExchangeId,
    ExchangeSessions: sessionsToNextClose(Sessions),
    ...(Mic !== undefined && { Mic }),
    Name,
    ...(PriceSourceName !== undefined && { PriceSourceName }),
    TimeZoneId: String(zone.TimeZone),
    ...zone,
  }
}
