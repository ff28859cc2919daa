import { dayText, epochDay } from '../../../core/time/days.ts'
import { monthlyExpiries } from '../../../core/time/monthlies.ts'
import type {
  ContractOptionEntry,
  OptionSpace,
  ReferencePrice,
  SpecificOption,
} from '../../../instruments/api/schema.ts'
import { type ApiClient, withQuery } from '../../shared/api.ts'
import { dayOf } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'

export const expiryOf = ({ Expiry }: ContractOptionEntry): string => Expiry.slice(0, 10)

const monthlies = new Remembered<ReadonlySet<string>>()

/** The monthly expiries, as in OptionSpaceSegment=DefaultDates. */
export const monthliesOf = (space: readonly ContractOptionEntry[]): ReadonlySet<string> =>
  monthlies.get(space, [], () => {
    const days = space.map((series) => epochDay(expiryOf(series)))
    return new Set(monthlyExpiries(days).map(dayText))
  })

/** The series to show: the requested one or the next after it; by default the next monthly one. */
export function chosenSeries(
  space: readonly ContractOptionEntry[],
  expiry: string | undefined,
): ContractOptionEntry | undefined {
  if (expiry !== undefined) return space.find((series) => expiryOf(series) >= expiry) ?? space.at(-1)
  const monthly = monthliesOf(space)
  return space.find((series) => monthly.has(expiryOf(series)))
}

export function parseDay(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : dayOf(text).toString()
  } catch {
    return undefined
  }
}

/** One row of the ladder. A strike with two calls has two rows, as after an adjustment of the contract. */
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

/** The instruments whose price locates the money: the future of this series, then the underlying of the root. */
export function underlyingUics(root: OptionSpace, { SpecificOptions = [] }: ContractOptionEntry): number[] {
  const uics = [SpecificOptions[0]?.UnderlyingUic, root.UnderlyingUic]
  return [...new Set(uics.filter((uic) => uic !== undefined))]
}

export async function readPrices(api: ApiClient, uics: readonly number[]): Promise<readonly ReferencePrice[]> {
  const call = withQuery('/x/v1/referenceprices', { Uics: uics.map(String) })
  return (await api.getShared<{ Data: ReferencePrice[] }>(call)).Data
}

export const strikeCurrency = ({ PriceCurrency, CurrencyCode }: OptionSpace): string | undefined =>
  PriceCurrency ?? CurrencyCode

export function priceAmong(
  uics: readonly number[],
  prices: readonly ReferencePrice[],
  currency: string | undefined,
): number | undefined {
  const usable = prices.filter(({ CurrencyCode }) => CurrencyCode === currency)
  const known = uics.map((uic) => usable.find(({ Uic }) => Uic === uic))
  return known.find((price) => price !== undefined)?.ReferencePrice
}

/** The price of the underlying in the unit of the strikes. An adjusted contract delivers another number of shares than
 *  its strikes are multiplied by. Options on futures need no conversion. If the strikes are in another currency than
 *  the contract, such as pence, the factor does not give the ratio. */
export function moneyOf(root: OptionSpace, price: number): number | undefined {
  const { ContractSize, PriceToContractFactor = ContractSize, UnderlyingAssetType, CurrencyCode } = root
  if (UnderlyingAssetType === 'ContractFutures' || ContractSize === PriceToContractFactor) return price
  if (ContractSize === undefined || PriceToContractFactor === undefined) return price
  return strikeCurrency(root) === CurrencyCode ? (price * ContractSize) / PriceToContractFactor : undefined
}

/** The strike nearest to a price; the lower one if two are equally near. */
export function moneyStrike(rungs: readonly Rung[], price: number): number | undefined {
  let nearest: number | undefined
  for (const { strike } of rungs)
    if (nearest === undefined || Math.abs(strike - price) < Math.abs(nearest - price)) nearest = strike
  return nearest
}

/** Strikes on a page without script: the one at the money is in view. */
export const pageRungs = 31

/** The index of the first rung of a page: the requested one, else so that the money, or else the middle, is in its centre. */
export function firstRung(rungs: readonly Rung[], money: number | undefined, wanted: number | undefined): number {
  const found = rungs.findIndex(({ strike }) => strike === money)
  const middle = found < 0 ? Math.floor(rungs.length / 2) : found
  const last = Math.max(rungs.length - pageRungs, 0)
  return Math.min(Math.max(wanted ?? middle - Math.floor(pageRungs / 2), 0), last)
}

/** Strikes from and to, both inclusive. */
export type StrikeRange = Readonly<{ from: number | undefined; to: number | undefined }>

export const isWithin = ({ from = -Infinity, to = Infinity }: StrikeRange, { strike }: Rung): boolean =>
  strike >= from && strike <= to

/** A link to one expiry of a chain. */
export function chainPath(
  root: Pick<OptionSpace, 'OptionRootId'>,
  expiry: string,
  range?: StrikeRange,
  row?: number,
): string {
  const parameters = new URLSearchParams({ expiry })
  for (const [name, value] of Object.entries({ ...range, row }))
    if (value !== undefined) parameters.set(name, String(value))
  return `/console/options/${root.OptionRootId}?${parameters}`
}

const formats = Array.from(
  { length: 9 },
  (_, decimals) => new Intl.NumberFormat('en-GB', { minimumFractionDigits: decimals, maximumFractionDigits: 8 }),
)

/** A number with a minimum of decimals, so that the points of a column align. */
export function fixedFigure(value: number, decimals: number): string {
  return formats[Math.min(Math.max(decimals, 0), 8)]?.format(value) ?? String(value)
}

export const strikeText = ({ Format }: OptionSpace, strike: number): string =>
  fixedFigure(strike, Format?.StrikeDecimals ?? 0)
