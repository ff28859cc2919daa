import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineBuffer } from './line-buffer.ts'

function recordingBuffer() {
  const writes: string[] = []
  const buffer = new LineBuffer((bytes) => {
    writes.push(bytes.toString())
    return bytes.length
  })
  return { buffer, writes }
}

test('batches have whole lines, in order, and at most 4,096 bytes unless a single line is longer', () => {
  const { buffer, writes } = recordingBuffer()
  const lengths = Array.from({ length: 500 }, (_, index) => (index === 250 ? 9_000 : (index * 37) % 400))
  const lines = lengths.map((length, index) => `${index}${'ä'.repeat(length)}\n`)

  for (const line of lines) buffer.write(line)
  buffer.flushSync()

  assert.equal(writes.join(''), lines.join(''))
  assert.ok(writes.length < 100)
  for (const text of writes) {
    assert.ok(text.endsWith('\n'))
    assert.ok(Buffer.byteLength(text) <= 4_096 || text.split('\n').length === 2)
  }
})

test('a line is passed on without waiting for others', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { buffer, writes } = recordingBuffer()
  buffer.write('one\n')
  assert.deepEqual(writes, [])
  t.mock.timers.tick(100)
  assert.deepEqual(writes, ['one\n'])
  buffer.write('two\n')
  t.mock.timers.tick(100)
  assert.deepEqual(writes, ['one\n', 'two\n'])
})

/** A reader that takes at most so many bytes until it is given more. */
function slowReader() {
  const reader = { taken: '', room: 0 }
  const buffer = new LineBuffer((bytes) => {
    const part = bytes.subarray(0, reader.room)
    reader.taken += part
    reader.room -= part.length
    return part.length
  })
  return { buffer, reader }
}

test('what cannot be written now is written later, in order', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { buffer, reader } = slowReader()
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index} ${'x'.repeat(index % 100)}\n`)

  for (const line of lines) buffer.write(line)
  t.mock.timers.tick(100)
  reader.room = 5_001
  t.mock.timers.tick(100)
  const early = reader.taken
  reader.room = Number.MAX_SAFE_INTEGER
  t.mock.timers.tick(100)

  assert.equal(early, lines.join('').slice(0, 5_001))
  assert.equal(reader.taken, lines.join(''))
})

test('at most one MiB waits; a line says how many lines were dropped', () => {
  const { buffer, reader } = slowReader()
  const line = `${'x'.repeat(1_023)}\n`

  for (let count = 0; count < 3_000; count++) buffer.write(line)
  buffer.flushSync()
  reader.room = Number.MAX_SAFE_INTEGER
  buffer.flushSync()

  const lines = reader.taken.trimEnd().split('\n')
  const notice = JSON.parse(lines.at(-1) ?? '')
  assert.equal(lines.length - 1, 1_024)
  assert.deepEqual([notice.level, notice.dropped], [40, 3_000 - 1_024])
  assert.match(notice.msg, /^log lines were dropped/)
})

test('every line is formatted, also the one about dropped lines', () => {
  let [taken, room] = ['', 0]
  const write = (bytes: Buffer) => {
    taken += bytes.subarray(0, room)
    return Math.min(bytes.length, room)
  }
  const buffer = new LineBuffer(write, { format: (line) => `> ${line}` })
  for (let count = 0; count < 2_000; count++) buffer.write(`${'x'.repeat(1_021)}\n`)
  buffer.flushSync()
  room = Number.MAX_SAFE_INTEGER
  buffer.flushSync()
  const lines = taken.trimEnd().split('\n')
  assert.ok(lines.every((line) => line.startsWith('> ')))
  assert.match(lines.at(-1) ?? '', /log lines were dropped/)
})

test('held lines are written when they may be, and at the end', () => {
  let [taken, isHeld] = ['', true]
  const write = (bytes: Buffer) => {
    taken += bytes
    return bytes.length
  }
  const options = { isHeld: () => isHeld }
  const [released, ended] = [new LineBuffer(write, options), new LineBuffer(write, options)]
  released.write('one\n')
  released.flushSync()
  ended.write('two\n')
  assert.equal(taken, '')

  ended.end()
  isHeld = false
  released.flushSync()
  assert.equal(taken, 'two\none\n')
})

test('the end waits for a reader that reads, and not for one that does not', () => {
  const { buffer, reader } = slowReader()
  buffer.write('one\n')
  let tries = 0
  const slow = new LineBuffer((bytes) => (tries++ % 2 === 0 ? 0 : Math.min(bytes.length, 100)))
  for (let count = 0; count < 50; count++) slow.write('a line of some twenty bytes\n')

  slow.end()
  buffer.end()

  assert.equal(tries, 2 * Math.ceil((50 * 28) / 100))
  assert.equal(reader.taken, '')
})
