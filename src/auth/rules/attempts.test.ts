import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptWindowSeconds, exceedsLimit } from './attempts.ts'

test('wrong attempts are counted over five minutes', () => {
  assert.equal(attemptWindowSeconds, 5 * 60)
})

const cases: [kind: 'password' | 'secret', fromAddress: number, fromEverywhere: number, isBlocked: boolean][] = [
  ['password', 0, 0, false],
  ['password', 9, 9, false],
  ['password', 10, 10, true],
  ['password', 1, 99, false],
  ['password', 1, 100, true],
  ['password', 0, 100, true],
  ['secret', 9, 9, false],
  ['secret', 10, 10, true],
]

for (const [kind, fromAddress, fromEverywhere, isBlocked] of cases)
  test(`${fromAddress} wrong ${kind}s from one address and ${fromEverywhere} in total are ${isBlocked ? '' : 'not '}too many`, () => {
    assert.equal(exceedsLimit(kind, { fromAddress, fromEverywhere }), isBlocked)
  })

test('wrong secrets from other addresses never lock an app out', () => {
  assert.equal(exceedsLimit('secret', { fromAddress: 0, fromEverywhere: 1_000_000 }), false)
  assert.equal(exceedsLimit('secret', { fromAddress: 9, fromEverywhere: 1_000_000 }), false)
})
