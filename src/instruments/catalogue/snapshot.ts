import { etagOf } from '../../http/output/caching.ts'
import type { ExchangeRecord } from '../import/schema.ts'
import { exchangeView } from '../rules/exchange.ts'
import { datedSchedule } from '../rules/trading-schedule.ts'
import { type ExchangeFacts, exchangeFacts, LocalDays } from './exchanges.ts'
import { Part } from './part.ts'
import type { Segment } from './segment.ts'
import { AnswerCache } from './write/answer-cache.ts'
import { Dated } from './write/dated.ts'

export type Removed = Readonly<{ instruments: readonly number[]; optionRoots: readonly number[] }>

const mostTags = 10_000

/** All reference data as it was at one revision; never changes. */
export class Snapshot {
  readonly revision: number
  /** Which data of that revision: a database that was restored or made anew counts the same revisions again. */
  readonly identity: string
  /** What changed since the base was built comes first. */
  readonly parts: readonly Part[]
  readonly exchanges: ReadonlyMap<string, ExchangeFacts>
  /** The time zones of the exchanges, and UTC. */
  readonly zones: ReadonlySet<string>
  /** Answers that cost more than to look them up. */
  readonly answers = new AnswerCache(32 * 1024 * 1024)
  readonly #days = new LocalDays()
  readonly #exchangeTexts = new Dated<string>()
  readonly #todays = new Map<Part, { key: string; days: Int32Array }>()
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
    const part = (segment: Segment, dead?: Uint8Array) =>
      new Part(
        segment,
        dead,
        segment.exchangeIds.map((id) => this.exchanges.get(id) ?? unknownExchange(id)),
      )
    this.parts = changed ? [part(changed.segment), part(base, deadDocs(base, changed))] : [part(base)]
  }

  /** Today at each of a part's exchanges; worked out anew when it is another day anywhere. */
  todaysOf(part: Part, now: Temporal.Instant): Int32Array {
    const key = this.daysKey(now)
    const known = this.#todays.get(part)
    if (known?.key === key) return known.days
    const days = Int32Array.from(part.exchanges, (exchange) => this.todayAt(exchange, now))
    this.#todays.set(part, { key, days })
    return days
  }

  get counts(): { Instruments: number; OptionRoots: number; OptionContracts: number } {
    const counts = { Instruments: 0, OptionRoots: 0, OptionContracts: 0 }
    for (const part of this.parts) {
      const live = part.liveDocs()
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
   * The tag of every answer that depends on the data, the caller's rights, the program (its version and profile) and the
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

  findInstrument(uic: number): { part: Part; doc: number } | undefined {
    for (const part of this.parts) {
      const doc = part.docOf(uic)
      if (doc !== undefined) return { part, doc }
    }
    return undefined
  }

  findRoot(optionRootId: number): { part: Part; root: number } | undefined {
    for (const part of this.parts) {
      const root = part.rootOf(optionRootId)
      if (root !== undefined) return { part, root }
    }
    return undefined
  }

  findContract(uic: number): { part: Part; contract: number } | undefined {
    for (const part of this.parts) {
      const contract = part.contractOf(uic)
      if (contract !== undefined) return { part, contract }
    }
    return undefined
  }
}

/** Import refuses an instrument of an exchange that is not there; should one come all the same, it is answered. */
const unknownExchange = (ExchangeId: string): ExchangeFacts =>
  exchangeFacts({ ExchangeId, Name: ExchangeId, CountryCode: 'XX', TimeZone: 'Etc/UTC', Hours: [] })

function deadDocs(base: Segment, changed: { segment: Segment; removed: Removed }): Uint8Array {
  const alive = new Part(base, undefined, [])
  const dead = new Uint8Array(base.docIds.length)
  const { docIds, docKinds } = changed.segment
  const instruments = [...changed.removed.instruments]
  const roots = [...changed.removed.optionRoots]
  for (let doc = 0; doc < docIds.length; doc++) (docKinds[doc] === 0 ? instruments : roots).push(docIds[doc] as number)
  for (const uic of instruments) {
    const doc = alive.docOf(uic)
    if (doc !== undefined) dead[doc] = 1
  }
  for (const id of roots) {
    const root = alive.rootOf(id)
    if (root !== undefined) dead[base.options.rootDocs[root] as number] = 1
  }
  return dead
}
