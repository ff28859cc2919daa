import { mapInParts } from '../../core/async/in-parts.ts'
import { epochDay } from '../../core/time/days.ts'
import type { ClosedDays } from '../../core/time/relative-days.ts'
import type { CalendarRecord, ExchangeRecord } from '../../instruments/import/schema.ts'
import { readDemoFile } from './files.ts'
import { type HolidayRule, withHolidays } from './holidays.ts'

/** The exchanges of the demo and the calendars that they and instruments share. */
export type Markets = Readonly<{ calendars: CalendarRecord[]; exchanges: ExchangeRecord[] }>

/** Other requests are served after so many: a reset reads the demo in a serving node. */
const partSize = 5

/** With holidays from the year before today's until the second year after it. */
export async function readMarkets({ year }: Temporal.PlainDate): Promise<Markets> {
  const rules = await readDemoFile<HolidayRule>('templates/holidays.ndjson')
  const calendars = await readDemoFile<CalendarRecord & { kind: string }>('calendars.ndjson')
  const exchanges = await readDemoFile<ExchangeRecord & { kind: string }>('exchanges.ndjson')
  return {
    calendars: await mapInParts(calendars, partSize, ({ kind: _, ...record }) =>
      withHolidays(record.CalendarId, record, rules, year),
    ),
    exchanges: await mapInParts(exchanges, partSize, ({ kind: _, ...record }) =>
      withHolidays(record.ExchangeId, record, rules, year),
    ),
  }
}

export function exchangeOf({ exchanges }: Markets, id: string | undefined): ExchangeRecord {
  const exchange = exchanges.find(({ ExchangeId }) => ExchangeId === id)
  if (!exchange) throw new Error(`demo/exchanges.ndjson has no exchange ${id}.`)
  return exchange
}

export type Calendar = Readonly<Pick<ExchangeRecord, 'TimeZone' | 'Hours' | 'Holidays' | 'EarlyCloses' | 'LateOpens'>>

type Traded = Readonly<{ ExchangeId?: string; CalendarId?: string }>

/** The calendar of an instrument, else that of its exchange, else the exchange's own times. */
export function calendarOf(markets: Markets, { ExchangeId, CalendarId }: Traded): Calendar {
  const exchange = exchangeOf(markets, ExchangeId)
  const id = CalendarId ?? exchange.CalendarId
  if (id === undefined) return exchange
  const calendar = markets.calendars.find((one) => one.CalendarId === id)
  if (!calendar) throw new Error(`demo/calendars.ndjson has no calendar ${id}.`)
  return calendar
}

const instantOf = (date: string, time: string, timeZone: string): string =>
  Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).toInstant().toString()

/** When an expiring contract stops trading, by a local time and its time zone; on a day that closes early, at the close
 *  at the latest. */
export function stopOn(calendar: Calendar, date: string, stops: string, halfDayStops?: string): string {
  const [time = '', timeZone = ''] = stops.split(' ')
  const early = calendar.EarlyCloses?.find(({ Date: day }) => day === date)
  if (!early) return instantOf(date, time, timeZone)
  const [usual, close] = [
    instantOf(date, halfDayStops ?? time, timeZone),
    instantOf(date, early.Close, calendar.TimeZone),
  ]
  return close < usual ? close : usual
}

const americanExchanges = ['CME', 'CBOT', 'NYMEX', 'COMEX', 'CBOE']

/** Chicago trades on some holidays of New York, but its contracts do not count them as business days. */
export function expiryClosedDays(markets: Markets, traded: Traded): ClosedDays {
  const isAmerican = americanExchanges.includes(traded.ExchangeId ?? '')
  const calendars = [calendarOf(markets, traded), ...(isAmerican ? [exchangeOf(markets, 'NYSE')] : [])]
  const holidays = calendars.flatMap(({ Holidays }) => Holidays ?? [])
  return new Set(holidays.map(({ Date: date }) => epochDay(date)))
}
