import { setTimeout as sleep } from 'node:timers/promises'
import { OnDemand } from '../../core/async/on-demand.ts'
import { singleFlight } from '../../core/async/single-flight.ts'
import { unavailable } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { ChangeFeed } from '../../database/changes.ts'
import type { Moment } from '../../database/history/moments.ts'
import type { Db } from '../../database/open.ts'
import type { EventFacts } from '../rules/facts.ts'
import {
  eachEvent,
  isSameState,
  readChanges,
  readConsistently,
  readDocuments,
  readState,
  wasInState,
} from '../store/catalogue.ts'
import { readPastDocuments } from '../store/past.ts'
import { DocumentCache, type EventDocument, eventDocument } from './documents.ts'
import { EventIndex, SharedTexts } from './event-index.ts'
import { type EventView, PastEvents } from './past-events.ts'
import { readPast } from './read-past.ts'

type Log = { warn(detail: object, message: string): void; info(detail: object, message: string): void }
type Dependencies = Readonly<{
  /** The primary database: the change feed reports its changes. */
  db: Db
  profile: WireProfile
  log: Log
  documents?: DocumentCache
}>
type Revisions = Readonly<{ events: number; reference: number }>

/** More changes than this, and all events are read again beside those that are served. */
const maxChanges = 5_000
/** How long a request waits for events that the database already has; then it gets those of before. */
const maxWaitMs = 5_000
/** How many moments are kept, and in how many events they may differ from the present together. */
const keptPast = { maxKept: 8, maxSize: 200_000, maxWaiting: 16, maxWaitMs: 30_000 } as const
/** After so many changes the kept moments, which grow with each, are forgotten. */
const maxKeptChanges = 20_000
const maxAttempts = 3

/** The events that this node serves, read from the database when they change. Documents are read when they are needed. */
export class EventCatalogue implements EventView {
  readonly #deps: Dependencies
  readonly #documents: DocumentCache
  #index: EventIndex | undefined
  readonly #pasts = new OnDemand<PastEvents>({ ...keptPast, sizeOf: ({ size }) => size })
  /** What the kept moments belong to: an index, up to so many changes of it. */
  #edition = { number: 0, changes: 0 }
  readonly #refresh = singleFlight(() => this.#refreshOnce())

  private constructor(deps: Dependencies) {
    this.#deps = deps
    this.#documents = deps.documents ?? new DocumentCache()
  }

  /** Resolves when all events are read; from then on the catalogue follows the change feed. */
  static async start(deps: Dependencies, feed?: ChangeFeed): Promise<EventCatalogue> {
    const catalogue = new EventCatalogue(deps)
    // Not awaited, because the feed must not wait for a read.
    const refresh = () => void catalogue.#tryRefresh()
    feed?.on('events', refresh)
    feed?.on('reference-data', refresh)
    feed?.onGap(refresh)
    await catalogue.#refresh()
    return catalogue
  }

  get #current(): EventIndex {
    if (!this.#index) throw new Error('The events have not been read.')
    return this.#index
  }

  get revisions(): Revisions {
    const { events, reference } = this.#current.state
    return { events: events.revision, reference: reference.revision }
  }

  /** Another object after every change of the events. */
  get state(): object {
    return this.#current.state
  }

  get size(): number {
    return this.#current.size
  }

  find(eventId: string): EventFacts | undefined {
    return this.#current.find(eventId)
  }

  readonly eventsOf = (instrument: string): readonly EventFacts[] => this.#current.eventsOf(instrument)

  /** The events of a moment, which later changes leave as they are. Made on demand, taking turns by client. */
  async at(moment: Moment, clientKey: string): Promise<EventView> {
    const { identity, events, reference } = moment
    const edition = `${identity} ${this.#edition.number}`
    const key = `${events.revision} ${reference.revision}`
    return this.#pasts.get(edition, key, clientKey, () => this.#makePast(moment))
  }

  async #makePast(moment: Moment): Promise<PastEvents> {
    const documentsOf = (events: readonly EventFacts[]) => this.#pastDocuments(moment.seq, events)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const index = this.#current
      const past = new PastEvents(index, documentsOf)
      const { state } = index
      index.register(past)
      const { events, reference } = moment
      if (state.events.identity === events.identity && state.reference.identity === reference.identity) return past
      if (await readPast(this.#deps.db, past, state, moment)) return past
      await this.#refresh()
    }
    throw unavailable()
  }

  async #pastDocuments(seq: number, events: readonly EventFacts[]): Promise<EventDocument[] | undefined> {
    const missing = events.filter((event) => !this.#documents.get(event)).map(({ eventId }) => eventId)
    const stored = missing.length > 0 ? await readPastDocuments(this.#deps.db, seq, missing) : new Map<string, string>()
    const found = events.flatMap((event) => {
      const text = stored.get(event.eventId)
      const known = this.#documents.get(event)
      if (known || text === undefined) return known ?? []
      const made = eventDocument(text, event, this.#deps.profile)
      this.#documents.set(event, made)
      return made
    })
    return found.length === events.length ? found : undefined
  }

  /** Resolves when these revisions are served. If they cannot be read in time, the present ones are served on. */
  async reached({ events, reference }: Revisions): Promise<void> {
    const present = this.revisions
    if (present.events >= events && present.reference >= reference) return
    await Promise.race([this.#tryRefresh(), sleep(maxWaitMs, undefined, { ref: false })])
  }

  /** The documents of events, in their order; undefined if one of the events has changed or is gone since. */
  async documentsOf(events: readonly EventFacts[]): Promise<EventDocument[] | undefined> {
    const known = events.map((event) => this.#documents.get(event))
    const missing = events.filter((_, at) => known[at] === undefined)
    if (missing.length === 0) return known as EventDocument[]
    const rows = await readDocuments(this.#deps.db, { eventIds: missing.map(({ eventId }) => eventId) })
    const stored = new Map(rows.map((row) => [row.event_id, row]))
    for (const [at, event] of events.entries()) {
      if (known[at]) continue
      const row = stored.get(event.eventId)
      if (row?.revision !== event.revision) {
        await this.#tryRefresh()
        return undefined
      }
      known[at] = eventDocument(row.document, event, this.#deps.profile)
      // An event that was replaced meanwhile is not asked for again.
      if (this.find(event.eventId) === event) this.#documents.set(event, known[at])
    }
    return known as EventDocument[]
  }

  async #tryRefresh(): Promise<void> {
    try {
      await this.#refresh()
    } catch (error) {
      this.#deps.log.warn({ reason: (error as Error).message }, 'events not refreshed')
    }
  }

  async #refreshOnce(): Promise<void> {
    const served = this.#index
    const read = await readConsistently(this.#deps.db, async (trx) => {
      const state = await readState(trx)
      if (served && isSameState(served.state, state)) return undefined
      const isKnown = served && (await wasInState(trx, served.state))
      const changes = isKnown && (await readChanges(trx, served.state, maxChanges))
      if (changes) return { state, changes }
      const index = new EventIndex(state)
      const texts = new SharedTexts()
      for await (const rows of eachEvent(trx)) index.add(rows, texts)
      return { state, index }
    })
    if (!read) return
    if (served && read.changes) {
      this.#documents.forget(served.apply(read.changes, read.state))
      this.#startEdition(read.changes.changed.length + read.changes.removed.length)
    } else {
      this.#startEdition(maxKeptChanges)
      this.#index = read.index
      this.#documents.clear()
    }
    const { events, reference } = this.revisions
    this.#deps.log.info({ events, reference, whole: !read.changes, count: this.size }, 'events refreshed')
  }

  /** Forgets the kept moments after many changes, and when all events were read again. */
  #startEdition(changes: number): void {
    const { number } = this.#edition
    const total = this.#edition.changes + changes
    this.#edition = total < maxKeptChanges ? { number, changes: total } : { number: number + 1, changes: 0 }
    if (this.#edition.number !== number) this.#pasts.clear()
  }
}
