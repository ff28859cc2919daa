import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { EventFacts } from '../rules/facts.ts'

/** The parts of an event's JSON that are the same for every caller, between which the others are written. */
export type EventDocument = Readonly<{
  /** From the opening brace to the names of the instrument. */
  head: Buffer
  /** A hash of the head; all have the same length. */
  digest: string
  updatedDateTime: string
}>

/** A day in a stored document. Inside a text its quotes would be escaped, so only fields match. */
const dayField = /"Date":"(\d{4}-\d\d-\d\d)"/g
/** The same of a deadline, which is a date-time in both profiles (§2.2). */
const deadlineDay = /(?<=Deadline":\{"Date":"\d{4}-\d\d-\d\d)"/g

export function eventDocument(stored: string, event: EventFacts, { daySuffix }: WireProfile): EventDocument {
  const document = stored.replaceAll(deadlineDay, 'T00:00:00Z"').replaceAll(dayField, `"Date":"$1${daySuffix}"`)
  const { description, isin, symbol } = event
  const names = { Description: description ?? undefined, IsinCode: isin ?? undefined, Symbol: symbol ?? undefined }
  const display = (description ?? isin ?? symbol) ? `,"DisplayAndFormat":${JSON.stringify(names)}` : ''
  const updatedAt = Temporal.Instant.fromEpochNanoseconds(BigInt(event.updatedAt) * 1_000n)
  const head = Buffer.from(`${document.slice(0, -1)}${display}`)
  return {
    head,
    digest: hash('sha256', head, 'base64url'),
    updatedDateTime: updatedAt.toString({ smallestUnit: 'microsecond' }),
  }
}

/** About 12,000 events with documents of 2.5 KB. */
export const maxDocumentBytes = 32 * 1_024 * 1_024
/** The objects around the bytes. */
const overheadBytes = 300

/** The documents last used. The key is the event at one revision with its names, so a document is never outdated. */
export class DocumentCache {
  readonly #documents: LRUCache<EventFacts, EventDocument>

  constructor(maxBytes = maxDocumentBytes) {
    this.#documents = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ head }) => head.length + overheadBytes,
    })
  }

  get(event: EventFacts): EventDocument | undefined {
    return this.#documents.get(event)
  }

  set(event: EventFacts, document: EventDocument): void {
    this.#documents.set(event, document)
  }

  forget(events: readonly EventFacts[]): void {
    for (const event of events) this.#documents.delete(event)
  }

  clear(): void {
    this.#documents.clear()
  }
}
