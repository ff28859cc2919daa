import { LRUCache } from 'lru-cache'
import type { AccessView } from '../../access/rules/visibility.ts'
import { etagOf } from '../../http/output/caching.ts'
import type { CalendarRecord, ExchangeRecord } from '../import/schema.ts'
import { exchangeView } from '../rules/exchange.ts'
import { datedSchedule, sessionsBefore, sessionView } from '../rules/trading-schedule.ts'
import { Calendars } from './calendars.ts'
import type { Changed } from './deleted-docs.ts'
import { type ExchangeFacts, exchangeFacts, LocalDays } from './exchanges.ts'
import type { Segment } from './segment.ts'
import { type Counts, SegmentReader } from './segment-reader.ts'
import { type Expiring, ExpiringCache } from './write/expiring-cache.ts'
import { remember } from './write/remember.ts'

const maxTags = 10_000

/** What a response depends on besides its URL: the data, the caller's access, the time and the wire profile (§3). */
export type RequestView = Readonly<{
  snapshot: Snapshot
  access: AccessView
  /** In milliseconds since 1970. */
  now: number
  sendsObsoleteFields?: boolean
  /** Whether TradableAs has only the asset type of its row, or those of a currency pair. */
  limitsTradableAs?: boolean
  /** Whether rows have only the members of vendor-members.ts. */
  limitsMembers?: boolean
}>

export class Snapshot {
  readonly revision: number
  /** Distinguishes data with the same revision: a restored or recreated database counts from the start again. */
  readonly identity: string
  /** The changes since the base segment, if any, then the base. */
  readonly readers: readonly SegmentReader[]
  readonly exchanges: ReadonlyMap<string, ExchangeFacts>
  readonly zones: ReadonlySet<string>
  readonly #days = new LocalDays()
  readonly #exchangeTexts = new ExpiringCache<string>()
  readonly #earlierTexts = new ExpiringCache<string>()
  readonly #todays = new Map<SegmentReader, { key: string; days: Int32Array }>()
  /** By access signature, for one set of days and one program. */
  readonly #tags = new LRUCache<string, string>({ max: maxTags })
  #tagged = { days: '', program: '' }
  #counts: Counts | undefined

  constructor(
    revision: number,
    base: Segment,
    records: readonly ExchangeRecord[],
    changed?: Pick<Changed, 'segment' | 'deleted'>,
    identity = '',
    calendarRecords: readonly CalendarRecord[] = [],
  ) {
    this.revision = revision
    this.identity = identity
    const calendars = new Calendars(calendarRecords)
    this.exchanges = new Map(records.map((record) => [record.ExchangeId, exchangeFacts(record, calendars)]))
    this.zones = new Set(['Etc/UTC', ...records.map(({ TimeZone }) => TimeZone)])
    const readerOf = (segment: Segment, deleted?: Uint8Array) => {
      const exchanges = segment.exchangeIds.map((id) => this.exchanges.get(id) ?? unknownExchange(id, calendars))
      return new SegmentReader(segment, deleted, exchanges, calendars)
    }
    this.readers = changed ? [readerOf(changed.segment), readerOf(base, changed.deleted)] : [readerOf(base)]
  }

  /** Today at each exchange of a segment, in days since 1970. */
  todaysOf(reader: SegmentReader, now: number): Int32Array {
    const key = this.daysKey(now)
    const known = this.#todays.get(reader)
    if (known?.key === key) return known.days
    const days = Int32Array.from(reader.exchanges, (exchange) => this.todayAt(exchange, now))
    this.#todays.set(reader, { key, days })
    return days
  }

  get counts(): Counts {
    this.#counts ??= this.readers.map((reader) => reader.countLive()).reduce(addCounts)
    return this.#counts
  }

  todayAt(exchange: ExchangeFacts, now: number): number {
    return this.#days.today(exchange.record.TimeZone, now)
  }

  exchangeText({ record, calendar }: ExchangeFacts, now: number): Expiring<string> {
    return this.#exchangeTexts.get(record.ExchangeId, now, () => {
      const { schedule, until } = datedSchedule(calendar, Temporal.Instant.fromEpochMilliseconds(now))
      return { value: JSON.stringify(exchangeView(record, schedule)), until }
    })
  }

  /** An exchange with the sessions that ended in the last 24 hours. */
  earlierSessionsText({ record: { ExchangeId }, calendar }: ExchangeFacts, now: number): string {
    return this.#earlierTexts.get(ExchangeId, now, () => {
      const { sessions, until } = sessionsBefore(calendar, Temporal.Instant.fromEpochMilliseconds(now))
      return { value: JSON.stringify({ ExchangeId, Sessions: sessions.map(sessionView) }), until }
    }).value
  }

  /** The entity tag of a response that depends on the data, the access, the program (version and wire profile) and the day. */
  tagFor(signature: string, program: string, now: number): string {
    const days = this.daysKey(now)
    if (days !== this.#tagged.days || program !== this.#tagged.program) {
      this.#tags.clear()
      this.#tagged = { days, program }
    }
    return remember(this.#tags, signature, () =>
      etagOf([this.identity, String(this.revision), signature, program, days]),
    )
  }

  /** A string that changes whenever the day changes in a time zone of the exchanges. */
  daysKey(now: number): string {
    return this.#days.key(this.zones, now)
  }

  findInstrument(uic: number) {
    return this.#find((reader) => reader.docOf(uic))
  }

  findRoot(optionRootId: number) {
    return this.#find((reader) => reader.rootOf(optionRootId))
  }

  findContract(uic: number) {
    return this.#find((reader) => reader.contractOf(uic))
  }

  #find(look: (reader: SegmentReader) => number | undefined): { reader: SegmentReader; index: number } | undefined {
    for (const reader of this.readers) {
      const index = look(reader)
      if (index !== undefined) return { reader, index }
    }
    return undefined
  }
}

const addCounts = (one: Counts, other: Counts): Counts => ({
  Instruments: one.Instruments + other.Instruments,
  OptionRoots: one.OptionRoots + other.OptionRoots,
  OptionContracts: one.OptionContracts + other.OptionContracts,
})

/** A safeguard: import rejects instruments of unknown exchanges. */
const unknownExchange = (ExchangeId: string, calendars: Calendars): ExchangeFacts =>
  exchangeFacts({ ExchangeId, Name: ExchangeId, CountryCode: 'XX', TimeZone: 'Etc/UTC', Hours: [] }, calendars)
