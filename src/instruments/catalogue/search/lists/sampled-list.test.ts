import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SampledList } from './sampled-list.ts'

test('finds each value of a list, and no other', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 400 })
  fc.assert(
    fc.property(steps, (gaps) => {
      let last = 0
      const values = gaps.map((gap) => {
        last += gap
        return last
      })
      const list = new SampledList(Uint32Array.from(values))
      for (let value = 0; value <= last + 2; value++) assert.equal(list.indexOf(value), values.indexOf(value))
    }),
    { numRuns: 50 },
  )
})
