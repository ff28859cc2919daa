import { constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { isatty } from 'node:tty'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isoMilliseconds, systemClock } from './core/clock.ts'
import type { LineStyle } from './requests/rules/line.ts'
import { logLine } from './requests/rules/log-line.ts'

/** A pipe takes up to 4,096 bytes at once (PIPE_BUF): several processes that log to one never tear a line. */
const pipeBytes = 4_096
/** A file takes a batch of any size. */
const fileBytes = 65_536
/** So that `tail -f` keeps up. */
const flushMs = 100
/** What waits for a slow reader, or for space on a full disk. More is dropped and counted. */
const maxWaitingBytes = 1_048_576
/** How long the end of the process waits for a reader that takes nothing. */
const endMs = 1_000
/** A slow reader must not hold up the end of the process. */
const endAtMostMs = 5_000
/** A terminal shows the lines of a start that takes longer. */
const holdMs = 60_000

/** Writes what can be written now and returns how many bytes that was. */
type Write = (bytes: Buffer) => number
/** Makes what is written of a line that ends with a line feed. */
type Format = (line: string) => string
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
        return this.flushSync()
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

/** Undefined for a closed descriptor. */
function statOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd)
  } catch {
    return undefined
  }
}

/** Standard error without blocking: a write to a full pipe fails (EAGAIN) instead of stopping the service. */
function unblockedStandardError(isShared: boolean): number {
  // Processes that share a pipe or a terminal also share whether it blocks: another one could change it, as Node.js does when
  // it exits. Linux can open it again, apart from theirs, unless another user has made it.
  if (isShared && process.platform === 'linux')
    try {
      return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    } catch {}
  // Makes a pipe or a socket non-blocking.
  if (isMainThread) void process.stderr
  return 2
}

/** Synchronous, because handing a batch to a thread costs more than writing it. */
function standardError({ format, isHeld }: Readonly<{ format: Format; isHeld(): boolean }>): DestinationStream {
  const stats = statOf(2)
  const toFile = stats?.isFile() === true
  const fd = unblockedStandardError(stats?.isFIFO() === true || isatty(2))
  let isOpen = true
  const buffer = new LineBuffer(
    (bytes) => {
      if (!isOpen) return bytes.length
      try {
        return writeSync(fd, bytes)
      } catch (error) {
        // No one reads the pipe, or the terminal was closed: this ends the log but not the service.
        const { code = '' } = error as NodeJS.ErrnoException
        if (code === 'EPIPE' || code === 'EBADF' || (code === 'EIO' && !toFile)) isOpen = false
        // After any other error, such as a full disk, a later attempt may succeed.
        return isOpen ? 0 : bytes.length
      }
    },
    { maxBytes: toFile ? fileBytes : pipeBytes, format, isHeld },
  )
  // Also after an uncaught exception.
  process.once('exit', () => buffer.end())
  return buffer
}

const timestamp = (): string => `,"time":"${isoMilliseconds(systemClock.nowMs())}"`

const columnsKey = 'refdesk: columns of the terminal'

/** The width of the terminal, 0 if unknown. Only the main thread learns of a change, so all threads share it. */
function terminalColumns(): Int32Array {
  const shared = getEnvironmentData(columnsKey) as unknown as Int32Array | undefined
  if (shared) return shared
  const columns = new Int32Array(new SharedArrayBuffer(4))
  if (!isMainThread) return columns
  const read = () => {
    columns[0] = process.stderr.columns
  }
  read()
  process.stderr.on('resize', read)
  setEnvironmentData(columnsKey, columns as unknown as Parameters<typeof setEnvironmentData>[1])
  return columns
}

const startedKey = 'refdesk: whether the start message was written'

/** 1 when the start message was written. All threads of the process share it. */
function startedFlag(): Int32Array {
  const shared = getEnvironmentData(startedKey) as unknown as Int32Array | undefined
  if (shared) return shared
  const flag = new Int32Array(new SharedArrayBuffer(4))
  if (isMainThread) setEnvironmentData(startedKey, flag as unknown as Parameters<typeof setEnvironmentData>[1])
  return flag
}

/** Whether lines for a reader wait for the start message, which comes first. */
function holdOf({ logFormat }: LogSettings): () => boolean {
  if (logFormat !== 'pretty') return () => false
  const started = startedFlag()
  const until = performance.now() + holdMs
  return () => Atomics.load(started, 0) === 0 && performance.now() < until
}

/** Call this when the start message was written. */
export function releaseLog(): void {
  Atomics.store(startedFlag(), 0, 1)
}

function formatOf({ logFormat, hasColours }: LogSettings): Format {
  if (logFormat !== 'pretty') return (line) => line
  const columns = isatty(2) ? terminalColumns() : undefined
  const style = (): LineStyle =>
    columns ? { width: columns[0] || undefined, hasColours } : { width: undefined, hasColours: false }
  return (line) => {
    try {
      return `${logLine(line, style())}\n`
    } catch {
      return line
    }
  }
}

type LogSettings = Pick<Config, 'logLevel' | 'logFormat' | 'hasColours'>

const readBy = (config: LogSettings, isHeld = () => false) => standardError({ format: formatOf(config), isHeld })

/** Logs to standard error. Standard output contains only the start message. */
export function makeLog(config: LogSettings, destination = readBy(config)): Logger {
  return pino({ level: config.logLevel, base: null, timestamp }, destination)
}

/** The same, for what has a start message: a reader gets that first. */
export const makeServiceLog = (config: LogSettings): Logger => makeLog(config, readBy(config, holdOf(config)))
