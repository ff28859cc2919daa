import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** The first signal removes the incomplete file; a second one ends the process. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Writes to a temporary file and renames it when complete, so that a partial export is never mistaken for one. Readable
 *  by its owner only, because it contains hashes of passwords and secrets. */
export async function writeFileWhole(path: string, texts: AsyncIterable<string>): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error(`The export was stopped; ${path} was not written.`))
  for (const signal of stopSignals) process.once(signal, stop)
  try {
    const source = Readable.from(texts, { objectMode: false })
    const written = path.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file)
    // An abort signal for the pipeline would wait for the current chunk.
    await Promise.race([written, stopped.promise])
    await rename(part, path)
  } catch (error) {
    file.destroy()
    await rm(part, { force: true })
    throw error
  } finally {
    for (const signal of stopSignals) process.off(signal, stop)
  }
}

/** Leaves standard output open. Its reader may close it early. */
export async function writeStream(output: Writable, texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(texts, { objectMode: false }), output, { end: false })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPIPE') throw error
    throw new Error('Standard output was closed before the export was complete.', { cause: error })
  }
}
