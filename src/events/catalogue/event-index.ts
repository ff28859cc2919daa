import { type Closing, closingOf } from '../rules/elections/closing.ts'
import { type EventFacts, instrumentKey } from '../rules/facts.ts'
import type { EventChanges, EventFactsRow, EventsState, OptionRow } from '../store/catalogue.ts'

const none: readonly EventFacts[] = []

type Keeper = { keep(eventId: string): void }

/** All events by id and by instrument. An event that changes is replaced, so an object once handed out stays as it is. */
export class EventIndex {
  state: EventsState
  readonly #byId = new Map<string, EventFacts>()
  readonly #byInstrument = new Map<string, readonly EventFacts[]>()
  /** Those that differ from it by what has changed. Their users hold them. */
  readonly #pasts = new Set<WeakRef<Keeper>>()

  constructor(state: EventsState) {
    this.state = state
  }

  get size(): number {
    return this.#byId.size
  }

  find(eventId: string): EventFacts | undefined {
    return this.#byId.get(eventId)
  }

  eventsOf(instrument: string): readonly EventFacts[] {
    return this.#byInstrument.get(instrument) ?? none
  }

  /** From now on `past` keeps every event that is about to change. */
  register(past: Keeper): void {
    this.#pasts.add(new WeakRef(past))
  }

  add(rows: readonly EventFactsRow[], texts = new SharedTexts()): void {
    for (const row of rows) {
      const event = factsOf(row, texts)
      const key = texts.shared(instrumentKey(event.assetType, event.uic))
      this.#byId.set(event.eventId, event)
      this.#byInstrument.set(key, [...this.eventsOf(key), event])
    }
  }

  /** Makes all changes at once: no request sees a part of an import. Returns what was replaced or removed. */
  apply({ changed, removed }: EventChanges, state: EventsState): EventFacts[] {
    const ids = new Set([...removed, ...changed.map(({ eventId }) => eventId)])
    this.#keep(ids)
    const gone = [...ids].flatMap((id) => this.#byId.get(id) ?? [])
    for (const event of gone) this.#remove(event)
    this.add(changed)
    this.state = state
    return gone
  }

  #keep(ids: ReadonlySet<string>): void {
    for (const ref of this.#pasts) {
      const past = ref.deref()
      if (past) for (const id of ids) past.keep(id)
      else this.#pasts.delete(ref)
    }
  }

  #remove(event: EventFacts): void {
    this.#byId.delete(event.eventId)
    const key = instrumentKey(event.assetType, event.uic)
    const others = this.eventsOf(key).filter((one) => one !== event)
    if (others.length > 0) this.#byInstrument.set(key, others)
    else this.#byInstrument.delete(key)
  }
}

/** Makes equal texts one: days, types and names repeat in many events. */
export class SharedTexts {
  readonly #known = new Map<string, string>()
  readonly #days = new Map<string, readonly string[]>([['', []]])

  shared<Text extends string | null>(text: Text): Text {
    if (text === null) return text
    const known = this.#known.get(text)
    if (known !== undefined) return known as Text
    this.#known.set(text, text)
    return text
  }

  /** Days separated by commas. */
  days(text: string): readonly string[] {
    const known = this.#days.get(text) ?? text.split(',').map((day) => this.shared(day))
    this.#days.set(text, known)
    return known
  }
}

export function factsOf(row: EventFactsRow, texts: SharedTexts): EventFacts {
  return {
    eventId: row.eventId,
    uic: row.uic,
    assetType: texts.shared(row.assetType),
    corporateActionType: texts.shared(row.corporateActionType),
    eventType: texts.shared(row.eventType),
    eventTypeName: texts.shared(row.eventTypeName),
    state: texts.shared(row.state),
    status: texts.shared(row.status),
    isElectable: row.isElectable,
    closing: closingIn(row.options),
    announcedOn: texts.shared(row.announcedOn),
    exOn: texts.shared(row.exOn),
    recordOn: texts.shared(row.recordOn),
    keyDate: texts.shared(row.keyDate),
    startsOn: texts.shared(row.startsOn),
    endsOn: texts.shared(row.endsOn),
    deadlines: texts.days(row.deadlines),
    payments: texts.days(row.payments),
    description: texts.shared(row.description),
    isin: texts.shared(row.isin),
    symbol: texts.shared(row.symbol),
    updatedAt: row.updatedAt,
    revision: row.revision,
  }
}

const closedStatuses: readonly (string | null)[] = ['Cancelled', 'Inactive']

function closingIn(options: string | null): Closing | undefined {
  if (options === null) return undefined
  const rows = JSON.parse(options) as OptionRow[]
  return closingOf(
    rows.map(([optionId, optionType, isDefault, status, deadline]) => ({
      optionId,
      optionType,
      isDefault: isDefault === true,
      isOpen: !closedStatuses.includes(status),
      deadline,
    })),
  )
}
