import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, readLines } from './lines.ts'

async function read(...chunks: (string | Buffer)[]): Promise<Line[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const lines: Line[] = []
  for await (const batch of readLines(bytes())) lines.push(...batch)
  return lines
}
const texts = (lines: Line[]) => lines.map((line) => ('text' in line ? line.text : line.error))

test('returns the same lines however the bytes are split', async () => {
  const whole = Buffer.from('\ufeffä\n\nb\r\n€uro\nlast')
  const expected = ['ä', '', 'b\r', '€uro', 'last']
  assert.deepEqual(texts(await read(whole)), expected)
  for (let at = 1; at < whole.length; at++)
    assert.deepEqual(texts(await read(whole.subarray(0, at), whole.subarray(at))), expected, `cut at ${at}`)
  assert.deepEqual(texts(await read(...[...whole].map((byte) => Buffer.from([byte])))), expected)
})

test('reports a line that is not UTF-8 individually', async () => {
  assert.deepEqual(texts(await read(Buffer.from([97, 10, 0xff, 10, 98, 10]))), ['a', 'Is not UTF-8.', 'b'])
})

test('reports a line longer than 64 MB and reads the lines after it', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'x')
  const lines = await read('a\n', ...new Array<Buffer>(66).fill(megabyte), 'y\nb\nc')
  assert.deepEqual(texts(lines), ['a', 'Is longer than 64 MB.', 'b', 'c'])
  assert.deepEqual(texts(await read(...new Array<Buffer>(66).fill(megabyte))), ['Is longer than 64 MB.'])
})

test('empty input has no lines', async () => {
  assert.deepEqual(await read(''), [])
})
