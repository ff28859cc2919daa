import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sortedUnique, sortUnique } from './arrays.ts'

test('values are sorted, and each is kept once', () => {
  const values = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 80, size: 'max' })
  fc.assert(
    fc.property(values, (some) => {
      const expected = [...new Set(some)].sort((one, other) => one - other)
      assert.deepEqual(sortUnique([...some]), expected)
      assert.deepEqual([...sortedUnique(Uint32Array.from(some))], expected)
    }),
  )
})
