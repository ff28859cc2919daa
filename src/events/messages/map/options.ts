import { isDeepStrictEqual } from 'node:util'
import type { EventTypeCode } from '../../codes/event-types.ts'
import { type OptionTypeCode, optionTypeCodes } from '../../codes/option-types.ts'
import type { EventOptionRecord } from '../../import/schema.ts'
import { ParseError } from '../errors.ts'
import { leavesOf, type MessageNode } from '../node.ts'
import { assign, markMapped, type Paths, type Reader } from '../reader.ts'
import { readIndicators, readNarrative } from './indicators.ts'
import { readCashMovement, readRates, readSecurityMovement } from './movements.ts'
import { cashPrices, optionIndicators, optionMappings, payoutPaths, securityRatios, sharedMappings } from './tables.ts'

const statuses: Readonly<Record<string, NonNullable<EventOptionRecord['OptionStatus']>>> = {
  INTV: 'Inactive',
  CANC: 'Cancelled',
}
const maxOptions = 200
const maxMovements = 200

export const optionPaths: Paths = ['CorpActnOptnDtls', 'CAOPTN']

/** The options of an event. Another page can continue an option: the same number is the same option. */
export function readOptions(reader: Reader, root: MessageNode, eventType: EventTypeCode): EventOptionRecord[] {
  const options = new Map<string, EventOptionRecord>()
  const nodes = new Map<string, MessageNode[]>()
  for (const node of reader.nodesAt(root, optionPaths)) {
    const id = reader.find(node, 'optionNumber', ['OptnNb', '13:CAON'])
    if (!id) throw new ParseError(node.line, `${node.path} has no option number.`)
    const [number = node] = id.from
    const same = nodes.getOrInsert(id.value, [])
    const earlier = same.find(({ page }) => page === node.page)
    if (earlier) reader.malformed.set(number, `is also the number of the option in line ${earlier.line}`)
    same.push(node)
    markMapped(id.from, 'OptionId')
    readOption(reader, node, options.getOrInsert(id.value, { OptionId: id.value }), eventType)
    for (const leaf of leavesOf(node)) if (leaf.mappedTo) leaf.mappedTo = `Options[${id.value}].${leaf.mappedTo}`
  }
  if (options.size > maxOptions) throw new ParseError(root.line, `Has more than ${maxOptions} options.`)
  return applyShared(reader, root, [...options.values()])
}

function readOption(reader: Reader, node: MessageNode, option: EventOptionRecord, eventType: EventTypeCode): void {
  const type = reader.find(node, 'code', ['OptnTp', '22:CAOP'])
  const Code = type?.value as OptionTypeCode
  if (type && optionTypeCodes.includes(Code))
    assign<EventOptionRecord, 'OptionType'>(option, 'OptionType', { ...type, value: { Code } })
  const status = reader.find(node, 'code', ['OptnAvlbtySts', '22:OSTA'])
  const OptionStatus = status && statuses[status.value]
  if (OptionStatus)
    assign<EventOptionRecord, 'OptionStatus'>(option, 'OptionStatus', { ...status, value: OptionStatus })
  reader.fill<EventOptionRecord>(option, node, optionMappings)
  readTaxability(reader, node, option)
  readPayouts(reader, node, option)
  readMovements(reader, node, option, eventType)
  readRates(reader, node, option)
  const indicators = readIndicators(reader, node, 'OptionIndicators', optionIndicators, option.OptionIndicators)
  if (indicators.length > 0) option.OptionIndicators = indicators
  const narrative = readNarrative(reader, node, [['AddtlInf', '']])
  if (narrative !== '') option.Narrative = [option.Narrative, narrative].filter(Boolean).join('\n\n')
}

function readTaxability(reader: Reader, node: MessageNode, option: EventOptionRecord): void {
  const codes = reader.valuesAt(
    node,
    'code',
    ['CshMvmntDtls/IssrOfferrTaxbltyInd', 'CASHMOVE/22:TXAP'],
    ['SctiesMvmntDtls/IssrOfferrTaxbltyInd', 'SECMOVE/22:TXAP'],
  )
  for (const { value, from } of codes)
    if (value === 'TXBL') assign<EventOptionRecord, 'IsTaxable'>(option, 'IsTaxable', { value: true, from })
}

/** A cash movement may repeat the components of its option. */
function readPayouts(reader: Reader, node: MessageNode, option: EventOptionRecord): void {
  const payouts = option.PayoutBreakdown ?? []
  for (const { value, from } of reader.valuesAt(node, 'payout', ...payoutPaths)) {
    if (payouts.length >= maxMovements) break
    if (!payouts.some((payout) => isDeepStrictEqual(payout, value))) payouts.push(value)
    markMapped(from, 'PayoutBreakdown')
  }
  if (payouts.length > 0) option.PayoutBreakdown = payouts
}

function readMovements(reader: Reader, node: MessageNode, option: EventOptionRecord, eventType: EventTypeCode): void {
  const cashNodes = reader.nodesAt(node, ['CshMvmntDtls', 'CASHMOVE'])
  const securityNodes = reader.nodesAt(node, ['SctiesMvmntDtls', 'SECMOVE'])
  const cash = [...cashNodes, ...(hasOwnPrice(reader, node) ? [node] : [])].map((each) =>
    readCashMovement(reader, each),
  )
  const hasOwn = hasOwnSecurity(reader, node, option, securityNodes.length > 0)
  const securities = [...securityNodes, ...(hasOwn ? [node] : [])].map((each) =>
    readSecurityMovement(reader, each, eventType),
  )
  if (cash.length > 0) option.CashMovements = withNew(node, option.CashMovements, cash)
  if (securities.length > 0) option.SecurityMovements = withNew(node, option.SecurityMovements, securities)
  if (option.CashMovements?.some(({ CashMovementType }) => CashMovementType === 'Debit')) option.CashRequired = true
}

/** Older messages have the price of a movement in the option itself. */
function hasOwnPrice(reader: Reader, node: MessageNode): boolean {
  return reader.format === 'mt564' && cashPrices.some(([, ...paths]) => reader.nodesAt(node, paths).length > 0)
}

/** Older messages have the ratio there too, and an option for securities may name them without a movement. */
function hasOwnSecurity(reader: Reader, node: MessageNode, option: EventOptionRecord, hasMovements: boolean): boolean {
  const hasRatio = securityRatios.some(([, , ...paths]) => reader.nodesAt(node, paths).length > 0)
  const hasName = reader.nodesAt(node, ['FinInstrmId', '35B']).length > 0
  return hasRatio || (hasName && !hasMovements && /^(SECU|CASE)$/.test(option.OptionType?.Code ?? ''))
}

/** A page that continues an option may repeat movements of the page before. */
function withNew<T>(node: MessageNode, known: readonly T[] = [], more: readonly T[]): T[] {
  const all = [...known, ...more.filter((item) => !known.some((other) => isDeepStrictEqual(item, other)))]
  if (all.length > maxMovements)
    throw new ParseError(node.line, `${node.path} has more than ${maxMovements} movements.`)
  return all
}

/** Fields of the event that apply to all options. Without options, one is created for them. */
function applyShared(reader: Reader, root: MessageNode, options: EventOptionRecord[]): EventOptionRecord[] {
  const shared: Partial<EventOptionRecord> = {}
  for (const [field, parser, ...paths] of sharedMappings) {
    const parsed = reader.find(root, parser, paths)
    if (!parsed) continue
    const without = options.filter((option) => option[field] === undefined)
    for (const option of without) Object.assign(option, { [field]: parsed.value })
    if (options.length === 0) Object.assign(shared, { [field]: parsed.value })
    if (options.length === 0 || options.some((option) => isDeepStrictEqual(option[field], parsed.value)))
      markMapped(parsed.from, `Options.${field}`)
  }
  return options.length === 0 && Object.keys(shared).length > 0 ? [{ OptionId: '001', ...shared }] : options
}
