import { invalid, Problem } from '../../core/problem.ts'
import { dayText, epochDay, type Moment, monthStart } from './days.ts'
import { isExpired } from './futures-space.ts'

/** Of a series of options: its last day, and the last moment of trading by the exchange's calendar. */
export type SeriesFacts = Readonly<{ expiry: number; lastTrade?: Moment | undefined }>

export type OptionFacts = Readonly<{
  TradingStatus?: TradingStatus | undefined
  UnderlyingUic?: number | undefined
}>
type TradingStatus = 'NonTradable' | 'NotDefined' | 'ReduceOnly' | 'Tradable'

export type OptionSpaceQuery = Readonly<{
  OptionSpaceSegment: 'None' | 'DefaultDates' | 'AllDates' | 'SpecificDates' | 'UnderlyingUic'
  ExpiryDates?: readonly string[] | undefined
  UnderlyingUic?: number | undefined
  TradingStatus?: TradingStatus | undefined
}>

/** Series by expiry, the expired ones left out; today is that of the exchange's zone (contract §6). */
export function listedSeries<S extends SeriesFacts>(series: readonly S[], today: number): S[] {
  return series.filter(({ expiry }) => !isExpired(expiry, today)).sort((a, b) => a.expiry - b.expiry)
}

/** DisplayExpiry is the first day of the expiry month (contract §6). */
const displayExpiry = monthStart

/** The third Friday of the month that begins with a day: it is never before the 15th nor after the 21st. */
function thirdFriday(firstDay: number): number {
  const fifteenth = firstDay + 14
  // The first day of 1970 was a Thursday.
  const daysToFriday = (((1 - fifteenth) % 7) + 7) % 7
  return fifteenth + daysToFriday
}

/** The expiry on a month's third Friday, or on the Thursday before when none is on that Friday: it is a holiday then. */
function regularExpiry(firstDay: number, expiries: readonly number[]): number | undefined {
  const friday = thirdFriday(firstDay)
  return [friday, friday - 1].find((day) => expiries.includes(day))
}

/**
 * The monthlies among expiries in order: what expires on third Fridays. A root that never does so, or that has no more
 * than one expiry a month, as many options on futures, has the last expiry of each month as its monthly.
 */
export function monthlyExpiries(expiries: readonly number[]): number[] {
  const months = [...Map.groupBy(expiries, (expiry) => displayExpiry(expiry))]
  const regular = months.map(([month, days]) => regularExpiry(month, days)).filter((day) => day !== undefined)
  const hasOthers = months.some(([, days]) => days.length > 1)
  return hasOthers && regular.length > 0 ? regular : months.flatMap(([, days]) => days.slice(-1))
}

/** The nearest expiry and the next two monthlies (contract §6). */
function defaultExpiries(expiries: readonly number[]): number[] {
  const [nearest] = expiries
  if (nearest === undefined) return []
  const later = monthlyExpiries(expiries).filter((expiry) => expiry > nearest)
  return [nearest, ...later.slice(0, 2)]
}

const dayOrDateTime = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2}))?$/

/** The day that a date or date-time names. As written: it stands for a day, wherever on earth it is read. */
function dayNamed(text: string): number | undefined {
  const [, day, time] = dayOrDateTime.exec(text) ?? []
  try {
    if (time !== undefined) Temporal.Instant.from(text)
    return day === undefined ? undefined : epochDay(day)
  } catch {
    return undefined
  }
}

function daysAsked(texts: readonly string[] | undefined): Set<number> {
  if (texts === undefined || texts.length === 0)
    throw new Problem('ExpiryDatesMustBeSet', 'OptionSpaceSegment SpecificDates needs ExpiryDates: 2026-12-18.')
  const days = texts.map(dayNamed).filter((day) => day !== undefined)
  if (days.length === texts.length) return new Set(days)
  throw invalid({ ExpiryDates: ['Must be calendar days written YYYY-MM-DD, or date-times like 2026-12-18T00:00:00Z.'] })
}

/** The listed expiries for which options are told, by the segment of the query (§4.1, contract §6). */
export function openedExpiries(listed: readonly SeriesFacts[], query: OptionSpaceQuery): ReadonlySet<number> {
  const expiries = listed.map(({ expiry }) => expiry)
  switch (query.OptionSpaceSegment) {
    case 'None':
      return new Set()
    case 'DefaultDates':
      return new Set(defaultExpiries(expiries))
    case 'SpecificDates': {
      const days = daysAsked(query.ExpiryDates)
      return new Set(expiries.filter((expiry) => days.has(expiry) || days.has(displayExpiry(expiry))))
    }
    case 'UnderlyingUic':
      if (query.UnderlyingUic === undefined)
        throw new Problem('UnderlyingUICMustBeSet', 'OptionSpaceSegment UnderlyingUic needs UnderlyingUic.')
      return new Set(expiries)
    case 'AllDates':
      return new Set(expiries)
  }
}

/**
 * Whether a query lets an option of an opened series through. NotDefined is no filter. An option that tells no status
 * is NotDefined, and one on no underlying is on none that was asked for.
 */
export function isOptionAsked(option: OptionFacts, query: OptionSpaceQuery): boolean {
  const { TradingStatus: status = 'NotDefined' } = query
  if (status !== 'NotDefined' && status !== option.TradingStatus) return false
  return query.OptionSpaceSegment !== 'UnderlyingUic' || option.UnderlyingUic === query.UnderlyingUic
}

/** Multi-leg support asked for that the root has not, or the other way round: the root is not found (contract §6). */
export function contradictsMultiLeg(asked: boolean | undefined, supported: boolean | undefined): boolean {
  return asked !== undefined && asked !== (supported ?? false)
}

export type ExpiryMembers = Readonly<{
  DisplayDaysToExpiry: number
  DisplayDaysToLastTradeDate?: number
  DisplayExpiry: string
  Expiry: string
  LastTradeDate?: string
}>

/** What an entry of the space tells of its time (§2.7): days from today by the exchange's calendar, as the profile
 *  writes date-times that stand for a day (contract §0, §2). */
export function expiryMembers(
  { expiry, lastTrade }: SeriesFacts,
  { today, daySuffix }: { today: number; daySuffix: string },
): ExpiryMembers {
  const DisplayDaysToExpiry = expiry - today
  const DisplayExpiry = `${dayText(displayExpiry(expiry))}${daySuffix}`
  const Expiry = `${dayText(expiry)}${daySuffix}`
  if (!lastTrade) return { DisplayDaysToExpiry, DisplayExpiry, Expiry }
  const DisplayDaysToLastTradeDate = lastTrade.day - today
  return { DisplayDaysToExpiry, DisplayDaysToLastTradeDate, DisplayExpiry, Expiry, LastTradeDate: lastTrade.text }
}
