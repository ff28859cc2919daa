import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { boundTogether } from './bounded.ts'
import { keptSource } from './sources.ts'

const megabyte = 1024 * 1024

/** Each has a megabyte when decompressed. */
function sources(count: number) {
  const packed = gzipSync(Buffer.alloc(megabyte))
  return Array.from({ length: count }, (_, number) =>
    keptSource({ name: `${number}.ndjson.gz`, format: 'ndjson', size: packed.length }, async function* () {
      yield packed
    }),
  )
}

async function readAll(count: number): Promise<number> {
  let bytes = 0
  for (const source of boundTogether(sources(count), 2 * megabyte))
    for await (const chunk of source.open(() => {})) bytes += chunk.length
  return bytes
}

test('limits what all files have together when decompressed', async () => {
  assert.equal(await readAll(2), 2 * megabyte)
  await assert.rejects(readAll(3), /^Error: The files have more than 2 MB when decompressed\. /)
})
