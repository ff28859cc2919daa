import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BodyMemory } from './body-memory.ts'

const filled = (length: number, byte: number): Buffer => Buffer.alloc(length, byte)

test('a body stays as it is until it is released, whatever is written and released meanwhile', () => {
  const step = fc.record({ length: fc.nat({ max: 40_000 }), released: fc.option(fc.nat(), { nil: undefined }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const memory = new BodyMemory()
      const held: { body: Buffer; byte: number }[] = []
      for (const [at, { length, released }] of steps.entries()) {
        const byte = at % 256
        held.push({ body: memory.copy(filled(50_000, byte), length), byte })
        assert.equal(held.at(-1)?.body.length, length)
        const [done] = released === undefined ? [] : held.splice(released % held.length, 1)
        if (done) memory.release(done.body)
      }
      for (const { body, byte } of held) assert.ok(body.equals(filled(body.length, byte)))
    }),
  )
})

test('memory is used again when all of its bodies were released', () => {
  const memory = new BodyMemory()
  const [one, other] = [memory.copy(filled(10, 1), 10), memory.copy(filled(10, 2), 10)]
  memory.release(one)
  const third = memory.copy(filled(10, 3), 10)
  assert.deepEqual([third.buffer === one.buffer, third.byteOffset], [true, 20])
  memory.release(other)
  memory.release(third)
  assert.equal(memory.copy(filled(10, 4), 10).byteOffset, 0)
})

test('a detached body has memory of its own, and what it had is used again', () => {
  const memory = new BodyMemory()
  const body = memory.copy(filled(10, 1), 10)
  const detached = memory.detach(body)
  const next = memory.copy(filled(10, 2), 10)
  assert.deepEqual([next.buffer === body.buffer, next.byteOffset], [true, 0])
  assert.notEqual(detached.buffer, body.buffer)
  assert.ok(detached.equals(filled(10, 1)))
  const long = memory.copy(filled(50_000, 3), 50_000)
  assert.equal(memory.detach(long), long)
})

test('a body that is never released keeps its memory, and a long one has its own', () => {
  const memory = new BodyMemory()
  const kept = memory.copy(filled(20_000, 1), 20_000)
  const later = Array.from({ length: 30 }, () => memory.copy(filled(20_000, 2), 20_000))
  for (const body of later) memory.release(body)
  assert.notEqual(later.at(-1)?.buffer, kept.buffer)
  assert.ok(kept.equals(filled(20_000, 1)))
  const long = memory.copy(filled(50_000, 3), 50_000)
  assert.equal(long.buffer.byteLength, 50_000)
  memory.release(long)
})
