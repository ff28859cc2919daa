import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import { maxBodyBytes } from '../../http/request-log/entry.ts'

type ReadBody = Readonly<{ text: string; isCut: boolean }>

const decompressors: Readonly<Record<string, () => Transform>> = {
  // What was cut is decompressed as far as it goes.
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/** The text of a kept body: at most 16 KB of it, whatever it decompresses to. */
export async function readBody(kept: Buffer | undefined, encoding?: string): Promise<ReadBody | undefined> {
  if (kept === undefined) return undefined
  const decompress = encoding === undefined ? undefined : decompressors[encoding]
  const text = decompress ? await readStart(decompress(), kept) : kept
  return { text: text.subarray(0, maxBodyBytes).toString(), isCut: text.length > maxBodyBytes }
}

async function readStart(stream: Transform, bytes: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  stream.end(bytes)
  try {
    for await (const part of stream) {
      parts.push(part as Buffer)
      length += (part as Buffer).length
      if (length > maxBodyBytes) break
    }
  } catch {
    // The end of what was cut.
  }
  return Buffer.concat(parts)
}
