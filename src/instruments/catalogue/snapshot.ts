import { etagOf } from '../../http/output/caching.ts'
import type { ExchangeRecord } from '../import/schema.ts'
import { exchangeView } from '../rules/exchange.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import { type ExchangeFacts, exchangeFacts, LocalDays } from './exchanges.ts'
import type { Segment } from './segment.ts'
import { SegmentReader } from './segment-reader.ts'
import { ExpiringCache } from './write/expiring-cache.ts'
import { ResponseCache } from './write/response-cache.ts'

export type Removed = Readonly<{ instruments: readonly number[]; optionRoots: readonly number[] }>

const mostTags = 10_000

/** All reference data as it was at one revision; never changes. */
export class Snapshot {
  readonly revision: number
  /** Which data of that revision: a database that was restored or made anew counts the same revisions again. */
  readonly identity: string
  /** What changed since the base was built comes first. */
  readonly readers: readonly SegmentReader[]
  readonly exchanges: ReadonlyMap<string, ExchangeFacts>
  /** The time zones of the exchanges, and UTC. */
  readonly zones: ReadonlySet<string>
  /** Answers that cost more than to look them up. */
  readonly responses = new ResponseCache(32 * 1024 * 1024)
  readonly #days = new LocalDays()
  readonly #exchangeTexts = new ExpiringCache<string>()
  readonly #todays = new Map<SegmentReader, { key: string; days: Int32Array }>()
  /** By the caller's rights, for these days and this program. */
  readonly #tags = new Map<string, string>()
  #tagged = { days: '', program: '' }

  constructor(
    revision: number,
    base: Segment,
    records: readonly ExchangeRecord[],
    changed?: { segment: Segment; removed: Removed },
    identity = '',
  ) {
    this.revision = revision
    this.identity = identity
    this.exchanges = new Map(records.map((record) => [record.ExchangeId, exchangeFacts(record)]))
    this.zones = new Set(['Etc/UTC', ...records.map(({ TimeZone }) => TimeZone)])
    const reader = (segment: Segment, deleted?: Uint8Array) =>
      new SegmentReader(
        segment,
        deleted,
        segment.exchangeIds.map((id) => this.exchanges.get(id) ?? unknownExchange(id)),
      )
    this.readers = changed ? [reader(changed.segment), reader(base, deletedDocs(base, changed))] : [reader(base)]
  }

  /** Today at each of a reader's exchanges; worked out anew when it is another day anywhere. */
  todaysOf(reader: SegmentReader, now: Temporal.Instant): Int32Array {
    const key = this.daysKey(now)
    const known = this.#todays.get(reader)
    if (known?.key === key) return known.days
    const days = Int32Array.from(reader.exchanges, (exchange) => this.todayAt(exchange, now))
    this.#todays.set(reader, { key, days })
    return days
  }

  get counts(): { Instruments: number; OptionRoots: number; OptionContracts: number } {
    const counts = { Instruments: 0, OptionRoots: 0, OptionContracts: 0 }
    for (const reader of this.readers) {
      const live = reader.liveDocs()
      counts.Instruments += live.instruments
      counts.OptionRoots += live.roots
      counts.OptionContracts += live.contracts
    }
    return counts
  }

  /** Days since 1970, today in an exchange's own calendar. */
  todayAt(exchange: ExchangeFacts, now: Temporal.Instant): number {
    return this.#days.today(exchange.record.TimeZone, now)
  }

  /** An exchange with its sessions, as the wire has it. */
  exchangeText({ record }: ExchangeFacts, now: Temporal.Instant): string {
    return this.#exchangeTexts.get(record.ExchangeId, now, () => {
      const { schedule, until } = datedSchedule(record, now)
      return { value: JSON.stringify(exchangeView(record, schedule)), until }
    })
  }

  /**
   * The tag of every answer that depends on the data, the caller's rights, the program (its version and bucket) and the
   * day alone. Asked for at every request: as long as it is the same day everywhere, it is a look-up.
   */
  tagFor(signature: string, program: string, now: Temporal.Instant): string {
    const days = this.daysKey(now)
    if (days !== this.#tagged.days || program !== this.#tagged.program || this.#tags.size >= mostTags) {
      this.#tags.clear()
      this.#tagged = { days, program }
    }
    const known = this.#tags.get(signature)
    if (known) return known
    const tag = etagOf([this.identity, String(this.revision), signature, program, days])
    this.#tags.set(signature, tag)
    return tag
  }

  /** Changes whenever today does, anywhere: for answers that depend on it. */
  daysKey(now: Temporal.Instant): string {
    return this.#days.key(this.zones, now)
  }

  findInstrument(uic: number): { reader: SegmentReader; doc: number } | undefined {
    for (const reader of this.readers) {
      const doc = reader.docOf(uic)
      if (doc !== undefined) return { reader, doc }
    }
    return undefined
  }

  findRoot(optionRootId: number): { reader: SegmentReader; root: number } | undefined {
    for (const reader of this.readers) {
      const root = reader.rootOf(optionRootId)
      if (root !== undefined) return { reader, root }
    }
    return undefined
  }

  findContract(uic: number): { reader: SegmentReader; contract: number } | undefined {
    for (const reader of this.readers) {
      const contract = reader.contractOf(uic)
      if (contract !== undefined) return { reader, contract }
    }
    return undefined
  }
}

/** Import refuses an instrument of an exchange that is not there; should one come all the same, it is answered. */
const unknownExchange = (ExchangeId: string): ExchangeFacts =>
  exchangeFacts({ ExchangeId, Name: ExchangeId, CountryCode: 'XX', TimeZone: 'Etc/UTC', Hours: [] })

function deletedDocs(base: Segment, changed: { segment: Segment; removed: Removed }): Uint8Array {
  const alive = new SegmentReader(base, undefined, [])
  const deleted = new Uint8Array(base.docIds.length)
  const { docIds, docKinds } = changed.segment
  const instruments = [...changed.removed.instruments]
  const roots = [...changed.removed.optionRoots]
  for (let doc = 0; doc < docIds.length; doc++) (docKinds[doc] === 0 ? instruments : roots).push(docIds[doc] as number)
  for (const uic of instruments) {
    const doc = alive.docOf(uic)
    if (doc !== undefined) deleted[doc] = 1
  }
  for (const id of roots) {
    const root = alive.rootOf(id)
    if (root !== undefined) deleted[base.options.rootDocs[root] as number] = 1
  }
  return deleted
}
