import { decode } from '../messages/decode.ts'
import { MalformedMessage, ParseError } from '../messages/errors.ts'
import * as limits from '../messages/limits.ts'
import type { Message, MessageError, MessageFormat } from '../messages/message.ts'
import { mt564Pages } from '../messages/mt564/mt564.ts'
import { PageAssembler } from '../messages/page-assembler.ts'
import { seev031Pages } from '../messages/seev031/seev031.ts'
import type { EventRecord, EventSource } from './schema.ts'

export type { Message, MessageError, MessageFormat, NotifiedEvent, Unmapped } from '../messages/message.ts'
export { PageAssembler }

export type ReadMessages = Readonly<{ messages: readonly Message[]; faults: readonly MessageError[] }>

/** One instrument in one of its asset types. */
export type Listing = Readonly<Pick<EventRecord, 'Uic' | 'AssetType'>>

/** Reads a file of one or several messages, each when it is asked for; whatever the bytes are, the answer is messages
 *  and faults. Pages of a message that stand in different files find each other in `waiting`, whose faults count the
 *  lines of all files. */
export function* messagesIn(
  bytes: Uint8Array,
  format: MessageFormat,
  waiting: PageAssembler,
  linesBefore = 0,
): Generator<Message | MessageError> {
  let [number, wrong] = [0, 0]
  try {
    const text = decode(bytes, format === 'mt564')
    for (const readPage of (format === 'seev031' ? seev031Pages : mt564Pages)(text)) {
      if (wrong >= limits.faultsOfFile) throw new ParseError(1, 'The rest was not read: too much is wrong.')
      for (const one of attempt(++number, () => waiting.add(readPage(), linesBefore))) {
        yield one
        if ('reason' in one && one.code === undefined) wrong++
      }
    }
    if (number === 0) throw new ParseError(1, 'Holds no message.')
  } catch (error) {
    yield faultOf(error)
  }
}

/** A file that stands alone, at once. */
export function readMessages(bytes: Uint8Array, format: MessageFormat): ReadMessages {
  const waiting = new PageAssembler()
  const [messages, faults]: [Message[], MessageError[]] = [[], []]
  for (const one of messagesIn(bytes, format, waiting))
    if ('reason' in one) faults.push(one)
    else messages.push(one)
  return { messages, faults: [...faults, ...waiting.faults()] }
}

function attempt(number: number, read: () => Message | undefined): (Message | MessageError)[] {
  try {
    const message = read()
    return message ? [message] : []
  } catch (error) {
    const faults = error instanceof MalformedMessage ? error.faults : [error]
    return faults.map((fault) => faultOf(fault, number))
  }
}

function faultOf(error: unknown, message?: number): MessageError {
  if (!(error instanceof ParseError)) throw error
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
