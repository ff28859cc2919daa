import type { Worker } from 'node:worker_threads'
import { newThreads, type Threads } from '../../../src/instruments/catalogue/build/run-thread.ts'

const maxKept = 2
const kept = new Set<Worker>()

/** Threads that services of this process have left idle, for the next ones: to start a thread takes as long as a test. */
export const keptThreads: Threads = {
  start() {
    const [worker = newThreads.start()] = kept
    kept.delete(worker)
    return worker
  },
  async end(worker, isIdle) {
    if (!isIdle || kept.size >= maxKept) return newThreads.end(worker, isIdle)
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    kept.add(worker)
    worker.once('exit', () => kept.delete(worker))
  },
}
