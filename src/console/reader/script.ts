import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../core/files/sibling-module.ts'

export type ReaderScript = Readonly<{ hash: string; br: Uint8Array; gzip: Uint8Array }>

const maxSeconds = 60

/** Returns a function that loads the script on its first call, because it is large and rarely needed. Concurrent
 *  calls share one thread; after a failure the next call tries again. */
export function scriptFrom(thread: URL): () => Promise<ReaderScript> {
  let script: Promise<ReaderScript> | undefined
  return () => {
    script ??= runThread(thread).catch((error: unknown) => {
      script = undefined
      throw error
    })
    return script
  }
}

export const readerScript = scriptFrom(siblingModule(import.meta, 'reader-thread'))

async function runThread(url: URL): Promise<ReaderScript> {
  const thread = new Worker(url)
  thread.unref()
  const { promise, resolve, reject } = Promise.withResolvers<ReaderScript>()
  const timeout = setTimeout(() => reject(new Error(`No script after ${maxSeconds} seconds.`)), maxSeconds * 1000)
  timeout.unref()
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => reject(new Error('The thread ended without a script.')))
  try {
    return await promise
  } finally {
    clearTimeout(timeout)
    await thread.terminate()
  }
}
