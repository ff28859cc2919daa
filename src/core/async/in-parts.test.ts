import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inParts, mapInParts } from './in-parts.ts'

test('yields every item once, in order, in parts of the size', async () => {
  assert.deepEqual(await Array.fromAsync(inParts([1, 2, 3, 4, 5], 2)), [[1, 2], [3, 4], [5]])
  assert.deepEqual(await Array.fromAsync(inParts([1, 2], 2)), [[1, 2]])
  assert.deepEqual(await Array.fromAsync(inParts([], 2)), [])
})

test('other work is done between parts', async () => {
  let turns = 0
  const seen: number[] = []
  const count = () => {
    turns++
    if (seen.length < 3) setImmediate(count)
  }
  setImmediate(count)

  for await (const _ of inParts([1, 2, 3], 1)) seen.push(turns)

  assert.equal(seen[0], 0)
  assert.ok(
    seen.every((at, index) => index === 0 || at > (seen[index - 1] as number)),
    seen.join(),
  )
})

test('maps every item in order', async () => {
  assert.deepEqual(await mapInParts([1, 2, 3], 2, String), ['1', '2', '3'])
})
