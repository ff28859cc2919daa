import type { Readable } from 'node:stream'
import { type Ending, EventStream } from '../http/streams/event-stream.ts'
import { type StreamLimits as OpenLimits, OpenStreams } from '../http/streams/open-streams.ts'
import type { Report, RequestReader, Selection, Summary } from './reader.ts'

/** What readers of the live log may take. */
export type StreamLimits = OpenLimits &
  Readonly<{
    /** Rows that wait for a slow reader. More are dropped, the oldest first. */
    rows: number
  }>

type Opened = Readonly<{
  /** Whom the limit is for. */
  reader: string
  selection: Selection
  /** Entries after this one are sent first. */
  since: string | undefined
  /** Why the reader may no longer read all of this; undefined while it may. */
  findEnding(): Promise<Ending | undefined>
}>

/** The open streams of the live log (§11.6): bounded in number, per reader and in all, and in what waits for each. */
export class RequestStreams {
  readonly #reader: RequestReader
  readonly #rows: number
  readonly #open: OpenStreams

  constructor(reader: RequestReader, { rows = 1_000, ...limits }: Partial<StreamLimits> = {}) {
    this.#reader = reader
    this.#rows = rows
    this.#open = new OpenStreams(limits)
  }

  get count(): number {
    return this.#open.count
  }

  /** The body of a response in the format text/event-stream. */
  open({ reader, findEnding, ...opened }: Opened): LogStream & Readable {
    const live = this.#open.open({ reader, findEnding, make: () => new LogStream(this.#rows) })
    live.once('close', this.#reader.follow(opened.selection, live.report))
    void this.#begin(live, opened)
    return live
  }

  /** Ends all streams, so that the server can close. */
  close(): void {
    this.#open.close()
  }

  /** Sends what was missed. What arrives meanwhile waits. */
  async #begin(live: LogStream, { selection, since }: Pick<Opened, 'selection' | 'since'>): Promise<void> {
    const filter = { ...selection.filter, since }
    const missed =
      since === undefined ? [] : await this.#reader.list({ ...selection, filter, limit: this.#rows }).catch(() => [])
    live.begin(missed.toReversed())
  }
}

const eventOf = (row: Summary): string => `id: ${row.Id}\nevent: request\ndata: ${JSON.stringify(row)}\n\n`

/** One stream. Rows wait until the connection takes them. */
class LogStream extends EventStream {
  readonly #maxRows: number
  #waiting: Summary[] = []
  #dropped = 0
  #hasBegun = false

  constructor(maxRows: number) {
    super()
    this.#maxRows = maxRows
  }

  /** Rows that were sent as missed are not repeated. */
  begin(missed: readonly Summary[]): void {
    const listed = new Set(missed.map(({ Id }) => Id))
    this.#waiting = [...missed, ...this.#waiting.filter(({ Id }) => !listed.has(Id))]
    this.#hasBegun = true
    this.sendWaiting()
  }

  readonly report: Report = (rows, dropped) => {
    this.#dropped += dropped
    this.#waiting.push(...rows)
    const over = this.#waiting.length - this.#maxRows
    if (over > 0) {
      this.#waiting.splice(0, over)
      this.#dropped += over
    }
    this.sendWaiting()
  }

  protected override sendWaiting(): void {
    if (!this.#hasBegun || this.isOver) return
    if (this.isWanted && this.#dropped > 0) {
      this.send(`event: dropped\ndata: ${JSON.stringify({ Dropped: this.#dropped })}\n\n`)
      this.#dropped = 0
    }
    while (this.isWanted) {
      const row = this.#waiting.shift()
      if (!row) return
      this.send(eventOf(row))
    }
  }
}
