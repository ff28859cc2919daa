import { Problem } from '../../core/problem.ts'
import { dayText, epochDay, type Moment, monthStart } from '../../core/time/days.ts'
import { monthlyExpiries } from '../../core/time/monthlies.ts'
import type { TradingStatus } from '../../core/trading-status.ts'
import type { OptionSpaceQuery as Query } from '../api/fields/parameters.ts'
import type { ContractOptionEntry } from '../api/schema.ts'
import { isExpired } from './futures-space.ts'

export type SeriesFacts = Readonly<{ expiry: number; lastTrade?: Moment | undefined }>

export type OptionFacts = Readonly<{ TradingStatus?: TradingStatus; UnderlyingUic?: number }>

type Segment = NonNullable<Query['OptionSpaceSegment']>

export type OptionSpaceQuery = Readonly<
  Pick<Query, 'ExpiryDates' | 'UnderlyingUic' | 'TradingStatus'> & { OptionSpaceSegment: Segment }
>

/** Adds the segment of a query that has none: SpecificDates for ExpiryDates, else the default of the profile (§6.3). */
export const withSegment = <Q extends Query>(query: Q, byDefault: Segment): Q & { OptionSpaceSegment: Segment } => ({
  ...query,
  OptionSpaceSegment: query.OptionSpaceSegment ?? (query.ExpiryDates === undefined ? byDefault : 'SpecificDates'),
})

/** The unexpired series by expiry; `today` is in the exchange's time zone (§6.3). */
export function listedSeries<S extends SeriesFacts>(series: readonly S[], today: number): S[] {
  const listed = series.filter(({ expiry }) => !isExpired(expiry, today))
  // Nearly all are in order already, and finding that out is faster than sorting.
  const isSorted = listed.every(({ expiry }, index) => index === 0 || (listed[index - 1] as S).expiry <= expiry)
  return isSorted ? listed : listed.sort((a, b) => a.expiry - b.expiry)
}

/** The nearest expiry and the next two monthly ones (§6.3). */
function defaultExpiries(expiries: readonly number[]): number[] {
  const [nearest] = expiries
  if (nearest === undefined) return []
  const later = monthlyExpiries(expiries).filter((expiry) => expiry > nearest)
  return [nearest, ...later.slice(0, 2)]
}

const daysBeforeRoll = 7

/** The nearest monthly expiry that is more than a week away, else the last monthly one (§6.3). */
export function defaultExpiry(expiries: readonly number[], today: number): number | undefined {
  const monthlies = monthlyExpiries(expiries)
  return monthlies.find((expiry) => expiry - today > daysBeforeRoll) ?? monthlies.at(-1)
}

/** The strike nearest to the price. Without a price within the strikes, such as for an adjusted root, the middle one
 *  (§6.3). The strikes are in ascending order. */
export function strikeNearTheMoney(strikes: readonly number[], price: number): number | undefined {
  const [lowest = 0, highest = 0] = [strikes[0], strikes.at(-1)]
  if (!(price >= lowest && price <= highest)) return strikes[Math.floor((strikes.length - 1) / 2)]
  return strikes.reduce((best, strike) => (Math.abs(strike - price) < Math.abs(best - price) ? strike : best), lowest)
}

/** The expiries whose options are included, by OptionSpaceSegment (§6.3). */
export function selectedExpiries(listed: readonly SeriesFacts[], query: OptionSpaceQuery): ReadonlySet<number> {
  const expiries = listed.map(({ expiry }) => expiry)
  switch (query.OptionSpaceSegment) {
    case 'None':
      return new Set()
    case 'DefaultDates':
      return new Set(defaultExpiries(expiries))
    case 'SpecificDates': {
      if (query.ExpiryDates === undefined)
        throw new Problem(
          'ExpiryDatesMustBeSet',
          'OptionSpaceSegment SpecificDates needs ExpiryDates, such as 2026-12-18.',
        )
      const days = new Set(query.ExpiryDates.map(epochDay))
      const selectsMonths = [...days].some((day) => day === monthStart(day))
      return new Set(expiries.filter((expiry) => days.has(expiry) || (selectsMonths && days.has(monthStart(expiry)))))
    }
    case 'UnderlyingUic':
      if (query.UnderlyingUic === undefined)
        throw new Problem('UnderlyingUICMustBeSet', 'OptionSpaceSegment UnderlyingUic needs UnderlyingUic.')
      return new Set(expiries)
    case 'AllDates':
      return new Set(expiries)
  }
}

/** NotDefined selects every status. */
const selectsAllStatuses = ({ TradingStatus = 'NotDefined' }: OptionSpaceQuery): boolean =>
  TradingStatus === 'NotDefined'

/** Whether a query selects all options of a selected expiry. */
export const selectsAll = (query: OptionSpaceQuery): boolean =>
  query.OptionSpaceSegment !== 'UnderlyingUic' && selectsAllStatuses(query)

/** Whether a query selects an option of a selected expiry. */
export function isSelected(option: OptionFacts, query: OptionSpaceQuery): boolean {
  if (!selectsAllStatuses(query) && query.TradingStatus !== option.TradingStatus) return false
  return query.OptionSpaceSegment !== 'UnderlyingUic' || option.UnderlyingUic === query.UnderlyingUic
}

/** A root that does not support multi-leg orders as requested is not found (§6.3). */
export function supportsMultiLeg(supported: boolean | undefined, wanted: boolean | undefined): boolean {
  return wanted === undefined || wanted === (supported ?? false)
}

export type ExpiryMembers = Omit<ContractOptionEntry, 'SpecificOptions' | 'TickSizeScheme'>

/** The dates of a series: days are counted in the exchange's time zone and written as the wire profile says (§6.3, §3). */
export function expiryMembers(
  { expiry, lastTrade }: SeriesFacts,
  { today, daySuffix }: { today: number; daySuffix: string },
): ExpiryMembers {
  const DisplayDaysToExpiry = expiry - today
  const DisplayExpiry = `${dayText(monthStart(expiry))}${daySuffix}`
  const Expiry = `${dayText(expiry)}${daySuffix}`
  if (!lastTrade) return { DisplayDaysToExpiry, DisplayExpiry, Expiry }
  const DisplayDaysToLastTradeDate = lastTrade.day - today
  return { DisplayDaysToExpiry, DisplayDaysToLastTradeDate, DisplayExpiry, Expiry, LastTradeDate: lastTrade.text }
}
