import type { Db } from '../../database/open.ts'
import { keepElections } from '../messages/keep-elections.ts'
import { mergeNotifications } from '../messages/merge.ts'
import type { MessageEventRecord } from '../messages/warning.ts'
import { findEvents, findSecurities, type KnownEvent, type Security } from '../store/messages.ts'
import { eventsOf, type Listing, type Message, type Unmapped } from './messages.ts'
import type { EventRecord } from './schema.ts'

/** What is held in memory until all messages were read. */
export const maxMessages = 50_000
export const maxMessageMegabytes = 256
/** An event may be large. */
const chunk = 20

/** Shared by the events of all listings. */
type Shared = { values: number; isUsed: boolean }
type KeptMessage = Readonly<{ text: string; cancels: boolean; line: number; shared: Shared }>
type Kept = Readonly<{ listing: Listing; messages: KeptMessage[] }>

/** What messages tell, until all of a run were read: only then it is known which of them count. */
export class NotificationCollector {
  readonly #kept = new Map<string, Kept>()
  #messages = 0
  #characters = 0
  /** Those that were left out, by event. */
  readonly older = new Map<string, number>()
  /** How many were followed by later ones about the same event. */
  followed = 0
  readonly #onUsed: (values: number, unmapped: readonly Unmapped[]) => void

  /** `onUsed` is told of each message that an event came from, once: how many values it has, and those without a member. */
  constructor(onUsed: (values: number, unmapped: readonly Unmapped[]) => void) {
    this.#onUsed = onUsed
  }

  get isFull(): boolean {
    return this.#messages > maxMessages || this.#characters > maxMessageMegabytes * 1024 * 1024
  }

  /** As text, which takes less room and holds on to nothing of the file. */
  add(message: Message, listings: readonly Listing[], line: number): void {
    const { cancels } = message
    const shared = { values: message.leaves.all, isUsed: false }
    let text: string | undefined
    for (const { EventId, Uic, AssetType, ...told } of eventsOf(message, listings)) {
      text ??= JSON.stringify(told)
      const kept = this.#kept.get(EventId) ?? { listing: { Uic, AssetType }, messages: [] }
      this.#kept.set(EventId, kept)
      kept.messages.push({ text, cancels, line, shared })
    }
    this.#messages++
    this.#characters += text?.length ?? 0
  }

  /** One record for each event, at the line of the last message that counts. */
  async *fold(db: Db): AsyncGenerator<Placed[]> {
    const ids = [...this.#kept.keys()]
    for (let start = 0; start < ids.length; start += chunk) {
      const some = ids.slice(start, start + chunk)
      const existing = await findEvents(db, some)
      const folded = some.flatMap((id) => this.#foldOne(id, existing.get(id)))
      const isins = folded.flatMap(({ record }) => movementsOf(record).flatMap((one) => isinOf(one) ?? []))
      const securities = await findSecurities(db, [...new Set(isins)])
      yield folded.map(({ line, record }) => ({ line, record: withSecurities(record, securities) }))
    }
  }

  #foldOne(EventId: string, existing: KnownEvent | undefined): Placed[] {
    const kept = this.#kept.get(EventId)
    if (!kept) return []
    this.#kept.delete(EventId)
    const told = kept.messages.map(({ text, ...message }) => ({
      ...message,
      record: { EventId, ...kept.listing, ...JSON.parse(text) } as EventRecord,
    }))
    const { latest, older, from } = mergeNotifications(existing?.record, told)
    for (const { shared, record } of from) {
      if (!shared.isUsed) this.#onUsed(shared.values, record.Source?.Unmapped ?? [])
      shared.isUsed = true
    }
    if (older > 0) this.older.set(EventId, older)
    this.followed += told.length - older - (latest ? 1 : 0)
    if (!latest) return []
    const { record, kept: elected } = keepElections(latest.record, existing?.record, existing?.elected ?? [])
    const isUnknown = !existing && from.every(({ cancels }) => cancels)
    return [{ line: latest.line, record: { ...record, ...remarkOf(EventId, elected, isUnknown) } }]
  }
}

type Placed = { line: number; record: MessageEventRecord }

function remarkOf(
  EventId: string,
  elected: string | undefined,
  isUnknown: boolean,
): Pick<MessageEventRecord, 'Remark'> {
  if (elected !== undefined) return { Remark: { Kind: 'Elected', Text: `${EventId} (${elected})` } }
  return isUnknown ? { Remark: { Kind: 'CalledOffUnknown', Text: EventId } } : {}
}

type Movement = NonNullable<NonNullable<EventRecord['Options']>[number]['SecurityMovements']>[number]

const isinOf = ({ DisplayAndFormat }: Movement): string | undefined => DisplayAndFormat?.IsinCode
const movementsOf = ({ Options = [] }: EventRecord): Movement[] =>
  Options.flatMap(({ SecurityMovements = [] }) => SecurityMovements)

/** What is received or given up is told by its ISIN; where that is one instrument's, by its Uic and names too. */
export function withSecurities<R extends EventRecord>(record: R, securities: ReadonlyMap<string, Security>): R {
  if (movementsOf(record).length === 0) return record
  const filled = (movement: Movement): Movement => {
    const found = securities.get(isinOf(movement) ?? '')
    if (!found || (movement.Uic ?? found.Uic) !== found.Uic) return movement
    const { Uic, ...names } = found
    return { ...movement, Uic, DisplayAndFormat: { ...names, ...movement.DisplayAndFormat } }
  }
  const Options = record.Options?.map((option) =>
    option.SecurityMovements ? { ...option, SecurityMovements: option.SecurityMovements.map(filled) } : option,
  )
  return { ...record, ...(Options && { Options }) }
}
