import { decode } from '../messages/decode.ts'
import * as limits from '../messages/limits.ts'
import { mt564Pages } from '../messages/mt564/mt564.ts'
import { WaitingPages } from '../messages/pages.ts'
import { seev031Pages } from '../messages/seev031/seev031.ts'
import { MalformedValues, Unreadable, type UnreadableCode } from '../messages/unreadable.ts'
import type { EventRecord, EventSource } from './schema.ts'

export { WaitingPages }

/**
 * Corporate action notifications as custodians send them: ISO 20022 seev.031 (XML) and ISO 15022 MT564.
 *
 *   const waiting = new WaitingPages()
 *   for (file of files) {
 *     for (one of messagesIn(bytes, 'seev031', waiting, linesBefore))
 *       if ('reason' in one) faults.push(one)
 *       else records.push(...eventsOf(one, listingsOf(one.isin)))
 *   }
 *   faults.push(...waiting.faults())
 */
export type MessageFormat = EventSource['Format']

/** What was said in a message and has no member in an event. */
export type Unmapped = NonNullable<EventSource['Unmapped']>[number]

/** An event as a message tells it: of no listing yet. It has no Holdings: those that are kept stay as they are. */
export type ToldEvent = Omit<EventRecord, 'EventId' | 'Uic' | 'AssetType' | 'Holdings' | 'Source'>

export type Message = Readonly<{
  format: MessageFormat
  /** Its place in its file, from 1; of several pages the place of the last that was read. */
  number: number
  /** The line of the file on which it begins, from 1. */
  line: number
  /** The official reference of the corporate action, else the sender's. */
  reference: string
  /** The security that the event is about; whoever reads looks up its listings. */
  isin: string
  /** It calls the event off: what it does not repeat has not changed. */
  cancels: boolean
  event: ToldEvent
  unmapped: readonly Unmapped[]
  /** Every value of the message is a leaf: a member of the event tells all of it, or it is unmapped. */
  leaves: Readonly<{ all: number; mapped: number; unmapped: number }>
}>

/** Why a message, or a whole file, was not read. A sentence for people. */
export type MessageFault = Readonly<{
  /** From 1. */
  line: number
  /** The place of the message in the file, from 1; absent when the whole file is at fault. */
  message?: number
  reason: string
  /** NoIsin: the message names its security by something else, such as a national number. OtherMessage: it is no
   *  notification. Whoever reads may leave it out. */
  code?: UnreadableCode
}>

export type ReadMessages = Readonly<{ messages: readonly Message[]; faults: readonly MessageFault[] }>

/** One instrument in one of its asset types. */
export type Listing = Readonly<Pick<EventRecord, 'Uic' | 'AssetType'>>

/** Reads a file of one or several messages, each when it is asked for; whatever the bytes are, the answer is messages
 *  and faults. Pages of a message that stand in different files find each other in `waiting`, whose faults count the
 *  lines of all files. */
export function* messagesIn(
  bytes: Uint8Array,
  format: MessageFormat,
  waiting: WaitingPages,
  linesBefore = 0,
): Generator<Message | MessageFault> {
  let [number, wrong] = [0, 0]
  try {
    const text = decode(bytes, format === 'mt564')
    for (const readPage of (format === 'seev031' ? seev031Pages : mt564Pages)(text)) {
      if (wrong >= limits.faultsOfFile) throw new Unreadable(1, 'The rest was not read: too much is wrong.')
      for (const one of attempt(++number, () => waiting.add(readPage(), linesBefore))) {
        yield one
        if ('reason' in one && one.code === undefined) wrong++
      }
    }
    if (number === 0) throw new Unreadable(1, 'Holds no message.')
  } catch (error) {
    yield faultOf(error)
  }
}

/** A file that stands alone, at once. */
export function readMessages(bytes: Uint8Array, format: MessageFormat): ReadMessages {
  const waiting = new WaitingPages()
  const [messages, faults]: [Message[], MessageFault[]] = [[], []]
  for (const one of messagesIn(bytes, format, waiting))
    if ('reason' in one) faults.push(one)
    else messages.push(one)
  return { messages, faults: [...faults, ...waiting.faults()] }
}

function attempt(number: number, read: () => Message | undefined): (Message | MessageFault)[] {
  try {
    const message = read()
    return message ? [message] : []
  } catch (error) {
    const faults = error instanceof MalformedValues ? error.faults : [error]
    return faults.map((fault) => faultOf(fault, number))
  }
}

function faultOf(error: unknown, message?: number): MessageFault {
  if (!(error instanceof Unreadable)) throw error
  const { line, message: reason, code } = error
  return { line, ...(message !== undefined && { message }), reason, ...(code && { code }) }
}

/** One event for each listing of the message's security: an instrument's first asset type has the short EventId, the
 *  further ones name theirs (contract §7). Listings come in the order of the instrument's asset types. */
export function eventsOf(message: Message, listings: readonly Listing[]): EventRecord[] {
  const { format, reference, event, unmapped } = message
  const Source: EventSource = {
    Format: format,
    Reference: reference,
    ...(unmapped.length > 0 && { Unmapped: [...unmapped] }),
  }
  const met = new Set<number>()
  return listings.map(({ Uic, AssetType }) => {
    const EventId = met.has(Uic) ? `${reference}-${Uic}-${AssetType}` : `${reference}-${Uic}`
    met.add(Uic)
    return { EventId, Uic, AssetType, ...event, Source }
  })
}
