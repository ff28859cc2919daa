import { isDeepStrictEqual } from 'node:util'
import { type OptionTypeCode, optionTypeCodes } from '../../codes/option-types.ts'
import type { EventOptionRecord } from '../../import/schema.ts'
import { ParseError } from '../errors.ts'
import type { MessageNode } from '../node.ts'
import { assign, markMapped, type Paths, type Reader } from '../reader.ts'
import { readIndicators, readNarrative } from './indicators.ts'
import { readCashMovement, readSecurityMovement, shareCurrency } from './movements.ts'
import { cashPrices, commonRows, optionIndicators, optionRows, payoutPlaces, securityRatios } from './tables.ts'

type Status = NonNullable<EventOptionRecord['OptionStatus']>
const statuses = new Map<string, Status>([
  ['INTV', 'Inactive'],
  ['CANC', 'Cancelled'],
])
const mostOptions = 200
const mostMovements = 200

export const optionPlaces: Paths = ['CorpActnOptnDtls', 'CAOPTN']

/** The options of an event. Pages can continue an option: the same number is the same option. */
export function readOptions(reader: Reader, root: MessageNode): EventOptionRecord[] {
  const options = new Map<string, EventOptionRecord>()
  for (const part of reader.nodesAt(root, optionPlaces)) {
    const id = reader.find(part, 'text', ['OptnNb', '13:CAON'], ['OptnNb/Nb', ''])
    if (!id || id.value.length > 20) throw new ParseError(part.line, `${part.path} has no option number.`)
    const option = options.get(id.value) ?? { OptionId: id.value }
    markMapped(id.from)
    options.set(id.value, option)
    readOption(reader, part, option)
  }
  if (options.size > mostOptions) throw new ParseError(root.line, `Has more than ${mostOptions} options.`)
  return shareCommon(reader, root, [...options.values()])
}

function readOption(reader: Reader, part: MessageNode, option: EventOptionRecord): void {
  const type = reader.find(part, 'code', ['OptnTp', '22:CAOP'])
  if (type && optionTypeCodes.includes(type.value as OptionTypeCode))
    assign<EventOptionRecord, 'OptionType'>(option, 'OptionType', {
      ...type,
      value: { Code: type.value as OptionTypeCode },
    })
  const status = reader.find(part, 'code', ['OptnAvlbtySts', '22:OSTA'])
  const OptionStatus = status && statuses.get(status.value)
  if (OptionStatus)
    assign<EventOptionRecord, 'OptionStatus'>(option, 'OptionStatus', { ...status, value: OptionStatus })
  reader.fill<EventOptionRecord>(option, part, optionRows)
  readTaxability(reader, part, option)
  readPayouts(reader, part, option)
  readMovements(reader, part, option)
  shareCurrency(reader, part, option)
  const indicators = readIndicators(reader, part, optionIndicators, option.OptionIndicators)
  if (indicators.length > 0) option.OptionIndicators = indicators
  const narrative = readNarrative(reader, part, [['AddtlInf', '']])
  if (narrative !== '') option.Narrative = [option.Narrative, narrative].filter(Boolean).join('\n\n')
}

function readTaxability(reader: Reader, part: MessageNode, option: EventOptionRecord): void {
  const places: Paths[] = [
    ['CshMvmntDtls/IssrOfferrTaxbltyInd', 'CASHMOVE/22:TXAP'],
    ['SctiesMvmntDtls/IssrOfferrTaxbltyInd', 'SECMOVE/22:TXAP'],
  ]
  for (const found of places.flatMap((place) => reader.nodesAt(part, place))) {
    const read = reader.forms.code(found)
    if (read?.value === 'TXBL') assign<EventOptionRecord, 'IsTaxable'>(option, 'IsTaxable', { ...read, value: true })
  }
}

/** What is paid can be told in parts at the option and again at its cash movement. */
function readPayouts(reader: Reader, part: MessageNode, option: EventOptionRecord): void {
  const payouts = option.PayoutBreakdown ?? []
  for (const found of payoutPlaces.flatMap((places) => reader.nodesAt(part, places))) {
    const read = reader.forms.payout(found)
    if (!read || payouts.length >= mostMovements) continue
    if (!payouts.some((payout) => isDeepStrictEqual(payout, read.value))) payouts.push(read.value)
    markMapped(read.from)
  }
  if (payouts.length > 0) option.PayoutBreakdown = payouts
}

function readMovements(reader: Reader, part: MessageNode, option: EventOptionRecord): void {
  const cash = [...reader.nodesAt(part, ['CshMvmntDtls', 'CASHMOVE']), ...(hasOwnPrice(reader, part) ? [part] : [])]
  const inside = reader.nodesAt(part, ['SctiesMvmntDtls', 'SECMOVE'])
  const securities = [...inside, ...(hasOwnSecurity(reader, part, option, inside) ? [part] : [])]
  if (cash.length > 0)
    option.CashMovements = added(
      part,
      option.CashMovements,
      cash.map((movement) => readCashMovement(reader, movement)),
    )
  if (securities.length > 0)
    option.SecurityMovements = added(
      part,
      option.SecurityMovements,
      securities.map((movement) => readSecurityMovement(reader, movement)),
    )
  if (option.CashMovements?.some(({ CashMovementType }) => CashMovementType === 'Debit')) option.CashRequired = true
}

/** Older messages have the price of a movement in the option itself. */
function hasOwnPrice(reader: Reader, part: MessageNode): boolean {
  return reader.format === 'mt564' && cashPrices.some(([, ...places]) => reader.nodesAt(part, places).length > 0)
}

/** Older messages have the ratio there too; and an option to assign securities may name them without a movement. */
function hasOwnSecurity(
  reader: Reader,
  part: MessageNode,
  option: EventOptionRecord,
  inside: readonly MessageNode[],
): boolean {
  const hasRatio = securityRatios.some(([, , ...places]) => reader.nodesAt(part, places).length > 0)
  const names = reader.nodesAt(part, ['FinInstrmId', '35B']).length > 0
  return hasRatio || (names && inside.length === 0 && /^(SECU|CASE)$/.test(option.OptionType?.Code ?? ''))
}

/** A page that continues an option may repeat what the page before said. */
function added<T>(part: MessageNode, known: readonly T[] = [], more: readonly T[]): T[] {
  const all = [...known, ...more.filter((one) => !known.some((other) => isDeepStrictEqual(one, other)))]
  if (all.length > mostMovements)
    throw new ParseError(part.line, `${part.path} has more than ${mostMovements} movements.`)
  return all
}

/** What the event says for all options. Without any, one that has nothing else carries it: only options are paid. */
function shareCommon(reader: Reader, root: MessageNode, options: EventOptionRecord[]): EventOptionRecord[] {
  const common: Partial<EventOptionRecord> = {}
  for (const row of commonRows) {
    const [member, form, ...places] = row
    const read = reader.find(root, form, places)
    if (!read) continue
    const without = options.filter((option) => option[member] === undefined)
    for (const option of without) Object.assign(option, { [member]: read.value })
    if (options.length === 0) Object.assign(common, { [member]: read.value })
    if (options.length === 0 || options.some((option) => isDeepStrictEqual(option[member], read.value)))
      markMapped(read.from)
  }
  return options.length === 0 && Object.keys(common).length > 0 ? [{ OptionId: '001', ...common }] : options
}
