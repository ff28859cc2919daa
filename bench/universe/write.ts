import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { UniverseRecord } from './record.ts'

const chunkCharacters = 256 * 1_024

export type Written = Record<UniverseRecord['kind'], number>

/** Writes a file for `refdesk import`, gzipped if its name ends in .gz. The file may be larger than memory. */
export async function writeUniverse(
  path: string,
  records: AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>,
): Promise<Written> {
  const written: Written = { exchange: 0, instrument: 0, optionRoot: 0 }
  const chunks = Readable.from(chunksOf(records, written))
  const file = createWriteStream(path)
  if (path.endsWith('.gz')) await pipeline(chunks, createGzip(), file)
  else await pipeline(chunks, file)
  return written
}

async function* chunksOf(records: AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>, written: Written) {
  let chunk = ''
  for await (const record of records) {
    written[record.kind]++
    chunk += `${JSON.stringify(record)}\n`
    if (chunk.length < chunkCharacters) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
