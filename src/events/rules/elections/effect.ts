import type { Event } from '../../api/schema.ts'
import { productOf } from '../decimals.ts'
import { type EventOption, rateOf } from '../option-terms.ts'

/** What is received (above 0) or given (below 0): money in a currency, or units of a security. */
export type Movement = Readonly<{ kind: 'cash' | 'security'; value: number; unit: string; note?: string | undefined }>
type Movements = Readonly<{ movements: readonly Movement[]; unknown: readonly string[] }>
/** What electing an amount leads to, as far as the terms say, and what they leave open. `isAtMost`: less may be allotted.
 *  `isNothing`: nothing is received or paid. */
export type Effect = Movements & Readonly<{ isAtMost: boolean; isNothing: boolean }>

type Terms = Readonly<{ option: EventOption; event: Event; amount: number }>

/** What the holder of an amount gets and gives with an option, from the terms alone. */
export function effectOf(option: EventOption, event: Event, amount: number): Effect {
  const terms = { option, event, amount: Math.abs(amount) }
  const parts = [dividendOf(terms), ...cashOf(terms), ...securitiesOf(terms)]
  const movements = parts.flatMap((part) => part.movements)
  const unknown = [...new Set(parts.flatMap((part) => part.unknown))]
  const isFraction = movements.some(({ kind, value }) => kind === 'security' && !Number.isInteger(value))
  if (isFraction) unknown.push('how fractions are settled')
  const code = option.OptionType?.Code
  const isEmpty = movements.length === 0 && unknown.length === 0
  const isNothing = isEmpty && code === 'LAPS'
  if (isEmpty && !isNothing) unknown.push('what you receive or pay')
  return { movements, unknown, isAtMost: code === 'OVER', isNothing }
}

const nothing: Movements = { movements: [], unknown: [] }
const cash = (value: number, unit: string, note?: string): Movements => ({
  movements: [{ kind: 'cash', value, unit, note }],
  unknown: [],
})
const securities = (value: number, unit: string): Movements => ({
  movements: [{ kind: 'security', value, unit }],
  unknown: [],
})
const open = (what: string): Movements => ({ movements: [], unknown: [what] })

function dividendOf({ option, amount }: Terms): Movements {
  const rate = rateOf(option)
  const isReinvested = (option.SecurityMovements ?? []).some(({ ReinvestmentPrice }) => ReinvestmentPrice !== undefined)
  const each = rate?.gross ?? rate?.net
  if (!rate || each === undefined || isReinvested) return nothing
  if (rate.unit === undefined || rate.unit === '%') return open('the payment: its rate has no currency')
  const [isBefore, isAfter] = [rate.gross !== undefined && rate.gross !== rate.net, rate.gross === undefined]
  return cash(productOf([amount, each], 1), rate.unit, isBefore ? 'before tax' : isAfter ? 'after tax' : undefined)
}

function cashOf(terms: Terms): Movements[] {
  const { option, amount } = terms
  const rate = rateOf(option)
  return (option.CashMovements ?? []).flatMap((movement) => {
    const { Currency, PriceType, OfferPrice, Amount, Quantity, SubscriptionPrice, InterestRate } = movement
    const sign = movement.CashMovementType === 'Debit' ? -1 : 1
    // A movement repeats the dividend as its amount.
    const isNew = Amount !== undefined && Amount !== rate?.gross && Amount !== rate?.net
    const priced = (price: number, units: number, per: number): Movements =>
      Currency === undefined || PriceType === 'Percentage'
        ? open('the price: it is a percentage, or has no currency')
        : cash(sign * productOf([units, Math.abs(price)], per), Currency)
    return [
      ...(OfferPrice === undefined ? [] : [priced(OfferPrice, amount, 1)]),
      ...(SubscriptionPrice === undefined ? [] : [subscribed(terms, priced, SubscriptionPrice)]),
      ...(isNew ? [priced(Amount, amount, Quantity || 1)] : []),
      ...(InterestRate === undefined ? [] : [open('the interest: it depends on the days')]),
    ]
  })
}

/** A subscription price is for every new unit, and always paid. */
function subscribed(
  { option, amount }: Terms,
  priced: (price: number, units: number, per: number) => Movements,
  price: number,
) {
  const { given, received } = ratioOf(option.SecurityMovements ?? [])
  const { movements, unknown } = priced(price, productOf([amount, received ?? 1], given ?? 1), 1)
  return { movements: movements.map((each) => ({ ...each, value: -Math.abs(each.value) })), unknown }
}

type SecurityMovement = NonNullable<EventOption['SecurityMovements']>[number]

/** The securities given up may be in a movement of their own. */
function ratioOf(all: readonly SecurityMovement[]) {
  const received = all.map((one) => one.NewQuantity ?? one.ReceivedQuantity).find((one) => one !== undefined)
  const given = all.map((one) => one.OldQuantity ?? one.HeldQuantity).find((one) => one !== undefined && one > 0)
  return { received, given }
}

function securitiesOf({ option, event, amount }: Terms): Movements[] {
  const all = option.SecurityMovements ?? []
  const { given } = ratioOf(all)
  return all.map((movement): Movements => {
    if (movement.SecurityMovementType === 'Debit') return securities(-amount, nameOf(movement, event))
    const received = movement.NewQuantity ?? movement.ReceivedQuantity
    if (movement.ReinvestmentPrice !== undefined) return reinvested(option, movement, event, amount)
    if (received === undefined || given === undefined) return open('how many securities: the terms have no ratio')
    return securities(productOf([amount, received], given), nameOf(movement, event))
  })
}

/** The dividend buys securities at their price, if both are in one currency. */
function reinvested(option: EventOption, movement: SecurityMovement, event: Event, amount: number): Movements {
  const rate = rateOf(option)
  const { ReinvestmentPrice: price = 0, Currency } = movement
  const each = rate?.net ?? rate?.gross
  if (each === undefined || price <= 0 || rate?.unit === undefined || rate.unit !== (Currency ?? rate.unit))
    return open('how many securities the dividend buys')
  return securities(productOf([amount, each], price), nameOf(movement, event))
}

const nameOf = ({ DisplayAndFormat: names, Uic }: SecurityMovement, event: Event): string => {
  const own = Uic === undefined || Uic === event.Uic ? event.DisplayAndFormat : undefined
  const known = names?.Description ?? names?.Symbol ?? own?.Description ?? own?.Symbol
  return known ?? (Uic === undefined ? 'units' : `Uic ${Uic}`)
}
