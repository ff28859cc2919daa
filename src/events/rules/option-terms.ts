import type { Event } from '../api/schema.ts'

export type EventOption = NonNullable<Event['Options']>[number]
type CashMovement = NonNullable<EventOption['CashMovements']>[number]
type SecurityMovement = NonNullable<EventOption['SecurityMovements']>[number]

/** Payment per unit held. `unit` is a currency or %, undefined if unknown. */
type Rate = Readonly<{ gross: number | undefined; net: number | undefined; unit: string | undefined }>

export const isOpen = ({ OptionStatus }: EventOption): boolean =>
  OptionStatus !== 'Cancelled' && OptionStatus !== 'Inactive'

/** Custodians write 9999-12-31 for an unset date. */
export const isSet = (date: string): boolean => !date.startsWith('9999')

/** A deadline may be a whole day: midnight without a fraction of a second (§2.2). */
export const isWholeDay = (date: string): boolean => date.length === 10 || date.endsWith('T00:00:00Z')

/** A deadline as a day or an instant. */
export const dayOrInstant = (date: string): string => (isWholeDay(date) ? date.slice(0, 10) : date)

/** A whole day is past when it is over, in UTC. */
export function isPast(date: string, now: Temporal.Instant): boolean {
  if (!isWholeDay(date)) return Temporal.Instant.compare(date, now) < 0
  return date.slice(0, 10) < now.toString().slice(0, 10)
}

/** `1 Cash` */
export const optionName = ({ OptionId, OptionType }: EventOption): string =>
  [OptionId, OptionType?.Name ?? OptionType?.Code ?? ''].join(' ').trim()

/** From the option, else from its first movement with a rate. Only movements have a unit. */
export function rateOf({ GrossRate, NetRate, CashMovements = [] }: EventOption): Rate | undefined {
  const gross = GrossRate ?? CashMovements.find(({ GrossDividend }) => GrossDividend !== undefined)?.GrossDividend
  const net = NetRate ?? CashMovements.find(({ NetDividend }) => NetDividend !== undefined)?.NetDividend
  if (gross === undefined && net === undefined) return undefined
  const movement = CashMovements.find((each) => each.GrossDividend !== undefined || each.NetDividend !== undefined)
  return { gross, net, unit: unitOf(movement ?? CashMovements[0]) }
}

const unitOf = (movement: CashMovement | undefined): string | undefined =>
  movement?.PriceType === 'Percentage' ? '%' : movement?.Currency

/** Securities are received, and no known amount of cash. (Fractions may be paid in cash.) */
export function movesOnlySecurities(option: EventOption): boolean {
  const { CashMovements = [], SecurityMovements = [] } = option
  if (rateOf(option) || CashMovements.some((movement) => cashTexts(movement, [], '').length > 0)) return false
  return SecurityMovements.some(({ SecurityMovementType }) => SecurityMovementType !== 'Debit')
}

/** The terms of an option: `0.91 USD gross a share (0.77 net)`, `offer 55.25 CHF`, `1 new for 10 held`. */
export function termsOf(option: EventOption, event: Event): string[] {
  const { CashMovements = [], SecurityMovements = [] } = option
  const each = /Stock|Etf|Fund/.test(event.AssetType) ? ' a share' : ' each'
  const rate = rateOf(option)
  // Securities given up may be a movement of their own.
  const given = SecurityMovements.map(givenText).find((text) => text !== '') ?? ''
  const terms = [
    ...(rate ? [rateText(rate, each)] : []),
    ...CashMovements.flatMap((movement) => cashTexts(movement, [rate?.gross, rate?.net], each)),
    ...SecurityMovements.flatMap((movement) => ratioTexts(movement, given, event)),
  ]
  return [...new Set(terms)]
}

function rateText({ gross, net, unit }: Rate, each: string): string {
  const value = gross ?? net
  const figure = unit === undefined ? `rate ${value}` : `${value} ${unit}`
  const of = unit === undefined || unit === '%' ? '' : each
  if (gross === net) return `${figure}${of}`
  if (gross === undefined) return `${figure} net${of}`
  return `${figure} gross${of}${net === undefined ? '' : ` (${net} net)`}`
}

/** `known` are figures already shown: movements repeat the rates of their option. */
function cashTexts(movement: CashMovement, known: readonly (number | undefined)[], each: string): string[] {
  const { Amount, CashMovementType, InterestRate, OfferPrice, Quantity, SubscriptionPrice } = movement
  const unit = unitOf(movement)
  const figure = (value: number): string => (unit === undefined ? String(value) : `${value} ${unit}`)
  const isNew = (value: number | undefined): value is number => value !== undefined && !known.includes(value)
  const of = Quantity === undefined ? (unit === '%' ? '' : each) : ` for ${Quantity}`
  return [
    ...(OfferPrice === undefined ? [] : [`offer ${figure(OfferPrice)}`]),
    ...(SubscriptionPrice === undefined ? [] : [`subscription ${figure(SubscriptionPrice)}`]),
    ...(isNew(Amount) ? [`${figure(Amount)}${of}${CashMovementType === 'Debit' ? ' to pay' : ''}`] : []),
    ...(isNew(InterestRate) ? [`interest ${InterestRate} %`] : []),
  ]
}

function ratioTexts(movement: SecurityMovement, givenElsewhere: string, event: Event): string[] {
  const received = movement.NewQuantity ?? movement.ReceivedQuantity
  if (received === undefined) return []
  return [`${received} new${otherName(movement, event)}${givenText(movement) || givenElsewhere}`]
}

function givenText({ OldQuantity, HeldQuantity }: SecurityMovement): string {
  if (OldQuantity !== undefined) return ` for ${OldQuantity} old`
  return HeldQuantity === undefined ? '' : ` for ${HeldQuantity} held`
}

const maxNameLength = 80

/** Empty if it is the instrument of the event itself. */
function otherName({ Uic, DisplayAndFormat: names }: SecurityMovement, event: Event): string {
  const name = names?.Description ?? names?.Symbol ?? (names?.IsinCode && `ISIN ${names.IsinCode}`)
  const isSame = Uic === event.Uic || name === event.DisplayAndFormat?.Description
  return isSame || name === undefined ? '' : ` ${name.slice(0, maxNameLength)}`
}
