import { invalid, Problem } from '../../core/problem.ts'
import { dayText, epochDay, type Moment, monthStart } from '../../core/time/days.ts'
import { monthlyExpiries } from '../../core/time/monthlies.ts'
import type { TradingStatus } from '../../core/trading-status.ts'
import type { OptionSpaceQuery as Query } from '../api/fields/parameters.ts'
import { isExpired } from './futures-space.ts'

/** Of a series of options: its last day, and the last moment of trading by the exchange's calendar. */
export type SeriesFacts = Readonly<{ expiry: number; lastTrade?: Moment | undefined }>

export type OptionFacts = Readonly<{
  TradingStatus?: TradingStatus | undefined
  UnderlyingUic?: number | undefined
}>

/** What selects options of a space. */
export type OptionSpaceQuery = Readonly<
  Pick<Query, 'OptionSpaceSegment' | 'ExpiryDates' | 'UnderlyingUic' | 'TradingStatus'>
>

/** Series by expiry, the expired ones left out; today is that of the exchange's zone (contract §6). */
export function listedSeries<S extends SeriesFacts>(series: readonly S[], today: number): S[] {
  return series.filter(({ expiry }) => !isExpired(expiry, today)).sort((a, b) => a.expiry - b.expiry)
}

/** DisplayExpiry is the first day of the expiry month (contract §6). */
const displayExpiry = monthStart

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
