import { Problem } from '../../core/problem.ts'
import type { Ending, EventStream } from './event-stream.ts'

/** What readers of live streams may take. */
export type StreamLimits = Readonly<{
  streams: number
  perReader: number
  /** Ends before the server ends the exchange; readers connect again. */
  streamMs: number
  heartbeatMs: number
  /** How often it is checked whether a reader may still read. */
  checkMs: number
  /** A reader that takes nothing for so long is cut. */
  idleMs: number
  /** A stream that has ended is closed after so long, whether or not the reader has taken its end. */
  graceMs: number
}>

export const streamLimits: StreamLimits = {
  streams: 50,
  perReader: 4,
  streamMs: 240_000,
  heartbeatMs: 15_000,
  checkMs: 1_000,
  idleMs: Number.POSITIVE_INFINITY,
  graceMs: 30_000,
}

type Opened<Stream> = Readonly<{
  /** Whom the limit is for. */
  reader: string
  /** Why the reader may no longer read all of this; undefined while it may. */
  findEnding(): Promise<Ending | undefined>
  make(): Stream
}>

type Open = Pick<Opened<EventStream>, 'reader' | 'findEnding'> & {
  readonly live: EventStream
  readonly openedAt: number
  beatAt: number
  isInCheck: boolean
}

/** The open streams of one kind: bounded in number, per reader and in all, and in time. */
export class OpenStreams {
  readonly #limits: StreamLimits
  readonly #open = new Set<Open>()
  #timer: NodeJS.Timeout | undefined

  constructor(limits: Partial<StreamLimits> = {}) {
    this.#limits = { ...streamLimits, ...limits }
  }

  get count(): number {
    return this.#open.size
  }

  /** Makes a stream, unless there are too many. */
  open<Stream extends EventStream>({ reader, findEnding, make }: Opened<Stream>): Stream {
    const { streams, perReader, checkMs } = this.#limits
    const own = this.#open.values().filter((each) => each.reader === reader)
    if (this.#open.size >= streams || own.toArray().length >= perReader)
      throw new Problem(
        'LimitReached',
        `At most ${perReader} streams per user and ${streams} in all are open at a time. Close another one first.`,
      )
    const live = make()
    const now = performance.now()
    const open: Open = { reader, findEnding, live, openedAt: now, beatAt: now, isInCheck: false }
    this.#open.add(open)
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref()
    live.once('close', () => {
      this.#open.delete(open)
      if (this.#open.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
    return live
  }

  /** Ends all streams, so that the server can close. */
  close(): void {
    for (const { live } of this.#open) live.finish('closing')
  }

  #check(): void {
    const now = performance.now()
    const { streamMs, heartbeatMs, idleMs, graceMs } = this.#limits
    for (const stream of this.#open) {
      const { live, openedAt, beatAt } = stream
      if (live.overMs(now) > graceMs) live.destroy()
      if (live.isOver) continue
      void this.#checkReader(stream)
      if (now - openedAt > streamMs) live.finish('reconnect')
      else if (live.idleMs(now) > idleMs) live.finish('too slow')
      else if (now - beatAt > heartbeatMs) {
        stream.beatAt = now
        live.beat()
      }
    }
  }

  /** One check at a time: it may wait for the database. A reader who cannot be checked gets nothing more. */
  async #checkReader(stream: Open): Promise<void> {
    if (stream.isInCheck) return
    stream.isInCheck = true
    const ending = await stream.findEnding().catch((): Ending => 'reconnect')
    stream.isInCheck = false
    if (ending) stream.live.finish(ending)
  }
}
