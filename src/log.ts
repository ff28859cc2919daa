import { constants, fstatSync, openSync, type Stats } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { isatty } from 'node:tty'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { isoMilliseconds, systemClock } from './core/clock.ts'
import { type LineStyle, logLine } from './requests/rules/line.ts'

/** A pipe takes up to 4,096 bytes at once (PIPE_BUF): several processes that log to one never tear a line. */
const pipeBytes = 4_096
const flushMs = 100
/** The lines that wait for a slow reader, or for space on a full disk. More is dropped and counted. */
const maxWaitingBytes = 1_048_576
/** How long the end of the process waits for a slow reader. */
const endMs = 5_000
/** A terminal shows the lines of a start that takes longer. */
const holdMs = 60_000

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

type Sink = DestinationStream & Readonly<{ flushSync(): void }>

/** Standard error in batches of whole lines, which never waits for its reader. Synchronous, because handing a batch to a thread costs
 *  more than writing it: a write that would block fails and is tried again with the next batch. */
function standardError(): Sink {
  const fd = unblockedStandardError(statOf(2)?.isFIFO() === true || isatty(2))
  let isOpen = true
  let failure: string | undefined
  let dropped = 0
  const lines = destination({
    ...{ dest: fd, sync: true, retryEAGAIN: () => false, periodicFlush: flushMs, maxLength: maxWaitingBytes },
    ...{ minLength: pipeBytes - 512, maxWrite: pipeBytes },
  })
  lines.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    failure = code
    // No one reads the pipe, or the terminal was closed: this ends the log but not the service.
    if (['EPIPE', 'EBADF', 'EIO'].includes(code)) isOpen = false
  })
  lines.on('drop', () => {
    dropped += 1
  })
  const reportDropped = () => {
    if (dropped === 0) return
    const line = `{"level":40${timestamp()},"dropped":${dropped},"msg":"log lines were dropped: they could not be written in time"}\n`
    const count = dropped
    dropped = 0
    lines.write(line)
    // This line was dropped too.
    if (dropped > 0) dropped = count
  }
  lines.on('drain', reportDropped)
  const flushSync = () => {
    if (!isOpen) return
    failure = undefined
    lines.flush()
  }
  // Also after an uncaught exception.
  process.once('exit', () => {
    const pause = new Int32Array(new SharedArrayBuffer(4))
    for (const latest = performance.now() + endMs; isOpen && performance.now() < latest; ) {
      flushSync()
      if (failure !== undefined && failure !== 'EAGAIN') return
      try {
        lines.flushSync()
        if (dropped === 0) return
        reportDropped()
      } catch {
        Atomics.wait(pause, 0, 0, 5)
      }
    }
  })
  return { write: (line) => void (isOpen && lines.write(line)), flushSync }
}

/** A number that all threads of the process share. The main thread sets its first value. */
function sharedNumber(name: string, start: (shared: Int32Array) => void = () => {}): Int32Array {
  const key = `refdesk: ${name}`
  const known = getEnvironmentData(key) as unknown as Int32Array | undefined
  if (known) return known
  const shared = new Int32Array(new SharedArrayBuffer(4))
  if (isMainThread) {
    start(shared)
    setEnvironmentData(key, shared as unknown as Parameters<typeof setEnvironmentData>[1])
  }
  return shared
}

/** The width of the terminal, 0 if unknown. Only the main thread learns of a change. */
const terminalColumns = (): Int32Array =>
  sharedNumber('columns of the terminal', (columns) => {
    const read = () => {
      columns[0] = process.stderr.columns
    }
    read()
    process.stderr.on('resize', read)
  })

const startedFlag = (): Int32Array => sharedNumber('whether the start message was written')

/** Call this when the start message was written. */
export function releaseLog(): void {
  Atomics.store(startedFlag(), 0, 1)
}

/** Lines that a person reads, made from those in JSON. With a start message they wait for it, because it comes first. */
function readable(sink: Sink, { hasColours }: LogSettings, hasStartMessage: boolean): Sink {
  const columns = isatty(2) ? terminalColumns() : undefined
  const style = (): LineStyle =>
    columns ? { width: columns[0] || undefined, hasColours } : { width: undefined, hasColours: false }
  const format = (line: string): string => {
    try {
      return `${logLine(line, style())}\n`
    } catch {
      return line
    }
  }
  const held: string[] = []
  const until = performance.now() + (hasStartMessage ? holdMs : 0)
  const started = startedFlag()
  const release = (): void => {
    for (const line of held.splice(0)) sink.write(format(line))
  }
  const isHeld = () => Atomics.load(started, 0) === 0 && performance.now() < until
  const timer = setInterval(() => {
    if (isHeld()) return
    clearInterval(timer)
    release()
  }, flushMs).unref()
  process.prependOnceListener('exit', release)
  const write = (line: string): void => {
    held.push(line)
    if (!isHeld()) release()
  }
  return { ...sink, write }
}

type LogSettings = Pick<Config, 'logLevel' | 'logFormat' | 'hasColours'>

/** Logs to standard error. Standard output contains only the start message, which the log of the service waits for. */
export function makeLog(config: LogSettings, hasStartMessage = false): Logger {
  const sink = standardError()
  const shown = config.logFormat === 'pretty' ? readable(sink, config, hasStartMessage) : sink
  return pino({ level: config.logLevel, base: null, timestamp }, shown)
}

const timestamp = (): string => `,"time":"${isoMilliseconds(systemClock.nowMs())}"`
