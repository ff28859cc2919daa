import { dayText } from '../../core/time/days.ts'
import type { Hours } from '../import/schema.ts'
import { currenciesIn } from '../rules/currency-pairs.ts'
import { type Calendar, isOpenDay } from '../rules/trading-day.ts'
import { forwardRange, type PairCalendar, pairCalendar } from '../rules/value-dates.ts'
import type { Calendars } from './calendars.ts'

/** What an instrument or option root has instead of the times of its exchange, and what its value dates depend on. */
type OwnTimes = Readonly<{ Hours?: Hours; CalendarId?: string; SpotDays?: number; Currencies?: readonly string[] }>

type Timed = Readonly<{ Hours?: Hours; CalendarId?: string; SpotDays?: number }>

/** As JSON; empty if it has none. Records with equal times share one text. */
export function ownTimesText({ Hours, CalendarId, SpotDays }: Timed, symbol = ''): string {
  if (Hours === undefined && CalendarId === undefined && SpotDays === undefined) return ''
  const times: OwnTimes = {
    ...(Hours && { Hours }),
    ...(CalendarId !== undefined && { CalendarId }),
    ...(SpotDays !== undefined && { SpotDays, Currencies: currenciesIn(symbol) ?? [] }),
  }
  return JSON.stringify(times)
}

/** Own hours replace those of the own calendar, or of the exchange. */
export function calendarWith(text: string, ofExchange: Calendar, calendars: Calendars): Calendar {
  if (text === '') return ofExchange
  const { Hours, CalendarId }: OwnTimes = JSON.parse(text)
  const calendar = calendars.get(CalendarId) ?? ofExchange
  return Hours ? { ...calendar, Hours } : calendar
}

/** Undefined for what has no value dates. */
export function pairWith(text: string, calendar: Calendar, calendars: Calendars): PairCalendar | undefined {
  if (text === '') return undefined
  const { SpotDays, Currencies = [] }: OwnTimes = JSON.parse(text)
  if (SpotDays === undefined) return undefined
  return pairCalendar(Currencies, SpotDays, isOpenDay(calendar), (currency, day) => calendars.settlesOn(currency, day))
}

export function valueDatesText(pair: PairCalendar, today: number): string {
  const { first, last } = forwardRange(pair, today)
  const [spot, latest] = [dayText(first), dayText(last)]
  return `"FxForwardMaxForwardDate":"${latest}","FxForwardMinForwardDate":"${spot}","FxSpotDate":"${spot}T00:00:00Z",`
}
