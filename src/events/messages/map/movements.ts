import type { EventTypeCode } from '../../codes/event-types.ts'
import type { EventOptionRecord } from '../../import/schema.ts'
import { leafAt, type MessageNode, textOf } from '../node.ts'
import { assign, markMapped, type Paths, type Reader } from '../reader.ts'
import { amountOf, type Parsed, type Price, type ValueParser } from '../values.ts'
import {
  type CashMovement,
  cashAmounts,
  cashMappings,
  cashPrices,
  optionAmounts,
  reinvestmentPrice,
  type SecurityMovement,
  securityMappings,
  securityRatios,
} from './tables.ts'

const [cashList, securityList] = ['CashMovements.', 'SecurityMovements.']
const namesIn = `${securityList}DisplayAndFormat.`

type MovementType = CashMovement['CashMovementType']
const directions: Readonly<Record<string, MovementType>> = {
  CRDT: 'Credit',
  CRED: 'Credit',
  DBIT: 'Debit',
  DEBT: 'Debit',
}

function directionOf(reader: Reader, node: MessageNode, field: string): MovementType {
  const parsed = reader.find(node, 'code', ['CdtDbtInd', '22:CRDB'])
  const direction = parsed && directions[parsed.value]
  if (direction) markMapped(parsed.from, field)
  return direction ?? 'Unknown'
}

export function readCashMovement(reader: Reader, node: MessageNode): CashMovement {
  const movement: CashMovement = { CashMovementType: directionOf(reader, node, `${cashList}CashMovementType`) }
  const assignAll = (field: AmountField, paths: Paths, parse: ValueParser<Price>): void => {
    for (const found of reader.nodesAt(node, paths)) {
      const isContradiction = assignAmount(movement, field, parse(found)) === false
      if (isContradiction) reader.malformed.set(found, contradictsAmount)
    }
  }
  for (const [field, ...paths] of cashAmounts) assignAll(field, paths, (found) => amountOf(reader.parse.money(found)))
  for (const [field, ...paths] of cashPrices) assignAll(field, paths, reader.parse.price)
  reader.fill<CashMovement>(movement, node, cashMappings, cashList)
  return movement
}

type AmountField = (typeof cashAmounts | typeof cashPrices)[number][0]

const contradictsAmount = 'contradicts an earlier amount in the same currency'

/** A movement has one currency and one price type; amounts in others stay unmapped. False if the field already has
 *  another amount. */
function assignAmount(movement: CashMovement, field: AmountField, parsed: Parsed<Price> | undefined): boolean {
  const { Value, Currency, Type } = parsed?.value ?? {}
  if (!parsed || Value === undefined) return true
  if (Currency !== undefined && (movement.Currency ?? Currency) !== Currency) return true
  if (Type !== undefined && (movement.PriceType ?? Type) !== Type) return true
  if (!assign<CashMovement, AmountField>(movement, field, { value: Value, from: parsed.from }, cashList)) return false
  if (Currency !== undefined) movement.Currency = Currency
  if (Type !== undefined) movement.PriceType = Type
  if (Currency !== undefined) markMapped(parsed.from, 'Currency')
  if (Type !== undefined) markMapped(parsed.from, 'PriceType')
  return true
}

/** The entitled quantity is that of the custodian's account, so it stays unmapped. */
export function readSecurityMovement(reader: Reader, node: MessageNode, eventType: EventTypeCode): SecurityMovement {
  const movement: SecurityMovement = {
    SecurityMovementType: directionOf(reader, node, `${securityList}SecurityMovementType`),
  }
  const currency = currencyOf(reader, node)
  if (currency) assign<SecurityMovement, 'Currency'>(movement, 'Currency', currency, securityList)
  const names = namesOf(reader, node)
  if (Object.keys(names).length > 0) movement.DisplayAndFormat = names
  for (const [first, second, ...paths] of securityRatios) {
    const ratio = reader.find(node, 'ratio', paths)
    if (!ratio) continue
    Object.assign(movement, { [first]: ratio.value[0], [second]: ratio.value[1] })
    markMapped(ratio.from, `${securityList}${first}, ${second}`)
  }
  reader.fill<SecurityMovement>(movement, node, securityMappings, securityList)
  if (reinvestments.includes(eventType)) readReinvestmentPrice(reader, node, movement)
  return movement
}

/** Event types in which the price that is paid for a new security is that of a reinvested dividend. */
const reinvestments: readonly EventTypeCode[] = ['DRIP', 'DVOP']

/** A movement has one currency; a price in another, or in percent, stays unmapped. */
function readReinvestmentPrice(reader: Reader, node: MessageNode, movement: SecurityMovement): void {
  const price = reader.find(node, 'price', reinvestmentPrice)
  const { Value, Currency, Type } = price?.value ?? {}
  if (!price || Value === undefined || Currency === undefined || Type !== 'Actual') return
  if ((movement.Currency ?? Currency) !== Currency) return
  movement.Currency = Currency
  assign<SecurityMovement, 'ReinvestmentPrice'>(
    movement,
    'ReinvestmentPrice',
    { value: Value, from: price.from },
    securityList,
  )
  markMapped(price.from, 'Currency')
}

type Names = NonNullable<SecurityMovement['DisplayAndFormat']>

function namesOf(reader: Reader, node: MessageNode): Names {
  const names: Names = {}
  for (const security of reader.nodesAt(node, ['SctyDtls/FinInstrmId', '35B'], ['FinInstrmId', ''])) {
    const isin = reader.find(security, 'isin', ['ISIN', 'ISIN'])
    if (isin) assign<Names, 'IsinCode'>(names, 'IsinCode', isin, namesIn)
    const description = leafAt(security, 'Desc')
    const text = description ? textOf(description) : ''
    if (description && text !== '' && text.length <= 2_000)
      assign(names, 'Description', { value: text, from: [description] }, namesIn)
  }
  return names
}

const currencyOf = (reader: Reader, node: MessageNode): Parsed<string> | undefined =>
  reader.find(node, 'currency', ['CcyOptn', '11:OPTN'])

/** Sets the rates of an option. Their currency applies to cash movements without one; otherwise it stays unmapped. */
export function readRates(reader: Reader, node: MessageNode, option: EventOptionRecord): void {
  const cash = option.CashMovements ?? []
  const offered = currencyOf(reader, node)
  const currencies = optionAmounts.flatMap(([field, ...paths]) => {
    let first: string | undefined
    return reader.nodesAt(node, paths).flatMap((found): (Parsed<string> & { rate?: string })[] => {
      const money = reader.parse.money(found)
      if (!money) return []
      const { Value, Currency } = money.value
      first ??= Currency
      if (assign<EventOptionRecord, typeof field>(option, field, { value: Value, from: money.from }))
        // In MT564 one value is both the rate and its currency.
        return [{ value: Currency, from: money.currencyFrom, ...(money.from.length === 0 && { rate: field }) }]
      if (Currency === first) reader.malformed.set(found, contradictsAmount)
      return []
    })
  })
  for (const { value, from, rate } of [...(offered ? [{ ...offered, rate: undefined }] : []), ...currencies]) {
    for (const movement of cash) movement.Currency ??= value
    if (!cash.some(({ Currency }) => Currency === value)) continue
    if (rate !== undefined) markMapped(from, rate)
    markMapped(from, `${cashList}Currency`)
  }
}
