import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExpiringCache } from './expiring-cache.ts'

test('a value is used only from the time it was computed for until it expires, because the clock can be set back', () => {
  const dated = new ExpiringCache<number>()
  let made = 0
  const at = (milliseconds: number, key = 'a') =>
    dated.get(key, milliseconds, () => {
      made += 1
      return { value: made, until: milliseconds + 10 }
    }).value
  assert.deepEqual([at(100), at(109), at(110), at(119), at(105), at(105, 'b')], [1, 1, 2, 2, 3, 4])
})
