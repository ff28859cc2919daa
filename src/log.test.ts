import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineBuffer } from './log.ts'

function recordingBuffer() {
  const writes: string[] = []
  const buffer = new LineBuffer((text) => void writes.push(text))
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
