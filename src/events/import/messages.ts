import { decode } from '../messages/decode.ts'
import { ParseError } from '../messages/errors.ts'
import * as limits from '../messages/limits.ts'
import type { Message, MessageError, MessageFormat } from '../messages/message.ts'
import { mt564Pages } from '../messages/mt564/mt564.ts'
import { PageAssembler } from '../messages/page-assembler.ts'
import { seev031Pages } from '../messages/seev031/seev031.ts'
import type { EventRecord, EventSource } from './schema.ts'

export type { Message, MessageError, MessageFormat, Unmapped } from '../messages/message.ts'
export { PageAssembler }

export type Listing = Readonly<Pick<EventRecord, 'Uic' | 'AssetType'>>

/** Reads the notifications in a file (ISO 20022 seev.031 or ISO 15022 MT564) lazily, as messages and errors. `pages`
 *  assembles messages across files; its own errors count lines through all of them. */
export function* messagesIn(
  bytes: Uint8Array,
  format: MessageFormat,
  pages: PageAssembler,
  linesBefore = 0,
): Generator<Message | MessageError> {
  let [number, errors] = [0, 0]
  try {
    const text = decode(bytes, format === 'mt564')
    for (const readPage of (format === 'seev031' ? seev031Pages : mt564Pages)(text)) {
      if (errors >= limits.errorsOfFile) throw new ParseError(1, 'Too many errors: the rest of the file was not read.')
      for (const one of attempt(++number, () => pages.add(readPage(), { number, linesBefore }))) {
        yield one
        if ('reason' in one && one.code === undefined) errors++
      }
    }
    if (number === 0) throw new ParseError(1, 'The file contains no message.')
  } catch (error) {
    yield errorOf(error)
  }
}

function attempt(number: number, read: () => Message | undefined): (Message | MessageError)[] {
  try {
    const message = read()
    return message ? [message] : []
  } catch (error) {
    const errors = error instanceof AggregateError ? error.errors : [error]
    return errors.map((each) => errorOf(each, number))
  }
}

function errorOf(error: unknown, message?: number): MessageError {
  if (!(error instanceof ParseError)) throw error
  const { line, message: reason, code } = error
  return { line, ...(message !== undefined && { message }), reason, ...(code && { code }) }
}

/** One event per listing of the security. After the first of an instrument, EventIds end in the asset type (§7.7). */
export function eventsOf(message: Message, listings: readonly Listing[]): EventRecord[] {
  const { format, reference, event, unmapped } = message
  const Source: EventSource = {
    Format: format,
    Reference: reference,
    ...(unmapped.length > 0 && { Unmapped: [...unmapped] }),
  }
  const seen = new Set<number>()
  return listings.map(({ Uic, AssetType }) => {
    const EventId = seen.has(Uic) ? `${reference}-${Uic}-${AssetType}` : `${reference}-${Uic}`
    seen.add(Uic)
    return { EventId, Uic, AssetType, ...event, Source }
  })
}
