import { constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { isatty } from 'node:tty'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { type Format, LineBuffer, pipeBytes, timestamp } from './core/process/line-buffer.ts'
import type { LineStyle } from './requests/rules/line.ts'
import { logLine } from './requests/rules/log-line.ts'

/** A file takes a batch of any size. */
const fileBytes = 65_536
/** A terminal shows the lines of a start that takes longer. */
const holdMs = 60_000

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
