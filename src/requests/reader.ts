import type { Static } from 'typebox'
import { ownTurn } from '../core/async/own-turn.ts'
import type { Entry } from '../http/request-log/entry.ts'
import type { RequestLog } from '../http/request-log/request-log.ts'
import type { Exchange, RequestSummary } from './api/schema.ts'
import { exchangeOf, summaryOf } from './api/view.ts'
import { type Filter, matches } from './rules/filter.ts'

export type Summary = Static<typeof RequestSummary>
export type WholeExchange = Static<typeof Exchange>
/** New entries, and how many were lost before them because the reader is too slow. */
export type Report = (rows: Summary[], dropped: number) => void

/** Which entries a reader may see and wants. */
export type Selection = Readonly<{
  /** Whose; undefined for those of all clients. */
  client: string | undefined
  filter: Filter
}>
export type Page = Selection & Readonly<{ before?: string | undefined; limit: number }>

/** Reads the request log of a node. */
export interface RequestReader {
  /** Newest first. */
  list(page: Page): Promise<Summary[]>
  find(id: string, client: string | undefined): Promise<WholeExchange | undefined>
  /** Reports new entries in batches, oldest first, until the returned function is called. */
  follow(selection: Selection, report: Report): () => void
}

/** Entries that are filtered in one turn of the event loop. */
const entriesPerTurn = 100

/** Reads the log of this thread. */
export class LocalReader implements RequestReader {
  readonly #log: RequestLog

  constructor(log: RequestLog) {
    this.#log = log
  }

  async list({ client, filter, before, limit }: Page): Promise<Summary[]> {
    const found: Summary[] = []
    for (const [at, entry] of this.#log.ring.newest(client).entries()) {
      if (found.length === limit) break
      if (at % entriesPerTurn === entriesPerTurn - 1) await ownTurn()
      if ((before === undefined || entry.id < before) && matches(entry, filter)) found.push(summaryOf(entry))
    }
    return found
  }

  async find(id: string, client: string | undefined): Promise<WholeExchange | undefined> {
    const entry = this.#log.find(id, client)
    return entry && exchangeOf(entry, this.#log.shown)
  }

  follow({ client, filter }: Selection, report: Report): () => void {
    const follower = new Follower<Entry>((entries, dropped) => {
      const rows = entries.filter((entry) => matches(entry, filter)).map(summaryOf)
      if (rows.length > 0 || dropped > 0) report(rows, dropped)
    })
    const stop = this.#log.ring.listen((entry) => {
      if (client === undefined || entry.client === client) follower.add(entry)
    })
    return () => {
      stop()
      follower.stop()
    }
  }
}

const flushMs = 100
const maxWaiting = 1_000

/** Collects items and reports them in batches. What does not fit between two reports is dropped, the oldest first, and counted. */
class Follower<Item> {
  readonly #report: (items: Item[], dropped: number) => void
  #waiting: Item[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(report: (items: Item[], dropped: number) => void) {
    this.#report = report
  }

  add(item: Item): void {
    if (this.#waiting.length === maxWaiting) {
      this.#waiting.shift()
      this.#dropped += 1
    }
    this.#waiting.push(item)
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #flush(): void {
    const [items, dropped] = [this.#waiting, this.#dropped]
    this.#timer = undefined
    this.#waiting = []
    this.#dropped = 0
    this.#report(items, dropped)
  }
}
