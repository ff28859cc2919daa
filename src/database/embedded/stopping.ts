import { performance } from 'node:perf_hooks'
import { type EmbeddedDatabase, type EmbeddedOptions, joinEmbedded } from './embedded.ts'

const drainSeconds = 25

/** Starts a database, if there is one to start, and runs a service with it until the service ends. The first stop signal
 *  aborts `stopping`, and the service drains. After a later signal, or 25 seconds, it is not waited for. The database is
 *  stopped in any case before the process exits. */
export async function runUntilStopped(
  start: (stopping: AbortSignal) => Promise<EmbeddedDatabase | undefined>,
  run: (database: EmbeddedDatabase | undefined, stopping: AbortSignal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  const overdue = Promise.withResolvers<void>()
  let isOverdue = false
  const hurry = () => {
    isOverdue = true
    overdue.resolve()
  }
  watchStopSignals((_signal, isRepeated) => {
    if (isRepeated) return hurry()
    stopping.abort()
    setTimeout(hurry, drainSeconds * 1_000).unref()
  })
  let database: EmbeddedDatabase | undefined
  try {
    database = await start(stopping.signal)
    await Promise.race([run(database, stopping.signal), overdue.promise])
  } catch (error) {
    // A start that was stopped.
    if (error !== stopping.signal.reason) throw error
  } finally {
    await database?.stop()
  }
  // What is still under way would keep the process running.
  if (isOverdue) process.exit(1)
}

/** Joins the database for a command. A signal that ends the command stops the database first, unless another process
 *  uses it. */
export async function joinUntilStopped(options: Omit<EmbeddedOptions, 'signal'>): Promise<EmbeddedDatabase> {
  const starting = new AbortController()
  let joined: EmbeddedDatabase | undefined
  const watched = watchStopSignals((signal, isRepeated) => {
    starting.abort(new Error('Interrupted.'))
    if (joined && (isRepeated || !isHandled(signal))) void joined.stop().finally(() => endBy(signal))
  })
  const endBy = (signal: StopSignal) => {
    watched.ignore()
    process.kill(process.pid, signal)
  }
  joined = await joinEmbedded({ ...options, signal: starting.signal })
  if (starting.signal.aborted) await joined.stop()
  starting.signal.throwIfAborted()
  const { stop } = joined
  return { ...joined, stop: () => stop().finally(watched.ignore) }
}

/** Import and export listen themselves, and say what became of their work. */
const isHandled = (signal: StopSignal): boolean => process.listenerCount(signal) > 1

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof signals)[number]

/** Signals that arrive this soon after the first are the same request: a terminal signals a whole process group, and npm,
 *  which is in it, passes the signal on. */
const sameMs = 1_000

/** Calls back for the first stop signal and for each that is sent later. A later SIGHUP is ignored, because terminal and
 *  shell may both send one. Until `ignore` is called, no stop signal ends the process by itself. */
function watchStopSignals(onStop: (signal: StopSignal, isRepeated: boolean) => void): { ignore(): void } {
  let first: number | undefined
  const receive = (signal: StopSignal) => {
    const isRepeated = first !== undefined
    if (first !== undefined && (signal === 'SIGHUP' || performance.now() - first < sameMs)) return
    first ??= performance.now()
    onStop(signal, isRepeated)
  }
  for (const signal of signals) process.on(signal, receive)
  return {
    ignore: () => {
      for (const signal of signals) process.off(signal, receive)
    },
  }
}
