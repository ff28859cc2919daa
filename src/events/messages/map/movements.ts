import type { EventOptionRecord } from '../../import/schema.ts'
import { leafAt, type MessageNode, textOf } from '../node.ts'
import { assign, markMapped, type Reader } from '../reader.ts'
import { amountOf, type Parsed, type Price } from '../values.ts'
import {
  type CashMovement,
  cashAmounts,
  cashMappings,
  cashPrices,
  optionAmounts,
  type SecurityMovement,
  securityMappings,
  securityRatios,
} from './tables.ts'

type MovementType = CashMovement['CashMovementType']
const directions: Readonly<Record<string, MovementType>> = {
  CRDT: 'Credit',
  CRED: 'Credit',
  DBIT: 'Debit',
  DEBT: 'Debit',
}

function directionOf(reader: Reader, node: MessageNode): MovementType {
  const parsed = reader.find(node, 'code', ['CdtDbtInd', '22:CRDB'])
  const direction = parsed && directions[parsed.value]
  if (direction) markMapped(parsed.from)
  return direction ?? 'Unknown'
}

export function readCashMovement(reader: Reader, node: MessageNode): CashMovement {
  const movement: CashMovement = { CashMovementType: directionOf(reader, node) }
  for (const [field, ...paths] of cashAmounts)
    for (const money of reader.valuesAt(node, 'money', paths)) assignAmount(movement, field, amountOf(money))
  for (const [field, ...paths] of cashPrices)
    for (const price of reader.valuesAt(node, 'price', paths)) assignAmount(movement, field, price)
  reader.fill<CashMovement>(movement, node, cashMappings)
  return movement
}

type AmountField = (typeof cashAmounts | typeof cashPrices)[number][0]

/** A movement has one currency and one price type; amounts in others stay unmapped. */
function assignAmount(movement: CashMovement, field: AmountField, { value, from }: Parsed<Price>): void {
  const { Value, Currency, Type } = value
  if (Currency !== undefined && (movement.Currency ?? Currency) !== Currency) return
  if (Type !== undefined && (movement.PriceType ?? Type) !== Type) return
  if (!assign<CashMovement, AmountField>(movement, field, { value: Value, from })) return
  if (Currency !== undefined) movement.Currency = Currency
  if (Type !== undefined) movement.PriceType = Type
}

/** The entitled quantity is that of the custodian's account, so it stays unmapped. */
export function readSecurityMovement(reader: Reader, node: MessageNode): SecurityMovement {
  const movement: SecurityMovement = { SecurityMovementType: directionOf(reader, node) }
  const currency = currencyOf(reader, node)
  if (currency) assign<SecurityMovement, 'Currency'>(movement, 'Currency', currency)
  const names = namesOf(reader, node)
  if (Object.keys(names).length > 0) movement.DisplayAndFormat = names
  for (const [first, second, ...paths] of securityRatios) {
    const ratio = reader.find(node, 'ratio', paths)
    if (!ratio) continue
    Object.assign(movement, { [first]: ratio.value[0], [second]: ratio.value[1] })
    markMapped(ratio.from)
  }
  reader.fill<SecurityMovement>(movement, node, securityMappings)
  return movement
}

type Names = NonNullable<SecurityMovement['DisplayAndFormat']>

function namesOf(reader: Reader, node: MessageNode): Names {
  const names: Names = {}
  for (const security of reader.nodesAt(node, ['SctyDtls/FinInstrmId', '35B'], ['FinInstrmId', ''])) {
    const [isin, description] = [leafAt(security, 'ISIN'), leafAt(security, 'Desc')]
    if (isin && !isIsin(textOf(isin))) reader.malformed.set(isin, 'ISIN')
    else if (isin) assign(names, 'IsinCode', { value: textOf(isin), from: [isin] })
    const text = description ? textOf(description) : ''
    if (description && text !== '' && text.length <= 2_000)
      assign(names, 'Description', { value: text, from: [description] })
  }
  return names
}

export const isIsin = (text: string): boolean => /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)

const currencyOf = (reader: Reader, node: MessageNode): Parsed<string> | undefined =>
  reader.find(node, 'currency', ['CcyOptn', '11:OPTN'])

/** Sets the rates of an option. Their currency applies to cash movements without one; otherwise it stays unmapped. */
export function readRates(reader: Reader, node: MessageNode, option: EventOptionRecord): void {
  const cash = option.CashMovements ?? []
  const offered = currencyOf(reader, node)
  const currencies = optionAmounts.flatMap(([field, ...paths]) =>
    reader.valuesAt(node, 'money', paths).flatMap(({ value, from, currencyFrom }): Parsed<string>[] => {
      const isAssigned = assign<EventOptionRecord, typeof field>(option, field, { value: value.Value, from })
      return isAssigned ? [{ value: value.Currency, from: currencyFrom }] : []
    }),
  )
  for (const { value, from } of [...(offered ? [offered] : []), ...currencies]) {
    for (const movement of cash) movement.Currency ??= value
    if (cash.some(({ Currency }) => Currency === value)) markMapped(from)
  }
}
