import { isMainThread } from 'node:worker_threads'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** A pipe accepts this many bytes as a whole or not at all, so the lines of worker threads do not mix. */
const maxWholeWrite = 4_096

/** Treats EIO from a closed terminal like EPIPE: logging stops, the service continues. */
function standardError(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: false, ...(!isMainThread && { maxWrite: maxWholeWrite }) })
  // Pino does this itself, but only in the main thread.
  if (!isMainThread) process.once('exit', () => stream.flushSync())
  return stream.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') error.code = 'EPIPE'
  })
}

/** Logs to standard error. Standard output contains only the start message. */
export function makeLog(config: Config, destination: DestinationStream = standardError()): Logger {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
