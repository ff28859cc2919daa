import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Writes a file beside its place and moves it there when it is whole: a broken export is never taken for one. It holds
 *  hashes of passwords and secrets, so it is its owner's alone. */
export async function writeFileWhole(path: string, texts: AsyncIterable<string>): Promise<void> {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`
  const file = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true })
  try {
    if (path.endsWith('.gz')) await pipeline(Readable.from(texts, { objectMode: false }), createGzip(), file)
    else await pipeline(Readable.from(texts, { objectMode: false }), file)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
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
