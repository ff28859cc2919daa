import assert from 'node:assert/strict'
import { mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { SegmentBuilder } from '../build/segment-builder.ts'
import type { Segment } from '../segment.ts'
import { programFingerprint } from './program.ts'
import { readKeptSegment, UnusableFile, writeKeptSegment } from './segment-file.ts'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refdesk-kept-'))
  file = join(folder, 'catalogue.segment')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function sample(revision: number): Segment {
  const builder = new SegmentBuilder()
  const common = {
    ExchangeId: 'NAS',
    CurrencyCode: 'USD',
    Hours: [{ Days: ['Mon' as const], Start: '01:00', End: '02:00' }],
  }
  for (let Uic = 1; Uic <= 40; Uic++)
    builder.addInstrument({
      ...common,
      Uic,
      Symbol: `S${Uic}:xnas`,
      Description: `Société ${Uic} — Ünïcode`,
      Aliases: [`Alias ${Uic}`],
      BaseIdentifier: `B${Uic}`,
      ReferencePrice: Uic / 3,
      As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock', Description: `CFD ${Uic}` }],
    })
  const Options = [3, 1, 2].map((StrikePrice) => ({ Uic: 100 + StrikePrice, StrikePrice, PutCall: 'Put' as const }))
  builder.addRoot({
    ...common,
    OptionRootId: 7,
    AssetType: 'StockOption',
    Symbol: 'R',
    Description: 'Root',
    TickSize: 0.01,
    Series: [{ Expiry: '2026-12-18', Options }],
  })
  return builder.finish(revision, `identity ${revision}`)
}

test('a segment is read back as it was written, in shared memory', async () => {
  const segment = sample(5)
  await writeKeptSegment(folder, segment)
  const read = await readKeptSegment(folder)
  assert.deepEqual(read, segment)
  assert.ok(read?.docIds.buffer instanceof SharedArrayBuffer)
  assert.equal(read.docIds.buffer, read.text.buffer)
  assert.equal(read.options.uics.buffer, read.options.strikes.buffer)
  assert.notEqual(read.options.uics.buffer, read.docIds.buffer)
})

test('contracts that are known are not read, but shared', async () => {
  const [known, next] = [sample(5), sample(6)]
  await writeKeptSegment(folder, next)
  const read = await readKeptSegment(folder, known.options)
  assert.deepEqual(read, next)
  assert.equal(read?.options.uics, known.options.uics)
  assert.equal(read?.options.rootDocs.buffer, read?.docIds.buffer)
})

test('without a file there is nothing to read; its folder is made when it is written', async () => {
  const inside = join(folder, 'new')
  assert.equal(await readKeptSegment(inside), undefined)
  await writeKeptSegment(inside, sample(1))
  assert.equal((await readKeptSegment(inside))?.revision, 1)
})

test('one file is kept: the newest', async () => {
  for (const revision of [1, 2]) await writeKeptSegment(folder, sample(revision))
  assert.equal((await readKeptSegment(folder))?.revision, 2)
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
})

test('of two processes that write at once, one wins, and the file is whole', async () => {
  await Promise.all([1, 2, 3, 4].map((revision) => writeKeptSegment(folder, sample(revision))))
  const read = await readKeptSegment(folder)
  assert.deepEqual(read, sample(read?.revision ?? 0))
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
})

test('what a killed process left behind is removed; what another is writing is not', async () => {
  const [old, recent] = [`${file}.new-0123456789abcdef`, `${file}.new-fedcba9876543210`]
  for (const each of [old, recent]) await writeFile(each, 'half')
  await utimes(old, 0, 0)
  await writeKeptSegment(folder, sample(1))
  assert.deepEqual((await readdir(folder)).sort(), ['catalogue.segment', 'catalogue.segment.new-fedcba9876543210'])
})

test('a file that was cut off anywhere is not used', async () => {
  await writeKeptSegment(folder, sample(1))
  const whole = await readFile(file)
  for (const length of [0, 1, 30, 63, 64, 100, 2_000, whole.length >> 1, whole.length - 1]) {
    await writeFile(file, whole.subarray(0, length))
    await assert.rejects(readKeptSegment(folder), UnusableFile, `${length} bytes`)
  }
})

test('a file with a changed byte anywhere is not used', async () => {
  await writeKeptSegment(folder, sample(1))
  const whole = await readFile(file)
  const newline = whole.indexOf('\n')
  const header = Number(/segment (\d+)/.exec(whole.toString('latin1', 0, 64))?.[1])
  // The padding of the prelude and of the header carry nothing.
  const isPadding = (at: number) => (at > newline && at < 64) || (at >= 64 + header && at < 72 + header)
  for (let at = 0; at < whole.length; at += at < 64 ? 7 : 4_001) {
    if (isPadding(at)) continue
    const damaged = Buffer.from(whole)
    damaged.writeUInt8(whole.readUInt8(at) ^ 4, at)
    await writeFile(file, damaged)
    await assert.rejects(readKeptSegment(folder), UnusableFile, `byte ${at}`)
  }
})

test('a file of another program is not used', async () => {
  await writeKeptSegment(folder, sample(1))
  const whole = await readFile(file)
  const length = Number(/segment (\d+)/.exec(whole.toString('latin1', 0, 64))?.[1])
  const program = await programFingerprint()
  assert.match(program, /^[0-9a-f]{64}$/)
  const header = Buffer.from(whole.toString('utf8', 64, 64 + length).replace(program, program.replace(/./, 'x')))
  whole.fill(' ', 0, 64)
  whole.write(`refdesk segment ${length} ${crc32(header)}\n`)
  header.copy(whole, 64)
  await writeFile(file, whole)
  await assert.rejects(readKeptSegment(folder), /another program/)
})

test('on a full disk the file stays as it was, and nothing else is left', async () => {
  await writeKeptSegment(folder, sample(1))
  const handle = await open(file)
  const { write } = handle
  await handle.close()
  let writes = 0
  const full = mock.method(Object.getPrototypeOf(handle), 'write', function (this: unknown, ...args: never[]) {
    if (writes++ > 10) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    return Reflect.apply(write, this, args)
  })
  try {
    await assert.rejects(writeKeptSegment(folder, sample(2)), { code: 'ENOSPC' })
  } finally {
    full.mock.restore()
  }
  assert.ok(writes > 10)
  assert.deepEqual(await readdir(folder), ['catalogue.segment'])
  assert.equal((await readKeptSegment(folder))?.revision, 1)
})

test('a folder that cannot be written to, or a file that cannot be read, is an error', async () => {
  await writeFile(join(folder, 'plain'), '')
  await assert.rejects(writeKeptSegment(join(folder, 'plain'), sample(1)), { code: 'ENOTDIR' })
  await assert.rejects(readKeptSegment(join(folder, 'plain')), { code: 'ENOTDIR' })
})
