import type { ContractOptionEntry, SpecificOption } from '../../instruments/schema.ts'
import { dayOf } from '../format.ts'

/** What the pages of an option chain work out from the option space, before anything is drawn. */

export const expiryOf = ({ Expiry }: ContractOptionEntry): string => Expiry.slice(0, 10)

/** A month's third Friday: never before the 15th nor after the 21st. */
function thirdFriday(month: Temporal.PlainYearMonth): Temporal.PlainDate {
  const fifteenth = month.toPlainDate({ day: 15 })
  return fifteenth.add({ days: (12 - fifteenth.dayOfWeek) % 7 })
}

/**
 * Which of the expiries are monthlies, by the rule of OptionSpaceSegment DefaultDates: what ends on a third Friday, or
 * on the Thursday before where that is a holiday; of a root that never does, or that has one expiry a month, the last
 * of each month.
 */
export function monthlies(expiries: readonly string[]): ReadonlySet<string> {
  const months = [...Map.groupBy(expiries, (expiry) => expiry.slice(0, 7))]
  const regular = months.flatMap(([month, days]) => {
    const friday = thirdFriday(Temporal.PlainYearMonth.from(month))
    const found = [friday, friday.subtract({ days: 1 })].find((day) => days.includes(day.toString()))
    return found ? [found.toString()] : []
  })
  const hasOthers = months.some(([, days]) => days.length > 1)
  return new Set(hasOthers && regular.length > 0 ? regular : months.flatMap(([, days]) => days.slice(-1)))
}

/** The series to show: the one asked for, else the next after it; without a wish the next monthly. */
export function chosenSeries(
  space: readonly ContractOptionEntry[],
  asked: string | undefined,
): ContractOptionEntry | undefined {
  if (asked !== undefined) return space.find((series) => expiryOf(series) >= asked) ?? space.at(-1)
  const monthly = monthlies(space.map(expiryOf))
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
