import type { Db } from '../../database/open.ts'
import { keepElections } from '../messages/keep-elections.ts'
import { mergeNotifications } from '../messages/merge.ts'
import type { Message, Unmapped } from '../messages/message.ts'
import type { MessageEventRecord } from '../messages/warning.ts'
import { findEvents, findSecurities, type KnownEvent, type Security } from '../store/messages.ts'
import { eventsOf, type Listing } from './messages.ts'
import type { EventRecord } from './schema.ts'

/** Limits of what is held in memory until all messages of a run were read. */
export const maxMessages = 50_000
export const maxMessageMegabytes = 256
/** Events merged at a time; an event may be large. */
const chunkSize = 20

/** Counts a message once, although it becomes one event per listing. */
type Usage = { values: number; isUsed: boolean }
type StoredNotification = Readonly<{ text: string; cancels: boolean; line: number; usage: Usage }>
type StoredEvent = Readonly<{ listing: Listing; notifications: StoredNotification[] }>
type RecordAtLine = { line: number; record: MessageEventRecord }

/** Collects the notifications of a run, by event. They can be merged only when all of them were read. */
export class NotificationCollector {
  readonly #events = new Map<string, StoredEvent>()
  #messages = 0
  #characters = 0
  readonly older = new Map<string, number>()
  /** Notifications that were followed by later ones about the same event. */
  superseded = 0
  readonly #onUsed: (values: number, unmapped: readonly Unmapped[]) => void

  /** `onUsed` is called once for each message that an event was made from, with its number of values. */
  constructor(onUsed: (values: number, unmapped: readonly Unmapped[]) => void) {
    this.#onUsed = onUsed
  }

  get isFull(): boolean {
    return this.#messages > maxMessages || this.#characters > maxMessageMegabytes * 1024 * 1024
  }

  /** Stores text, which needs less memory and does not retain the file. */
  add(message: Message, listings: readonly Listing[], line: number): void {
    const { cancels } = message
    const usage = { values: message.values, isUsed: false }
    let text: string | undefined
    for (const { EventId, Uic, AssetType, ...fields } of eventsOf(message, listings)) {
      text ??= JSON.stringify(fields)
      const event = this.#events.getOrInsert(EventId, { listing: { Uic, AssetType }, notifications: [] })
      event.notifications.push({ text, cancels, line, usage })
    }
    this.#messages++
    this.#characters += text?.length ?? 0
  }

  /** One record per event, at the line of its last applied notification. */
  async *merge(db: Db): AsyncGenerator<RecordAtLine[]> {
    const ids = [...this.#events.keys()]
    for (let start = 0; start < ids.length; start += chunkSize) {
      const chunk = ids.slice(start, start + chunkSize)
      const existing = await findEvents(db, chunk)
      const merged = chunk.flatMap((id) => this.#mergeEvent(id, existing.get(id)))
      const isins = merged.flatMap(({ record }) => movementsOf(record).flatMap((movement) => isinOf(movement) ?? []))
      const securities = await findSecurities(db, [...new Set(isins)])
      yield merged.map(({ line, record }) => ({ line, record: withSecurities(record, securities) }))
    }
  }

  #mergeEvent(EventId: string, existing: KnownEvent | undefined): RecordAtLine[] {
    const event = this.#events.get(EventId)
    if (!event) return []
    this.#events.delete(EventId)
    const notifications = event.notifications.map(({ text, ...notification }) => ({
      ...notification,
      record: { EventId, ...event.listing, ...JSON.parse(text) } as EventRecord,
    }))
    const { latest, older, from } = mergeNotifications(existing?.record, notifications)
    for (const { usage, record } of from) {
      if (!usage.isUsed) this.#onUsed(usage.values, record.Source?.Unmapped ?? [])
      usage.isUsed = true
    }
    if (older > 0) this.older.set(EventId, older)
    this.superseded += notifications.length - older - (latest ? 1 : 0)
    if (!latest) return []
    const { record, kept } = keepElections(latest.record, existing?.record, existing?.elected ?? [])
    const isUnknown = !existing && from.every(({ cancels }) => cancels)
    return [{ line: latest.line, record: { ...record, ...warningOf(EventId, kept, isUnknown) } }]
  }
}

function warningOf(EventId: string, kept: string | undefined, isUnknown: boolean): Pick<MessageEventRecord, 'Warning'> {
  if (kept !== undefined) return { Warning: { Kind: 'ElectionsKept', Text: `${EventId} (${kept})` } }
  return isUnknown ? { Warning: { Kind: 'UnknownCancelled', Text: EventId } } : {}
}

type Movement = NonNullable<NonNullable<EventRecord['Options']>[number]['SecurityMovements']>[number]

const isinOf = ({ DisplayAndFormat }: Movement): string | undefined => DisplayAndFormat?.IsinCode
const movementsOf = ({ Options = [] }: EventRecord): Movement[] =>
  Options.flatMap(({ SecurityMovements = [] }) => SecurityMovements)

/** Adds Uic and names to movements whose ISIN belongs to exactly one instrument. */
function withSecurities<R extends EventRecord>(record: R, securities: ReadonlyMap<string, Security>): R {
  if (movementsOf(record).length === 0) return record
  const complete = (movement: Movement): Movement => {
    const found = securities.get(isinOf(movement) ?? '')
    if (!found || (movement.Uic ?? found.Uic) !== found.Uic) return movement
    const { Uic, ...names } = found
    return { ...movement, Uic, DisplayAndFormat: { ...names, ...movement.DisplayAndFormat } }
  }
  const Options = record.Options?.map((option) =>
    option.SecurityMovements ? { ...option, SecurityMovements: option.SecurityMovements.map(complete) } : option,
  )
  return { ...record, ...(Options && { Options }) }
}
