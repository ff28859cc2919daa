import type { EventState } from '../../api/enums.ts'
import { type EventTypeCode, eventTypeCodes } from '../../codes/event-types.ts'
import type { EventRecord } from '../../import/schema.ts'
import { ParseError, quoted } from '../errors.ts'
import * as limits from '../limits.ts'
import type { NotifiedEvent } from '../message.ts'
import { type MessageNode, nodesAt } from '../node.ts'
import { markMapped, type Reader } from '../reader.ts'
import { readIndicators, readNarrative } from './indicators.ts'
import { isIsin } from './movements.ts'
import { optionPlaces, readOptions } from './options.ts'
import { eventIndicators, eventRows } from './tables.ts'

/** The event that a whole message tells. What it takes from the message is marked as mapped there. */
export function readEvent(reader: Reader, root: MessageNode): NotifiedEvent {
  const Code = readEventType(reader, root)
  const hasChoice = reader.nodesAt(root, optionPlaces).length > 0
  const Options = readOptions(reader, root)
  const event: NotifiedEvent = {
    ...readChoice(reader, root, hasChoice),
    EventType: { Code },
    EventState: readState(reader, root),
  }
  reader.fill<EventRecord>(event, root, eventRows)
  readRestrictions(reader, root, event)
  const narrative = readNarrative(reader, root, [
    ['AddtlInf', 'ADDINFO/'],
    ['CorpActnDtls/AddtlInf', 'CADETL/'],
  ])
  if (narrative !== '') event.Narrative = narrative
  const indicators = readIndicators(reader, root, eventIndicators)
  if (indicators.length > 0) event.EventIndicators = indicators
  if (Options.length > 0) event.Options = Options
  return event
}

/** The official reference, else the sender's. */
export function readReference(reader: Reader, root: MessageNode): string {
  const read =
    reader.find(root, 'text', ['CorpActnGnlInf/OffclCorpActnEvtId', 'GENL/20:COAF']) ??
    findSenderReference(reader, root)
  if (!read || read.value === 'NONREF') throw new ParseError(root.line, 'Has no reference of the corporate action.')
  if (read.value.length > limits.referenceLength || !/^[!-~]([ -~]*[!-~])?$/.test(read.value))
    throw new ParseError(
      read.from[0]?.line ?? root.line,
      `The reference of the corporate action must be up to ${limits.referenceLength} printable ASCII characters.`,
    )
  markMapped(read.from)
  return read.value
}

export const findSenderReference = (reader: Reader, root: MessageNode) =>
  reader.find(root, 'text', ['CorpActnGnlInf/CorpActnEvtId', 'GENL/20:CORP'])

export function readIsin(reader: Reader, root: MessageNode): string {
  const read = reader.find(
    root,
    'text',
    ['CorpActnGnlInf/UndrlygScty/FinInstrmId/ISIN', 'USECU/35B/ISIN'],
    ['CorpActnGnlInf/UndrlygScty/SctyId/ISIN', ''],
    ['CorpActnGnlInf/FinInstrmId/ISIN', ''],
  )
  if (!read) throw new ParseError(root.line, 'Names its security by no ISIN.', 'NoIsin')
  if (!isIsin(read.value)) throw new ParseError(read.from[0]?.line ?? root.line, `${quoted(read.value)} is no ISIN.`)
  markMapped(read.from)
  return read.value
}

/** An event type of the sender's own is OTHR; what it is called there stays beside the event. */
function readEventType(reader: Reader, root: MessageNode): EventTypeCode {
  const read = reader.find(root, 'code', ['CorpActnGnlInf/EvtTp', 'GENL/22:CAEV'])
  if (!read) {
    const hasOwn =
      nodesAt(root, 'CorpActnGnlInf/EvtTp/Prtry').length > 0 ||
      nodesAt(root, 'GENL').some(({ parts }) => parts.some(({ name }) => name.startsWith('22:CAEV/')))
    if (hasOwn) return 'OTHR'
    throw new ParseError(root.line, 'Has no event type (CAEV).')
  }
  const code = eventTypeCodes.find((known) => known === read.value)
  if (!code) throw new ParseError(read.from[0]?.line ?? root.line, `The event type ${quoted(read.value)} is unknown.`)
  markMapped(read.from)
  return code
}

/** Mandatory with options (CHOS) is mandatory, and yet there is something to elect. Where no option is told, a message
 *  does not say whether there is one. */
function readChoice(reader: Reader, root: MessageNode, hasOptions: boolean) {
  const read = reader.find(root, 'code', ['CorpActnGnlInf/MndtryVlntryEvtTp', 'GENL/22:CAMV'])
  const kind = read?.value
  if (kind !== 'MAND' && kind !== 'CHOS' && kind !== 'VOLU')
    throw new ParseError(root.line, 'Does not say whether it is mandatory or voluntary (MAND, CHOS or VOLU).')
  if (kind !== 'CHOS' || hasOptions) markMapped(read?.from ?? [])
  const CorporateActionType = kind === 'VOLU' ? ('Voluntary' as const) : ('Mandatory' as const)
  if (kind === 'MAND') return { CorporateActionType, Electable: 'NotElectable' as const }
  return { CorporateActionType, ...(hasOptions && { Electable: 'Electable' as const }) }
}

/** A restriction can be told, that there is none cannot. */
function readRestrictions(reader: Reader, root: MessageNode, event: NotifiedEvent): void {
  const read = reader.find(root, 'flag', ['CorpActnDtls/RstrctnInd', 'CADETL/17:COMP'])
  if (read?.value !== true) return
  event.InformationToComply = 'RestrictionsMayApply'
  markMapped(read.from)
}

type State = readonly [state: EventState, isWhole: boolean]
/** By the function of the message (23G), then the stage of the event, then how far it is known. Codes that the state
 *  tells only in part stay beside the event. A message is "complete" when its details are; the event is not over. */
const functions = new Map<string, State>([
  ['CANC', ['Cancelled', true]],
  ['WITH', ['Withdrawn', true]],
])
const stages = new Map<string, State>([
  ['APPD', ['Approved', true]],
  ['LAPS', ['Cancelled', false]],
])
const statuses = new Map<string, State>([
  ['COMP', ['Confirmed', true]],
  ['ENTL', ['Confirmed', false]],
  ['PREU', ['Preliminary', true]],
  ['PREC', ['Preliminary', false]],
  ['INFO', ['Preliminary', false]],
  ['COMP CONF', ['Confirmed', true]],
  ['INCO UCON', ['Preliminary', true]],
])

/** A cancellation or a withdrawal; seev.031 has no such function. */
export const isCancelling = (reader: Reader, root: MessageNode): boolean =>
  reader.nodesAt(root, ['', 'GENL/23G']).some((part) => functions.has(reader.forms.code(part)?.value ?? ''))

function readState(reader: Reader, root: MessageNode): EventState {
  const one = (places: readonly [string, string]) => reader.nodesAt(root, places).map((part) => reader.forms.code(part))
  const known = [
    ...one(['NtfctnGnlInf/PrcgSts/*/EvtCmpltnsSts', 'GENL/25:PROC']),
    ...one(['NtfctnGnlInf/PrcgSts/*/EvtConfSts', '']),
  ]
  const told: [Map<string, State>, ReturnType<typeof one>][] = [
    ...one(['', 'GENL/23G']).map((read): [Map<string, State>, [typeof read]] => [functions, [read]]),
    ...one(['CorpActnDtls/EvtStag', 'CADETL/22:ESTA']).map((read): [Map<string, State>, [typeof read]] => [
      stages,
      [read],
    ]),
    [statuses, known],
  ]
  for (const [states, reads] of told) {
    const found = states.get([...new Set(reads.map((read) => read?.value))].join(' '))
    if (!found) continue
    const [state, isWhole] = found
    if (isWhole) markMapped(reads.flatMap((read) => read?.from ?? []))
    return state
  }
  return 'Preliminary'
}
