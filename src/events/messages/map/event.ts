import { identifierText } from '../../../core/records/identifiers.ts'
import type { EventState } from '../../api/enums.ts'
import { type EventTypeCode, eventTypeCodes } from '../../codes/event-types.ts'
import type { EventRecord } from '../../import/schema.ts'
import { ParseError, quoted } from '../errors.ts'
import * as limits from '../limits.ts'
import type { NotifiedEvent } from '../message.ts'
import { type MessageNode, nodesAt } from '../node.ts'
import { markMapped, type Paths, type Reader } from '../reader.ts'
import type { Parsed } from '../values.ts'
import { readIndicators, readNarrative } from './indicators.ts'
import { optionPaths, readOptions } from './options.ts'
import { eventIndicators, eventMappings } from './tables.ts'

/** The event in a complete message. Marks the leaves it uses as mapped. */
export function readEvent(reader: Reader, root: MessageNode): NotifiedEvent {
  const Code = readEventType(reader, root)
  const hasOptions = reader.nodesAt(root, optionPaths).length > 0
  const Options = readOptions(reader, root, Code)
  const event: NotifiedEvent = {
    ...readParticipation(reader, root, hasOptions),
    EventType: { Code },
    EventState: readState(reader, root),
  }
  reader.fill<EventRecord>(event, root, eventMappings)
  readRestrictions(reader, root, event)
  const narrative = readNarrative(reader, root, [
    ['AddtlInf', 'ADDINFO/'],
    ['CorpActnDtls/AddtlInf', 'CADETL/'],
  ])
  if (narrative !== '') event.Narrative = narrative
  const indicators = readIndicators(reader, root, 'EventIndicators', eventIndicators)
  if (indicators.length > 0) event.EventIndicators = indicators
  if (Options.length > 0) event.Options = Options
  return event
}

export function readReference(reader: Reader, root: MessageNode): string {
  const parsed =
    reader.find(root, 'reference', ['CorpActnGnlInf/OffclCorpActnEvtId', 'GENL/20:COAF']) ??
    findSenderReference(reader, root)
  if (!parsed || parsed.value === 'NONREF')
    throw new ParseError(root.line, 'The reference of the corporate action is missing.')
  if (parsed.value.length > limits.referenceLength || !/^[!-~]([ -~]*[!-~])?$/.test(parsed.value))
    throw new ParseError(
      parsed.from[0]?.line ?? root.line,
      `The reference of the corporate action must be up to ${limits.referenceLength} printable ASCII characters.`,
    )
  markMapped(parsed.from, 'EventId, Source.Reference')
  return parsed.value
}

export const findSenderReference = (reader: Reader, root: MessageNode) =>
  reader.find(root, 'reference', ['CorpActnGnlInf/CorpActnEvtId', 'GENL/20:CORP'])

/** The elements that identify the security, by version. */
const securityPaths = [
  'CorpActnGnlInf/UndrlygScty/FinInstrmId',
  'CorpActnGnlInf/UndrlygScty/SctyId',
  'CorpActnGnlInf/UndrlygScty/SctyId/Id',
  'CorpActnGnlInf/FinInstrmId',
]
const pathsTo = (element: string, field: string): Paths[] =>
  securityPaths.map((path, index) => [`${path}/${element}`, index === 0 ? field : ''])

const maxIdentifiers = 20

/** The ISIN decides, because several securities may have the same ticker. No field of an event holds another identifier, so it
 *  also stays unmapped. */
export function readIdentifiers(reader: Reader, root: MessageNode): string[] {
  const isin = reader.find(root, 'isin', ...pathsTo('ISIN', 'USECU/35B/ISIN'))
  if (isin) {
    markMapped(isin.from, 'Uic, AssetType')
    return [identifierText({ Type: 'ISIN', Value: isin.value })]
  }
  const others = reader.valuesAt(root, 'identifier', ...pathsTo('OthrId', 'USECU/35B/Id'))
  if (others.length === 0)
    throw new ParseError(root.line, 'The security has no identifier: neither an ISIN nor another one.', 'NoIdentifier')
  return [...new Set(others.map(({ value }) => value))].slice(0, maxIdentifiers)
}

/** A proprietary event type becomes OTHR; its own code stays unmapped. */
function readEventType(reader: Reader, root: MessageNode): EventTypeCode {
  const parsed = reader.find(root, 'code', ['CorpActnGnlInf/EvtTp', 'GENL/22:CAEV'])
  if (!parsed) {
    const isProprietary =
      nodesAt(root, 'CorpActnGnlInf/EvtTp/Prtry').length > 0 ||
      nodesAt(root, 'GENL').some(({ children }) => children.some(({ name }) => name.startsWith('22:CAEV/')))
    if (isProprietary) return 'OTHR'
    throw new ParseError(root.line, 'The event type (CAEV) is missing.')
  }
  const code = eventTypeCodes.find((known) => known === parsed.value)
  if (!code) throw notIn(parsed, 'an event type of the standard')
  markMapped(parsed.from, 'EventType')
  return code
}

function notIn({ value, from: [leaf] }: Parsed<string>, known: string): ParseError {
  return new ParseError(leaf?.line ?? 1, `${leaf?.path} ${quoted(value)} is not ${known}.`)
}

/** Mandatory with options (CHOS) is Mandatory and Electable. Without options in the message Electable is unknown. */
function readParticipation(reader: Reader, root: MessageNode, hasOptions: boolean) {
  const parsed = reader.find(root, 'code', ['CorpActnGnlInf/MndtryVlntryEvtTp', 'GENL/22:CAMV'])
  if (!parsed)
    throw new ParseError(root.line, 'Whether the event is mandatory or voluntary (MAND, CHOS or VOLU) is missing.')
  const code = parsed.value
  if (!/^(MAND|CHOS|VOLU)$/.test(code)) throw notIn(parsed, 'MAND, CHOS or VOLU')
  if (code !== 'CHOS' || hasOptions) markMapped(parsed.from, 'CorporateActionType, Electable')
  const CorporateActionType = code === 'VOLU' ? ('Voluntary' as const) : ('Mandatory' as const)
  if (code === 'MAND') return { CorporateActionType, Electable: 'NotElectable' as const }
  return { CorporateActionType, ...(hasOptions && { Electable: 'Electable' as const }) }
}

/** No field can hold the absence of restrictions, so false stays unmapped. */
function readRestrictions(reader: Reader, root: MessageNode, event: NotifiedEvent): void {
  const parsed = reader.find(root, 'flag', ['CorpActnDtls/RstrctnInd', 'CADETL/17:COMP'])
  if (parsed?.value !== true) return
  event.InformationToComply = 'RestrictionsMayApply'
  markMapped(parsed.from, 'InformationToComply')
}

/** A state, and whether it represents the code in full; otherwise the code also stays unmapped. */
type States = ReadonlyMap<string, readonly [state: EventState, isWhole: boolean]>
const functionStates: States = new Map([
  ['CANC', ['Cancelled', true]],
  ['WITH', ['Withdrawn', true]],
])
const stageStates: States = new Map([
  ['APPD', ['Approved', true]],
  ['LAPS', ['Cancelled', false]],
])
/** COMP means that the details are complete, not that the event is over. */
const processingStates: States = new Map([
  ['COMP', ['Confirmed', true]],
  ['ENTL', ['Confirmed', false]],
  ['PREU', ['Preliminary', true]],
  ['PREC', ['Preliminary', false]],
  ['INFO', ['Preliminary', false]],
  ['COMP CONF', ['Confirmed', true]],
  ['INCO UCON', ['Preliminary', true]],
])
const functionPaths: Paths = ['', 'GENL/23G']

/** A cancellation or withdrawal; seev.031 has no such function. */
export const isCancelling = (reader: Reader, root: MessageNode): boolean =>
  reader.nodesAt(root, functionPaths).some((node) => functionStates.has(reader.parse.code(node)?.value ?? ''))

/** From the function of the message (23G), then the stage of the event, then its processing status (§7.7). */
function readState(reader: Reader, root: MessageNode): EventState {
  const codesAt = (...paths: Paths[]) => reader.nodesAt(root, ...paths).map((node) => reader.parse.code(node))
  const functions = codesAt(functionPaths)
  const stages = codesAt(['CorpActnDtls/EvtStag', 'CADETL/22:ESTA'])
  const status = codesAt(
    ['NtfctnGnlInf/PrcgSts/*/EvtCmpltnsSts', 'GENL/25:PROC'],
    ['NtfctnGnlInf/PrcgSts/*/EvtConfSts', ''],
  )
  const candidates = [
    ...functions.map((code) => ({ states: functionStates, codes: [code] })),
    ...stages.map((code) => ({ states: stageStates, codes: [code] })),
    { states: processingStates, codes: status },
  ]
  for (const { states, codes } of candidates) {
    const [state, isWhole] = states.get([...new Set(codes.map((code) => code?.value))].join(' ')) ?? []
    if (isWhole)
      markMapped(
        codes.flatMap((code) => code?.from ?? []),
        'EventState',
      )
    if (state) return state
  }
  return 'Preliminary'
}
