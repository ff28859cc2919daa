import { fstatSync, writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isoMilliseconds, systemClock } from './core/clock.ts'

/** A pipe takes up to 4,096 bytes at once (PIPE_BUF): several processes that log to one never tear a line. */
const pipeBytes = 4_096
/** A file takes a batch of any size. */
const fileBytes = 65_536
/** So that `tail -f` keeps up. */
const flushMs = 100

/** Collects lines and writes them in batches of whole lines: one write per line costs more than making the line. */
export class LineBuffer implements DestinationStream {
  readonly #write: (text: string) => void
  readonly #maxBytes: number
  #text = ''
  #bytes = 0
  #timer: NodeJS.Timeout | undefined

  constructor(write: (text: string) => void, maxBytes = pipeBytes) {
    this.#write = write
    this.#maxBytes = maxBytes
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.#bytes + bytes > this.#maxBytes) this.flushSync()
    this.#text += line
    this.#bytes += bytes
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.flushSync()
    }, flushMs).unref()
  }

  /** pino calls this after a fatal line. */
  flushSync(): void {
    const text = this.#text
    this.#text = ''
    this.#bytes = 0
    if (text !== '') this.#write(text)
  }
}

const waiting = new Int32Array(new SharedArrayBuffer(4))

/** Synchronous, as Node's own standard error is: nothing is in flight when the process ends, and handing a batch to a
 *  thread costs more than writing it. */
function writeWhole(fd: number, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      // Another process has made the descriptor non-blocking, and the reader is slow.
      Atomics.wait(waiting, 0, 0, 10)
    }
  }
}

/** Errors that end the log but not the service: no one reads the pipe, or the terminal was closed. */
const closed = ['EPIPE', 'EIO']

/** A closed descriptor is not a file. */
function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile()
  } catch {
    return false
  }
}

function standardError(): DestinationStream {
  let isOpen = true
  const buffer = new LineBuffer(
    (text) => {
      try {
        if (isOpen) writeWhole(2, text)
      } catch (error) {
        // After any other error, such as a full disk, the next batch may succeed.
        if (closed.includes((error as NodeJS.ErrnoException).code ?? '')) isOpen = false
      }
    },
    isFile(2) ? fileBytes : pipeBytes,
  )
  // Also after an uncaught exception.
  process.once('exit', () => buffer.flushSync())
  return buffer
}

const timestamp = (): string => `,"time":"${isoMilliseconds(systemClock.nowMs())}"`

/** Logs to standard error. Standard output contains only the start message. */
export function makeLog(config: Pick<Config, 'logLevel'>, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null, timestamp }, destination)
}
