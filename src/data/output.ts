import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Whoever is told to stop takes away what is not whole; told twice, it just ends. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Writes a file beside its place and moves it there when it is whole: a broken export is never taken for one. It holds
 *  hashes of passwords and secrets, so it is its owner's alone. */
export async function writeFileWhole(path: string, texts: AsyncIterable<string>): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error(`The export was stopped; ${path} was not written.`))
  for (const signal of stopSignals) process.once(signal, stop)
  try {
    const source = Readable.from(texts, { objectMode: false })
    const written = path.endsWith('.gz') ? pipeline(source, createGzip(), file) : pipeline(source, file)
    // Not by a signal to the pipeline, which waits until the texts it is at have come.
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

/** Standard output stays open for others; whoever reads it may go before the end. */
export async function writeStream(output: Writable, texts: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(texts, { objectMode: false }), output, { end: false })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EPIPE') throw error
    throw new Error('Standard output was closed before the export was whole.', { cause: error })
  }
}
