import { dayText, epochDay } from '../../../core/time/days.ts'
import { monthlyExpiries } from '../../../core/time/monthlies.ts'
import type { ContractOptionEntry, OptionSpace, SpecificOption } from '../../../instruments/api/schema.ts'
import { dayOf } from '../../shared/format.ts'

/** What the pages of an option chain work out from the option space, before anything is drawn. */

export const expiryOf = ({ Expiry }: ContractOptionEntry): string => Expiry.slice(0, 10)

/** The expiries of the monthlies, by which OptionSpaceSegment DefaultDates goes too. */
export function monthliesOf(space: readonly ContractOptionEntry[]): ReadonlySet<string> {
  return new Set(monthlyExpiries(space.map((series) => epochDay(expiryOf(series)))).map(dayText))
}

/** The series to show: the one asked for, else the next after it; without a wish the next monthly. */
export function chosenSeries(
  space: readonly ContractOptionEntry[],
  asked: string | undefined,
): ContractOptionEntry | undefined {
  if (asked !== undefined) return space.find((series) => expiryOf(series) >= asked) ?? space.at(-1)
  const monthly = monthliesOf(space)
  return space.find((series) => monthly.has(expiryOf(series)))
}

/** What the address may ask for: a day as the wire writes it. Anything else is no wish. */
export function askedDay(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : dayOf(text).toString()
  } catch {
    return undefined
  }
}

/** One line of the ladder. A strike has two lines where it has two calls, as after a change of the contract's terms. */
export type Rung = Readonly<{ strike: number; call?: SpecificOption | undefined; put?: SpecificOption | undefined }>

export function ladderOf(options: readonly SpecificOption[]): Rung[] {
  const byStrike = Map.groupBy(
    options.toSorted((one, other) => one.StrikePrice - other.StrikePrice),
    ({ StrikePrice }) => StrikePrice,
  )
  return [...byStrike].flatMap(([strike, here]) => {
    const calls = here.filter(({ PutCall }) => PutCall === 'Call')
    const puts = here.filter(({ PutCall }) => PutCall !== 'Call')
    const lines = Math.max(calls.length, puts.length)
    return Array.from({ length: lines }, (_, index) => ({ strike, call: calls[index], put: puts[index] }))
  })
}

/** Whose price tells where the money is: the future that a series on futures has of its own, then that of the root. */
export function underlyingUics(root: OptionSpace, { SpecificOptions = [] }: ContractOptionEntry): number[] {
  const uics = [SpecificOptions[0]?.UnderlyingUic, root.UnderlyingUic]
  return [...new Set(uics.filter((uic) => uic !== undefined))]
}

/** GET /x/v1/referenceprices: what one cost some past day. */
export type ReferencePrice = Readonly<{ Uic: number; ReferencePrice: number; CurrencyCode: string }>

export const strikeCurrency = ({ PriceCurrency, CurrencyCode }: OptionSpace): string | undefined =>
  PriceCurrency ?? CurrencyCode

/** The price of the first that has one in the currency of the strikes. */
export function priceAmong(
  uics: readonly number[],
  prices: readonly ReferencePrice[],
  currency: string | undefined,
): number | undefined {
  const usable = prices.filter(({ CurrencyCode }) => CurrencyCode === currency)
  const known = uics.map((uic) => usable.find(({ Uic }) => Uic === uic))
  return known.find((price) => price !== undefined)?.ReferencePrice
}

/**
 * A price of the underlying as the strikes count it. A contract whose terms were adjusted stands for another number of
 * shares than its strikes are multiplied by. An option on a future is for one future and counts as that does. Where the
 * strikes are in another currency than the contract, such as pence, the factor tells nothing of this.
 */
export function moneyOf(root: OptionSpace, price: number): number | undefined {
  const { ContractSize, PriceToContractFactor = ContractSize, UnderlyingAssetType, CurrencyCode } = root
  if (UnderlyingAssetType === 'ContractFutures' || ContractSize === PriceToContractFactor) return price
  if (ContractSize === undefined || PriceToContractFactor === undefined) return price
  return strikeCurrency(root) === CurrencyCode ? (price * ContractSize) / PriceToContractFactor : undefined
}

/** The strike nearest to a price; the lower of two that are equally near. */
export function moneyStrike(rungs: readonly Rung[], price: number): number | undefined {
  let nearest: number | undefined
  for (const { strike } of rungs)
    if (nearest === undefined || Math.abs(strike - price) < Math.abs(nearest - price)) nearest = strike
  return nearest
}

export const mostRungs = 80
const rungsAround = 20

/** Of a long ladder the part around the money; around its middle where the money is not known. */
export function rungsToShow(rungs: readonly Rung[], money: number | undefined, wantsAll: boolean): readonly Rung[] {
  if (wantsAll || rungs.length <= mostRungs) return rungs
  const found = rungs.findIndex(({ strike }) => strike === money)
  const middle = found < 0 ? Math.floor(rungs.length / 2) : found
  const start = Math.min(Math.max(middle - rungsAround, 0), rungs.length - (2 * rungsAround + 1))
  return rungs.slice(start, start + 2 * rungsAround + 1)
}
