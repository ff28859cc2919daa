import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { instrumentKind } from '../../instruments/import/kinds.ts'
import { LineNumbers } from '../import/errors.ts'
import { readRecords } from './records.ts'
import { findSources } from './sources.ts'

const folder = await mkdtemp(join(tmpdir(), 'refdesk-sources-'))
after(() => rm(folder, { recursive: true }))
const input = Readable.from([Buffer.from('from input')])

async function read(path: string): Promise<{ text: string; read: number }> {
  const [source] = await findSources([path], input)
  assert.ok(source)
  let read = 0
  const chunks: Buffer[] = []
  for await (const chunk of source.open((bytes) => {
    read += bytes
  }))
    chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString(), read }
}

test('reads a file, a compressed file and standard input, and counts the bytes read', async () => {
  const packed = gzipSync('packed\n')
  await writeFile(join(folder, 'a.ndjson'), 'plain\n')
  await writeFile(join(folder, 'a.CSV.gz'), packed)
  assert.deepEqual(await read(join(folder, 'a.ndjson')), { text: 'plain\n', read: 6 })
  assert.deepEqual(await read(join(folder, 'a.CSV.gz')), { text: 'packed\n', read: packed.length })
  assert.deepEqual(await read('-'), { text: 'from input', read: 10 })
  const names = await findSources([join(folder, 'a.ndjson'), join(folder, 'a.CSV.gz')], input)
  assert.deepEqual(
    names.map(({ name, format, size }) => [name, format, size]),
    [
      ['a.ndjson', 'ndjson', 6],
      ['a.CSV.gz', 'csv', packed.length],
    ],
  )
  assert.deepEqual(
    (await findSources([], input)).map(({ name, size }) => [name, size]),
    [['stdin', undefined]],
  )
})

test('refuses a table with a huge header, compressed or not', async () => {
  const text = `Uic${',C'.repeat(3_000_000)}\n1\n`
  for (const [name, bytes] of Object.entries({ 'wide.csv': text, 'wide.csv.gz': gzipSync(text) })) {
    await writeFile(join(folder, name), bytes)
    const [source] = await findSources([join(folder, name)], input)
    assert.ok(source)
    const items = await Array.fromAsync(readRecords(source, [instrumentKind], new LineNumbers(), () => {}))
    const error = 'The header has 3000001 columns. It may have at most 200.'
    assert.deepEqual(items.flat(), [{ line: 1, error }])
  }
})

test('names a file by its base name, or by its path if two have the same name', async () => {
  const [one, other, third] = [join(folder, 'b.ndjson'), `${folder}/./b.ndjson`, join(folder, 'c.jsonl')]
  for (const path of [one, third]) await writeFile(path, '')
  const sources = await findSources([one, other, third], input)
  assert.deepEqual(
    sources.map(({ name }) => name),
    [one, other, 'c.jsonl'],
  )
})

test('asks for files if there are none: at a terminal, and if standard input is empty', async () => {
  const expected =
    /^Error: There is nothing to import\. Pass files, or send records to standard input: refdesk import FILE/
  await assert.rejects(findSources([], Object.assign(Readable.from([]), { isTTY: true })), expected)
  const [source] = await findSources([], Readable.from([]))
  await assert.rejects(Array.fromAsync(source?.open(() => {}) ?? []), expected)
  const [given] = await findSources([], Readable.from([Buffer.from('records')]))
  assert.equal(String(await Array.fromAsync(given?.open(() => {}) ?? [])), 'records')
})

test('names a compressed file that is truncated or not compressed', async () => {
  await writeFile(join(folder, 'cut.ndjson.gz'), gzipSync('packed\n'.repeat(1_000)).subarray(0, 30))
  await writeFile(join(folder, 'not.ndjson.gz'), 'plain\n')
  for (const name of ['cut.ndjson.gz', 'not.ndjson.gz'])
    await assert.rejects(read(join(folder, name)), new RegExp(`${name} is not a complete gzip file\\.$`))
})
