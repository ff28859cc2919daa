import type { ExchangeRecord } from '../../instruments/import/schema.ts'
import type { NamedDay, TimedDay, YearDays } from './holidays.ts'
import {
  brazil,
  canada,
  commodityFutures,
  currencies,
  equityFutures,
  rateFutures,
  usShares,
} from './holidays-americas.ts'
import { australia, hongKong, japan, singapore } from './holidays-asia-pacific.ts'
import {
  copenhagen,
  englishBanks,
  eurex,
  euronext,
  london,
  luxembourgBanks,
  madrid,
  milan,
  southAfrica,
  stockholm,
  xetra,
  zurich,
} from './holidays-europe.ts'

type Hours = ExchangeRecord['Hours']
type Weekday = Hours[number]['Days'][number]
type Plan = readonly [
  id: string,
  mic: string | undefined,
  name: string,
  country: string,
  zone: string,
  hours: Hours,
  days?: (year: number) => YearDays,
]

const weekdayNames: readonly Weekday[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const workdays = (): Weekday[] => weekdayNames.slice(0, 5)

/** "09:00-11:30", "12:30-15:30": continuous trading, without the auctions around it. */
function daily(...periods: string[]): Hours {
  return periods.map((period) => ({ Days: workdays(), Start: period.slice(0, 5), End: period.slice(6) }))
}

/** From an evening, Sunday's being the first, to the next day. */
function overnight(Start: string, End: string): Hours {
  return [{ Days: workdays(), Start, End, StartsDayBefore: true }]
}

const aroundTheClock: Hours = [{ Days: [...weekdayNames], Start: '00:00', End: '24:00' }]
const wallStreet = daily('09:30-16:00')
const continental = daily('09:00-17:30')
/** CME Globex rests for an hour at 16:00, Chicago time. */
const globex = overnight('17:00', '16:00')
/** The grains and oilseeds of the Chicago Board of Trade, which keep hours of their own. */
export const grainHours: Hours = [...overnight('19:00', '07:45'), ...daily('08:30-13:20')]

const [newYork, chicago] = ['America/New_York', 'America/Chicago']

const plans: readonly Plan[] = [
  ['NASDAQ', 'XNAS', 'NASDAQ', 'US', newYork, wallStreet, usShares],
  ['NYSE', 'XNYS', 'New York Stock Exchange', 'US', newYork, wallStreet, usShares],
  ['NYSE_ARCA', 'ARCX', 'New York Stock Exchange (ARCA)', 'US', newYork, wallStreet, usShares],
  ['CBOE', 'XCBO', 'Cboe Options Exchange', 'US', newYork, wallStreet, usShares],
  ['CME', 'XCME', 'Chicago Mercantile Exchange', 'US', chicago, globex, equityFutures],
  ['CBOT', 'XCBT', 'Chicago Board of Trade', 'US', chicago, globex, rateFutures],
  ['NYMEX', 'XNYM', 'New York Mercantile Exchange', 'US', chicago, globex, commodityFutures],
  ['COMEX', 'XCEC', 'Commodity Exchange (COMEX)', 'US', chicago, globex, commodityFutures],
  ['TSX', 'XTSE', 'Toronto Stock Exchange', 'CA', 'America/Toronto', wallStreet, canada],
  ['BVMF', 'BVMF', 'B3 - Brasil, Bolsa, Balcão', 'BR', 'America/Sao_Paulo', daily('10:00-18:00'), brazil],
  ['LSE', 'XLON', 'London Stock Exchange', 'GB', 'Europe/London', daily('08:00-16:30'), london],
  ['PAR', 'XPAR', 'Euronext Paris', 'FR', 'Europe/Paris', continental, euronext],
  ['AMS', 'XAMS', 'Euronext Amsterdam', 'NL', 'Europe/Amsterdam', continental, euronext],
  ['XETRA', 'XETR', 'Deutsche Börse (Xetra)', 'DE', 'Europe/Berlin', continental, xetra],
  ['EUREX', 'XEUR', 'Eurex Deutschland', 'DE', 'Europe/Berlin', daily('01:10-22:00'), eurex],
  ['MIL', 'XMIL', 'Euronext Milan (Borsa Italiana)', 'IT', 'Europe/Rome', continental, milan],
  ['BME', 'XMAD', 'Bolsa de Madrid (BME)', 'ES', 'Europe/Madrid', continental, madrid],
  ['SIX', 'XSWX', 'SIX Swiss Exchange', 'CH', 'Europe/Zurich', continental, zurich],
  ['CPH', 'XCSE', 'Nasdaq Copenhagen', 'DK', 'Europe/Copenhagen', daily('09:00-17:00'), copenhagen],
  ['STO', 'XSTO', 'Nasdaq Stockholm', 'SE', 'Europe/Stockholm', continental, stockholm],
  ['JSE', 'XJSE', 'Johannesburg Stock Exchange', 'ZA', 'Africa/Johannesburg', daily('09:00-17:00'), southAfrica],
  ['TYO', 'XTKS', 'Tokyo Stock Exchange', 'JP', 'Asia/Tokyo', daily('09:00-11:30', '12:30-15:30'), japan],
  ['HKEX', 'XHKG', 'Hong Kong Exchanges', 'HK', 'Asia/Hong_Kong', daily('09:30-12:00', '13:00-16:00'), hongKong],
  ['ASX', 'XASX', 'Australian Securities Exchange', 'AU', 'Australia/Sydney', daily('10:00-16:00'), australia],
  ['SGX', 'XSES', 'Singapore Exchange', 'SG', 'Asia/Singapore', daily('09:00-12:00', '13:00-17:00'), singapore],
  // Markets without a floor or a MIC. Currencies change day at 17:00 in New York; crypto is nowhere and never closes.
  ['FX', undefined, 'Interbank Foreign Exchange', 'US', newYork, overnight('17:00', '17:00'), currencies],
  ['CRYPTO', undefined, 'Crypto Assets', 'ZZ', 'Etc/UTC', aroundTheClock],
  ['BONDS', undefined, 'Over the Counter Bonds', 'GB', 'Europe/London', daily('08:00-17:00'), englishBanks],
  ['FUNDS', undefined, 'Mutual Funds', 'LU', 'Europe/Luxembourg', daily('09:00-17:00'), luxembourgBanks],
]

/** What most is traded in at the exchanges of a country; where it is none of these, in euro. */
const currencyOf: Readonly<Record<string, string>> = {
  ...{ US: 'USD', CA: 'CAD', BR: 'BRL', GB: 'GBP', CH: 'CHF', DK: 'DKK', SE: 'SEK', ZA: 'ZAR' },
  ...{ JP: 'JPY', HK: 'HKD', AU: 'AUD', SG: 'SGD', ZZ: 'USD' },
}

/** The exchanges of the demo, with what is out of the ordinary from the year before today's through the second after it. */
export function demoExchanges(today: Temporal.PlainDate): ExchangeRecord[] {
  const years = [-1, 0, 1, 2].map((offset) => today.year + offset)
  return plans.map((plan) => exchangeOf(plan, years))
}

function exchangeOf([id, mic, name, country, zone, hours, days]: Plan, years: number[]): ExchangeRecord {
  const all = days ? years.map(days) : []
  const isTraded = ({ date }: NamedDay) =>
    hours.some(({ Days }) => Days.some((weekday) => weekday === weekdayNames[date.dayOfWeek - 1]))
  const holidays = inOrder(all.flatMap((year) => year.holidays).filter(isTraded))
  const closed = new Set(holidays.map(({ date }) => date.toString()))
  const special = (list: TimedDay[]) => inOrder(list.filter((day) => isTraded(day) && !closed.has(day.date.toString())))
  const closes = special(all.flatMap((year) => year.earlyCloses ?? []))
  const opens = special(all.flatMap((year) => year.lateOpens ?? []))
  return {
    ExchangeId: id,
    Name: name,
    PriceSourceName: name,
    CountryCode: country,
    Currency: currencyOf[country] ?? 'EUR',
    ...(mic && { Mic: mic }),
    TimeZone: zone,
    Hours: hours,
    ...(days && { Holidays: holidays.map((day) => ({ Date: day.date.toString(), Name: day.name })) }),
    ...(closes.length > 0 && {
      EarlyCloses: closes.map((day) => ({ Date: day.date.toString(), Close: day.time, Name: day.name })),
    }),
    ...(opens.length > 0 && {
      LateOpens: opens.map((day) => ({ Date: day.date.toString(), Open: day.time, Name: day.name })),
    }),
  }
}

/** By date, each date once: of two holidays on one day the first that the rules name. */
function inOrder<T extends NamedDay>(days: T[]): T[] {
  const byDate = new Map(days.toReversed().map((day) => [day.date.toString(), day]))
  return [...byDate.values()].sort((one, other) => Temporal.PlainDate.compare(one.date, other.date))
}

/** The days on which an exchange does not trade though its weekday would, as YYYY-MM-DD: no expiry is placed there. */
export function tradingHolidays(exchange: ExchangeRecord): Set<string> {
  return new Set((exchange.Holidays ?? []).map((holiday) => holiday.Date))
}
