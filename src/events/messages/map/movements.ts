import type { EventOptionRecord } from '../../import/schema.ts'
import { leafAt, type MessageNode, textOf } from '../node.ts'
import { assign, markMapped, type Reader } from '../reader.ts'
import type { Money, Parsed } from '../values.ts'
import {
  type CashMovement,
  cashAmounts,
  cashPrices,
  cashRows,
  optionAmounts,
  type SecurityMovement,
  securityRatios,
  securityRows,
} from './tables.ts'

type MovementType = CashMovement['CashMovementType']
const directions = new Map<string, MovementType>([
  ['CRDT', 'Credit'],
  ['CRED', 'Credit'],
  ['DBIT', 'Debit'],
  ['DEBT', 'Debit'],
])

function directionOf(reader: Reader, part: MessageNode): MovementType {
  const read = reader.find(part, 'code', ['CdtDbtInd', '22:CRDB'])
  const direction = read && directions.get(read.value)
  if (direction) markMapped(read.from)
  return direction ?? 'Unknown'
}

export function readCashMovement(reader: Reader, part: MessageNode): CashMovement {
  const movement: CashMovement = { CashMovementType: directionOf(reader, part) }
  for (const [member, ...places] of cashAmounts)
    for (const found of reader.nodesAt(part, places)) {
      const money = reader.forms.money(found)
      if (money) takeMoney(movement, member, money)
    }
  for (const [member, ...places] of cashPrices)
    for (const found of reader.nodesAt(part, places)) {
      const price = reader.forms.price(found)
      if (price) takePrice(movement, member, price)
    }
  reader.fill<CashMovement>(movement, part, cashRows)
  return movement
}

/** A movement has one currency; an amount of another is left. */
function takeMoney(movement: CashMovement, member: (typeof cashAmounts)[number][0], money: Money): void {
  const { Value, Currency } = money.value
  if ((movement.Currency ?? Currency) !== Currency) return
  if (!assign<CashMovement, typeof member>(movement, member, { value: Value, from: money.from })) return
  movement.Currency = Currency
  markMapped(money.currencyFrom)
}

type PriceRead = NonNullable<ReturnType<Reader['forms']['price']>>

function takePrice(movement: CashMovement, member: (typeof cashPrices)[number][0], price: PriceRead): void {
  const { Value, Currency, Type } = price.value
  if (Currency !== undefined && (movement.Currency ?? Currency) !== Currency) return
  if (Type !== undefined && (movement.PriceType ?? Type) !== Type) return
  if (!assign<CashMovement, typeof member>(movement, member, { value: Value, from: price.from })) return
  if (Currency !== undefined) movement.Currency = Currency
  if (Type !== undefined) movement.PriceType = Type
}

/** The entitled quantity is that of the custodian's own account, nobody's here. */
export function readSecurityMovement(reader: Reader, part: MessageNode): SecurityMovement {
  const movement: SecurityMovement = { SecurityMovementType: directionOf(reader, part) }
  const currency = currencyOf(reader, part)
  if (currency) assign<SecurityMovement, 'Currency'>(movement, 'Currency', currency)
  const display = displayOf(reader, part)
  if (Object.keys(display).length > 0) movement.DisplayAndFormat = display
  for (const [one, two, ...places] of securityRatios) {
    const read = reader.find(part, 'ratio', places)
    if (!read) continue
    const [first, second] = read.value
    Object.assign(movement, { [one]: first, [two]: second })
    markMapped(read.from)
  }
  reader.fill<SecurityMovement>(movement, part, securityRows)
  return movement
}

function displayOf(reader: Reader, part: MessageNode): NonNullable<SecurityMovement['DisplayAndFormat']> {
  const display: NonNullable<SecurityMovement['DisplayAndFormat']> = {}
  const securities = [
    ...reader.nodesAt(part, ['SctyDtls/FinInstrmId', '35B']),
    ...reader.nodesAt(part, ['FinInstrmId', '']),
  ]
  for (const security of securities) {
    const [isin, description] = [leafAt(security, 'ISIN'), leafAt(security, 'Desc')]
    if (isin && !isIsin(textOf(isin))) reader.malformed.set(isin, 'ISIN')
    else if (isin) assign(display, 'IsinCode', { value: textOf(isin), from: [isin] })
    const text = description ? textOf(description) : ''
    if (description && text !== '' && text.length <= 2_000)
      assign(display, 'Description', { value: text, from: [description] })
  }
  return display
}

export const isIsin = (text: string): boolean => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)

const currencyOf = (reader: Reader, part: MessageNode): Parsed<string> | undefined =>
  reader.find(part, 'currency', ['CcyOptn', '11:OPTN'])

/** Cash movements without a currency of their own have the option's. A currency that none of them has is left. */
export function shareCurrency(reader: Reader, part: MessageNode, option: EventOptionRecord): void {
  const cash = option.CashMovements ?? []
  const offered = currencyOf(reader, part)
  const amounts = optionAmounts.flatMap(([member, ...places]) =>
    reader.nodesAt(part, places).flatMap((found) => {
      const money = reader.forms.money(found)
      if (
        !money ||
        !assign<EventOptionRecord, typeof member>(option, member, { value: money.value.Value, from: money.from })
      )
        return []
      return [{ value: money.value.Currency, from: money.currencyFrom }]
    }),
  )
  for (const { value, from } of [...(offered ? [offered] : []), ...amounts]) {
    for (const movement of cash) movement.Currency ??= value
    if (cash.some(({ Currency }) => Currency === value)) markMapped(from)
  }
}
