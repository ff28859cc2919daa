import { BroadcastChannel, isMainThread, threadId, workerData } from 'node:worker_threads'

/** Preloaded into a service by `--import`. On SIGUSR2 its first worker throws, on SIGWINCH its first worker runs out of memory. */
type Message = { worker: number } | { end: number; how: 'throw' | 'allocate' }

const channel = new BroadcastChannel('failing-worker')
channel.unref()

function fail(how: 'throw' | 'allocate'): never {
  const kept: number[][] = []
  while (how === 'allocate') kept.push(new Array(10_000).fill(Math.random()))
  throw new Error('thrown by a test')
}

if (isMainThread) {
  const workers: number[] = []
  channel.onmessage = (event: unknown) => {
    const { data } = event as { data: Message }
    if ('worker' in data) workers.push(data.worker)
  }
  const end = (how: 'throw' | 'allocate') => () => channel.postMessage({ end: workers.shift(), how })
  process.on('SIGUSR2', end('throw')).on('SIGWINCH', end('allocate'))
} else if ((workerData as { states?: unknown } | null)?.states) {
  channel.postMessage({ worker: threadId })
  channel.onmessage = (event: unknown) => {
    const { data } = event as { data: Message }
    if ('end' in data && data.end === threadId) fail(data.how)
  }
}
