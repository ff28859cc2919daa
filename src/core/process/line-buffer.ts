import { performance } from 'node:perf_hooks'
import type { DestinationStream } from 'pino'
import { isoMilliseconds, systemClock } from '../clock.ts'

/** A pipe takes up to 4,096 bytes at once (PIPE_BUF): several processes that log to one never tear a line. */
export const pipeBytes = 4_096
/** So that `tail -f` keeps up. */
const flushMs = 100
/** What waits for a slow reader, or for space on a full disk. More is dropped and counted. */
const maxWaitingBytes = 1_048_576
/** How long the end of the process waits for a reader that takes nothing. */
const endMs = 1_000
/** A slow reader must not hold up the end of the process. */
const endAtMostMs = 5_000

/** Writes what can be written now and returns how many bytes that was. */
type Write = (bytes: Buffer) => number
/** Makes what is written of a line that ends with a line feed. */
export type Format = (line: string) => string
type BufferOptions = Readonly<{ maxBytes?: number; format?: Format /** Whether lines wait. */; isHeld?: () => boolean }>

/** Collects lines and writes them in batches of whole lines: one write per line costs more than making the line. It never
 *  waits for the reader: batches that cannot be written now are tried again, in order. */
export class LineBuffer implements DestinationStream {
  readonly #write: Write
  readonly #maxBytes: number
  readonly #format: Format
  readonly #isHeld: () => boolean
  #isEnding = false
  /** The lines of the next batch. A text that grows line by line would have to be joined, measured and copied. */
  readonly #batch: Buffer
  #bytes = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    write: Write,
    { maxBytes = pipeBytes, format = (line) => line, isHeld = () => false }: BufferOptions = {},
  ) {
    this.#write = write
    this.#maxBytes = maxBytes
    this.#format = format
    this.#isHeld = isHeld
    this.#batch = Buffer.allocUnsafeSlow(maxBytes)
  }

  write(json: string): void {
    const line = this.#format(json)
    // A UTF-16 code unit takes up to three bytes.
    const mayNotFit = this.#bytes + 3 * line.length > this.#maxBytes
    if (mayNotFit && this.#bytes + Buffer.byteLength(line) > this.#maxBytes) {
      this.flushSync()
      if (Buffer.byteLength(line) > this.#maxBytes) {
        this.#keep(Buffer.from(line))
        this.flushSync()
        return
      }
    }
    this.#bytes += this.#batch.write(line, this.#bytes)
    this.#setTimer()
  }

  /** Writes as much as can be written now. pino calls this after a fatal line. */
  flushSync(): void {
    const batch = this.#batch.subarray(0, this.#bytes)
    this.#bytes = 0
    // What waits must not be overwritten.
    if (batch.length > 0) this.#keep(Buffer.from(batch))
    if (this.#isEnding || !this.#isHeld()) this.#writeWaiting()
    if (this.#waiting.length > 0) this.#setTimer()
  }

  /** Writes everything, for as long as someone reads it. */
  end(): void {
    this.#isEnding = true
    this.flushSync()
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const latest = performance.now() + endAtMostMs
    const isInTime = (since: number) => performance.now() < Math.min(since + endMs, latest)
    for (let since = performance.now(); this.#waiting.length > 0 && isInTime(since); ) {
      Atomics.wait(pause, 0, 0, 5)
      if (this.#writeWaiting()) since = performance.now()
    }
  }

  #setTimer(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.flushSync()
    }, flushMs).unref()
  }

  #keep(batch: Buffer): void {
    if (this.#waitingBytes + batch.length > maxWaitingBytes && this.#waiting.length > 0) {
      for (const byte of batch) if (byte === 10) this.#dropped++
      return
    }
    this.#waiting.push(batch)
    this.#waitingBytes += batch.length
  }

  /** True if anything was written. */
  #writeWaiting(): boolean {
    let written = 0
    let count = 0
    for (const batch of this.#waiting) {
      const taken = this.#write(batch)
      written += taken
      if (taken < batch.length) {
        this.#waiting[count] = batch.subarray(taken)
        break
      }
      count++
    }
    this.#waiting.splice(0, count)
    this.#waitingBytes -= written
    if (this.#waiting.length === 0 && this.#dropped > 0) this.#reportDropped()
    return written > 0
  }

  #reportDropped(): void {
    const line = `{"level":40${timestamp()},"dropped":${this.#dropped},"msg":"log lines were dropped: they could not be written in time"}\n`
    this.#dropped = 0
    this.#keep(Buffer.from(this.#format(line)))
    this.#writeWaiting()
  }
}

/** The member of a line that says when it was written. */
export const timestamp = (): string => `,"time":"${isoMilliseconds(systemClock.nowMs())}"`
