import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundedCache } from './bounded-cache.ts'

test('evicts the entry that was not used for longest', () => {
  const cache = boundedCache<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')

  cache.set('c', 3)

  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)),
    [1, undefined, 3],
  )
})
