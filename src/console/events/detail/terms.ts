import type { Event } from '../../../events/api/schema.ts'
import { figure } from '../../shared/format.ts'
import type { EventOption } from '../deadlines.ts'
import { moneyFigure } from '../labels.ts'

type CashMovement = NonNullable<EventOption['CashMovements']>[number]
type SecurityMovement = NonNullable<EventOption['SecurityMovements']>[number]

export type Terms = Readonly<{ receive: readonly string[]; pay: readonly string[] }>

export function termsOf(option: EventOption, event: Event): Terms {
  const { CashMovements = [], SecurityMovements = [] } = option
  const isPaid = ({ CashMovementType }: CashMovement) => CashMovementType === 'Debit'
  return {
    receive: unique([
      ...rateTexts(option),
      ...CashMovements.filter((movement) => !isPaid(movement)).flatMap(cashTexts),
      ...SecurityMovements.flatMap((movement) => ratioTexts(movement, SecurityMovements, event)),
    ]),
    pay: unique([
      ...CashMovements.flatMap(({ SubscriptionPrice, ...unit }) => priced(SubscriptionPrice, unit, 'for each')),
      ...CashMovements.filter(isPaid).flatMap(cashTexts),
    ]),
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

type Unit = Pick<CashMovement, 'Currency' | 'PriceType'>

/** `12.40 EUR`, `101.5 %`. */
const money = (value: number, { Currency, PriceType }: Unit): string =>
  PriceType === 'Percentage' ? `${figure(value)} %` : [moneyFigure(value), Currency].filter(Boolean).join(' ')

const priced = (value: number | undefined, unit: Unit, after = ''): string[] =>
  value === undefined ? [] : [`${money(value, unit)} ${after}`.trim()]

/** The rates of the option. Cash movements give their currency, and often repeat them. */
function rateTexts({ GrossRate, NetRate, CashMovements = [] }: EventOption): string[] {
  const unit = CashMovements.find((each) => (each.GrossDividend ?? each.NetDividend) !== undefined) ?? CashMovements[0]
  const gross = GrossRate ?? unit?.GrossDividend
  const net = NetRate ?? unit?.NetDividend
  if (gross !== undefined && net !== undefined && gross !== net)
    return [`${money(gross, unit ?? {})} each, ${moneyFigure(net)} after tax`]
  return [...priced(gross ?? net, unit ?? {}, gross === undefined ? 'each, after tax' : 'each')]
}

function cashTexts(movement: CashMovement): string[] {
  const { Amount, OfferPrice, InterestRate, Quantity, GrossDividend, NetDividend } = movement
  // A movement repeats the dividend as its amount.
  const isNew = Amount !== GrossDividend && Amount !== NetDividend
  const per = Quantity === undefined ? 'each' : `for ${figure(Quantity)}`
  return [
    ...priced(OfferPrice, movement, 'each'),
    ...(isNew ? priced(Amount, movement, per) : []),
    ...(InterestRate === undefined ? [] : [`interest of ${figure(InterestRate)} %`]),
  ]
}

/** `15 new for 7 held`. The securities given up may be in a movement of their own. */
function ratioTexts(movement: SecurityMovement, all: readonly SecurityMovement[], event: Event): string[] {
  const received = movement.NewQuantity ?? movement.ReceivedQuantity
  if (received === undefined || movement.SecurityMovementType === 'Debit') return []
  const given = [movement, ...all].map((one) => one.OldQuantity ?? one.HeldQuantity).find((one) => one !== undefined)
  return [`${figure(received)} ${whatOf(movement, event)}${given === undefined ? '' : ` for ${figure(given)} held`}`]
}

function whatOf({ Uic, DisplayAndFormat: names }: SecurityMovement, event: Event): string {
  const name = names?.Description ?? names?.Symbol
  if (name === undefined || Uic === event.Uic || name === event.DisplayAndFormat?.Description) return 'new'
  return name
}
