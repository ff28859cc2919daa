import { epochDay } from '../../core/time/days.ts'
import type { SortColumn, SortType } from '../api/enums.ts'
import { decimalText } from './decimals.ts'
import type { EventFacts } from './facts.ts'
import type { Applied } from './holdings.ts'

export type Order = Readonly<{ column: SortColumn; type: SortType }>
/** The sort value and id of the last event on a page. */
export type Cursor = Readonly<{ value: string; eventId: string }>

export type ListedEvent = Readonly<{ event: EventFacts; applied: Applied }>

type Value = string | number

/** Cursors hold days as numbers counted from 2000-01-01. An event without the day comes before all others. */
const firstDay = epochDay('2000-01-01')
const noDay = -10_000_000
const dayValue = (day: string | null): number => (day === null ? noDay : epochDay(day) - firstDay)

/** Enough to sort by; a cursor must fit into an address. */
const maxNameLength = 200

const valueOf: Readonly<Record<SortColumn, (event: EventFacts, applied: Applied) => Value>> = {
  AffectedAccounts: (_, { affected }) => affected,
  AnnouncedDate: ({ announcedOn }) => dayValue(announcedOn),
  CorporateActionType: ({ corporateActionType }) => corporateActionType,
  Date: ({ keyDate }) => dayValue(keyDate),
  EligibleHoldings: (_, { eligible }) => eligible,
  EventId: ({ eventId }) => eventId,
  EventType: ({ eventTypeName }) => eventTypeName,
  InstrumentDescription: ({ description }) => firstCharacters((description ?? '').toLowerCase()),
  UpdatedDateTime: ({ updatedAt }) => updatedAt,
}

const firstCharacters = (text: string): string =>
  text.length <= maxNameLength ? text : [...text].slice(0, maxNameLength).join('')

const textColumns: readonly SortColumn[] = ['CorporateActionType', 'EventId', 'EventType', 'InstrumentDescription']
export const isTextColumn = (column: SortColumn): boolean => textColumns.includes(column)

export function cursorOf({ column }: Order, { event, applied }: ListedEvent): Cursor {
  const value = valueOf[column](event, applied)
  return { value: typeof value === 'number' ? decimalText(value) : value, eventId: event.eventId }
}

type Keyed = Readonly<{ one: ListedEvent; value: Value; eventId: string }>

/** More than wanted are collected before they are sorted and cut. */
const minSpare = 256

/** The first events after a cursor: by the column, then by EventId, so that the order is stable (§7.2). They are added in
 *  parts and in any order; of very many only those that can be among the first are sorted. */
export class FirstEvents {
  /** How many of those added come after the cursor. */
  remaining = 0
  readonly #max: number
  readonly #valueOf: (event: EventFacts, applied: Applied) => Value
  readonly #compare: (a: Omit<Keyed, 'one'>, b: Omit<Keyed, 'one'>) => number
  readonly #start: Omit<Keyed, 'one'> | undefined
  readonly #found: Keyed[] = []
  /** As many as wanted are not after this. */
  #last: Keyed | undefined

  constructor({ column, type }: Order, after: Cursor | undefined, max: number) {
    const direction = type === 'Asc' ? 1 : -1
    this.#max = max
    this.#valueOf = valueOf[column]
    this.#compare = (a, b) => direction * compareValues(a.value, b.value) || compareText(a.eventId, b.eventId)
    this.#start = after && {
      value: isTextColumn(column) ? after.value : Number(after.value),
      eventId: after.eventId,
    }
  }

  add(events: readonly ListedEvent[]): void {
    for (const one of events) {
      const keyed = { one, value: this.#valueOf(one.event, one.applied), eventId: one.event.eventId }
      if (this.#start && this.#compare(keyed, this.#start) <= 0) continue
      this.remaining++
      if (this.#last && this.#compare(keyed, this.#last) > 0) continue
      if (this.#found.push(keyed) >= 2 * this.#max + minSpare) this.#cut()
    }
  }

  #cut(): void {
    this.#found.sort(this.#compare)
    if (this.#found.length < this.#max) return
    this.#found.length = this.#max
    this.#last = this.#found.at(-1)
  }

  inOrder(): ListedEvent[] {
    this.#cut()
    return this.#found.map(({ one }) => one)
  }
}

const compareValues = (a: Value, b: Value): number =>
  typeof a === 'number' || typeof b === 'number' ? Number(a) - Number(b) : compareText(a, b)

/** By code point, as UTF-8 sorts. UTF-16 alone would sort characters outside the basic plane before U+E000. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
