import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parameterCount, parseQuery } from './query.ts'

test('parses a query as URLSearchParams does', () => {
  const piece = fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%20', '%2B', '%C3%A9', '%C3', '%zz', '?', '#', '__proto__', 'a', 'A'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, (query) => {
      // URLSearchParams drops a leading question mark, which here is part of the query.
      const expected = [...new URLSearchParams(`&${query}`)]
      const parsed = Object.entries(parseQuery(query)).flatMap(([name, values]) => values.map((value) => [name, value]))
      const byName = (pairs: string[][]) => Map.groupBy(pairs, ([name]) => name)
      assert.deepEqual(byName(parsed), byName(expected))
    }),
    { numRuns: 1_000 },
  )
})

test('counts all parameters, and ignores a query that is too long', () => {
  assert.equal(parameterCount(parseQuery('%&'.repeat(5_000))), 5_000)
  assert.equal(parameterCount(parseQuery('a=1&'.repeat(9_000))), 0)
})
