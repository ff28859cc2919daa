import { Worker } from 'node:worker_threads'
import { siblingModule } from '../../core/files/sibling-module.ts'

/** The script of the API reader, compressed for every way in which it may be asked for. */
export type ReaderScript = Readonly<{ hash: string; br: Uint8Array; gzip: Uint8Array }>

const mostSeconds = 60

/** Makes of a thread that hands over the script a function that gives it. Megabytes that few ever ask for: the first who
 *  does starts the thread, whoever comes meanwhile waits for the same one, and after a failure the next tries again. */
export function scriptFrom(thread: URL): () => Promise<ReaderScript> {
  let made: Promise<ReaderScript> | undefined
  return () => {
    made ??= runThread(thread).catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

export const readerScript = scriptFrom(siblingModule(import.meta, 'reader-thread'))

async function runThread(url: URL): Promise<ReaderScript> {
  const thread = new Worker(url)
  thread.unref()
  const { promise, resolve, reject } = Promise.withResolvers<ReaderScript>()
  const tooLong = setTimeout(() => reject(new Error(`It took longer than ${mostSeconds} seconds.`)), mostSeconds * 1000)
  tooLong.unref()
  thread.once('message', resolve)
  thread.once('error', reject)
  thread.once('exit', () => reject(new Error('The thread has ended without it.')))
  try {
    return await promise
  } finally {
    clearTimeout(tooLong)
    await thread.terminate()
  }
}
