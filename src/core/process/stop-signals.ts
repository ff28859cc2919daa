import { performance } from 'node:perf_hooks'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
export type StopSignal = (typeof signals)[number]

/** Signals that arrive this soon after the first are the same request: a terminal signals a whole process group, and npm,
 *  which is in it, passes the signal on. */
const sameMs = 1_000

/** Calls back for the first stop signal and for each that is sent later. A later SIGHUP is ignored, because terminal and
 *  shell may both send one. Until `ignore` is called, no stop signal ends the process by itself. */
export function watchStopSignals(onStop: (signal: StopSignal, isRepeated: boolean) => void): { ignore(): void } {
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
