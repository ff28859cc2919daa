import { Readable } from 'node:stream'
import { Problem } from '../core/problem.ts'
import type { Report, RequestReader, Selection, Summary } from './reader.ts'

/** What readers of the live log may take. */
export type StreamLimits = Readonly<{
  streams: number
  perReader: number
  /** Rows that wait for a slow reader. More are dropped, the oldest first. */
  rows: number
  /** Ends before the server ends the exchange; readers connect again. */
  streamMs: number
  heartbeatMs: number
  /** How often it is checked whether a reader may still read. */
  checkMs: number
}>

export const streamLimits: StreamLimits = {
  streams: 50,
  perReader: 4,
  rows: 1_000,
  streamMs: 240_000,
  heartbeatMs: 15_000,
  checkMs: 1_000,
}

/** Why a stream ends. After `signed out`, the token no longer works; after all others, readers may connect again. */
export type Ending = 'signed out' | 'rights changed' | 'reconnect' | 'closing'

type Opened = Readonly<{
  /** Whom the limit is for. */
  reader: string
  selection: Selection
  /** Entries after this one are sent first. */
  since: string | undefined
  /** Why the reader may no longer read all of this; undefined while it may. */
  findEnding(): Promise<Ending | undefined>
}>

type Stream = Opened & { readonly live: LiveStream; readonly openedAt: number; beatAt: number; isInCheck: boolean }

/** The open streams of the live log (§11.6): bounded in number, per reader and in all, and in what waits for each. */
export class RequestStreams {
  readonly #reader: RequestReader
  readonly #limits: StreamLimits
  readonly #open = new Set<Stream>()
  #timer: NodeJS.Timeout | undefined

  constructor(reader: RequestReader, limits: Partial<StreamLimits> = {}) {
    this.#reader = reader
    this.#limits = { ...streamLimits, ...limits }
  }

  get count(): number {
    return this.#open.size
  }

  /** The body of a response in the format text/event-stream. */
  open(opened: Opened): Readable {
    const { streams, perReader, rows, checkMs } = this.#limits
    const own = this.#open.values().filter(({ reader }) => reader === opened.reader)
    if (this.#open.size >= streams || own.toArray().length >= perReader)
      throw new Problem(
        'LimitReached',
        `At most ${perReader} streams per user and ${streams} in all are open at a time. Close another one first.`,
      )
    const live = new LiveStream(rows)
    const now = performance.now()
    const stream: Stream = { ...opened, live, openedAt: now, beatAt: now, isInCheck: false }
    this.#open.add(stream)
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref()
    const stop = this.#reader.follow(opened.selection, live.report)
    live.once('close', () => {
      stop()
      this.#open.delete(stream)
      if (this.#open.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    void this.#begin(stream)
    return live
  }

  /** Ends all streams, so that the server can close. */
  close(): void {
    for (const { live } of this.#open) live.finish('closing')
  }

  /** Sends what was missed. What arrives meanwhile waits. */
  async #begin({ live, selection, since }: Stream): Promise<void> {
    const filter = { ...selection.filter, since }
    const missed =
      since === undefined
        ? []
        : await this.#reader.list({ ...selection, filter, limit: this.#limits.rows }).catch(() => [])
    live.begin(missed.toReversed())
  }

  #check(): void {
    const now = performance.now()
    for (const stream of this.#open) {
      const { live, openedAt, beatAt } = stream
      void this.#checkReader(stream)
      if (now - openedAt > this.#limits.streamMs) live.finish('reconnect')
      else if (now - beatAt > this.#limits.heartbeatMs) {
        stream.beatAt = now
        live.beat()
      }
    }
  }

  /** One check at a time: it may wait for the database. A reader who cannot be checked gets nothing more. */
  async #checkReader(stream: Stream): Promise<void> {
    if (stream.isInCheck) return
    stream.isInCheck = true
    const ending = await stream.findEnding().catch((): Ending => 'reconnect')
    stream.isInCheck = false
    if (ending) stream.live.finish(ending)
  }
}

const eventOf = (row: Summary): string => `id: ${row.Id}\nevent: request\ndata: ${JSON.stringify(row)}\n\n`

/** One stream. Rows wait until the connection takes them. */
class LiveStream extends Readable {
  readonly #maxRows: number
  #waiting: Summary[] = []
  #dropped = 0
  #hasBegun = false
  #isWanted = false
  /** Nothing may be written after the end, even if the connection has not taken the rest yet. */
  #isOver = false

  constructor(maxRows: number) {
    super({ highWaterMark: 16_384 })
    this.#maxRows = maxRows
    // Browsers connect again after this many milliseconds.
    this.push('retry: 1000\n\n')
  }

  /** Rows that were sent as missed are not repeated. */
  begin(missed: readonly Summary[]): void {
    const listed = new Set(missed.map(({ Id }) => Id))
    this.#waiting = [...missed, ...this.#waiting.filter(({ Id }) => !listed.has(Id))]
    this.#hasBegun = true
    this.#send()
  }

  readonly report: Report = (rows, dropped) => {
    this.#dropped += dropped
    this.#waiting.push(...rows)
    const over = this.#waiting.length - this.#maxRows
    if (over > 0) {
      this.#waiting.splice(0, over)
      this.#dropped += over
    }
    this.#send()
  }

  beat(): void {
    if (this.#isWanted && !this.#isOver) this.#isWanted = this.push(': still here\n\n')
  }

  /** Says why, and ends. */
  finish(reason: Ending): void {
    if (this.destroyed || this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.push(`event: end\ndata: ${JSON.stringify({ Reason: reason })}\n\n`)
    this.push(null)
  }

  override _read(): void {
    this.#isWanted = true
    this.#send()
  }

  #send(): void {
    if (!this.#hasBegun || this.#isOver) return
    if (this.#isWanted && this.#dropped > 0) {
      this.#isWanted = this.push(`event: dropped\ndata: ${JSON.stringify({ Dropped: this.#dropped })}\n\n`)
      this.#dropped = 0
    }
    while (this.#isWanted) {
      const row = this.#waiting.shift()
      if (!row) return
      this.#isWanted = this.push(eventOf(row))
    }
  }
}
