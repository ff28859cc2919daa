import type { EventFacts } from '../rules/facts.ts'
import { instrumentKey } from '../rules/facts.ts'
import type { EventDocument } from './documents.ts'
import type { EventIndex } from './event-index.ts'

/** Where operations 7 to 9 find events. */
export interface EventView {
  /** Another object after every change of the events. */
  readonly state: object
  find(eventId: string): EventFacts | undefined
  readonly eventsOf: (instrument: string) => readonly EventFacts[]
  /** Resolves when these revisions are served. */
  reached(revisions: Readonly<{ events: number; reference: number }>): Promise<void>
  /** The documents of events, in their order; undefined if one of the events has changed or is gone since. */
  documentsOf(events: readonly EventFacts[]): Promise<EventDocument[] | undefined>
}

type ReadDocuments = (events: readonly EventFacts[]) => Promise<EventDocument[] | undefined>

/** The events of a moment: those of an index, but for what has changed since. Before the index changes an event, it calls `keep`. */
export class PastEvents implements EventView {
  readonly state = {}
  readonly documentsOf: ReadDocuments
  readonly #index: Pick<EventIndex, 'find' | 'eventsOf'>
  /** As they were; undefined for those that did not exist. */
  readonly #changed = new Map<string, EventFacts | undefined>()
  readonly #byInstrument = new Map<string, EventFacts[]>()

  constructor(index: Pick<EventIndex, 'find' | 'eventsOf'>, documentsOf: ReadDocuments) {
    this.#index = index
    this.documentsOf = documentsOf
  }

  /** How many events differ. */
  get size(): number {
    return this.#changed.size
  }

  find(eventId: string): EventFacts | undefined {
    return this.#changed.has(eventId) ? this.#changed.get(eventId) : this.#index.find(eventId)
  }

  readonly eventsOf = (instrument: string): readonly EventFacts[] => {
    const present = this.#index.eventsOf(instrument).filter(({ eventId }) => !this.#changed.has(eventId))
    return [...present, ...(this.#byInstrument.get(instrument) ?? [])]
  }

  async reached(): Promise<void> {}

  /** Sets how an event was. */
  put(eventId: string, event: EventFacts | undefined): void {
    const before = this.#changed.get(eventId)
    if (before) this.#unlist(before)
    this.#changed.set(eventId, event)
    if (event) this.#listOf(event).push(event)
  }

  /** Keeps an event that the index is about to change. */
  keep(eventId: string): void {
    if (!this.#changed.has(eventId)) this.put(eventId, this.#index.find(eventId))
  }

  #listOf({ assetType, uic }: EventFacts): EventFacts[] {
    return this.#byInstrument.getOrInsertComputed(instrumentKey(assetType, uic), () => [])
  }

  #unlist(event: EventFacts): void {
    const list = this.#listOf(event)
    list.splice(list.indexOf(event), 1)
  }
}
