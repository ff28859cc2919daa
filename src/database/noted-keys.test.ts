import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotedKeys } from './noted-keys.ts'

test('keys are noted until they are no longer, and only the latest ones', () => {
  const keys = new NotedKeys(2)
  for (const key of ['a', 'b', 'a', 'c']) keys.note(key, true)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => keys.has(key)),
    [true, false, true],
  )
  keys.note('a', false)
  keys.note('unknown', false)
  assert.deepEqual([keys.has('a'), keys.has('unknown')], [false, false])
})
