import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LineNumbers } from '../import/errors.ts'
import { boundRecords, boundTogether } from './bounded.ts'
import { readRecords } from './records.ts'
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

test('empty lines count as bytes', async () => {
  const blank = gzipSync('\n'.repeat(3 * megabyte))
  const source = keptSource({ name: 'blank.ndjson.gz', format: 'ndjson', size: blank.length }, async function* () {
    yield blank
  })
  const [bounded] = boundTogether([source], 2 * megabyte)
  assert.ok(bounded)
  await assert.rejects(
    Array.fromAsync(readRecords(bounded, [], new LineNumbers(), () => {})),
    /^Error: The files have more than 2 MB when decompressed\. /,
  )
})

test('limits what all files have together when decompressed', async () => {
  assert.equal(await readAll(2), 2 * megabyte)
  await assert.rejects(readAll(3), /^Error: The files have more than 2 MB when decompressed\. /)
})

test('limits the records and their characters', () => {
  const message = /^Error: The files expand to more than 2 records or 1 MB, counting those of Repeat and Terms\. /
  const [byNumber, byLength] = [boundRecords(2, megabyte), boundRecords(2, megabyte)]
  for (const count of [byNumber, byNumber]) count(1)
  assert.throws(() => byNumber(1), message)
  byLength(megabyte)
  assert.throws(() => byLength(1), message)
})
