import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areTooMany, attemptWindowSeconds } from './attempts.ts'

test('wrong attempts are counted over five minutes', () => {
  assert.equal(attemptWindowSeconds, 5 * 60)
})

const cases: [kind: 'password' | 'secret', fromAddress: number, fromEverywhere: number, tooMany: boolean][] = [
  ['password', 0, 0, false],
  ['password', 9, 9, false],
  ['password', 10, 10, true],
  ['password', 1, 99, false],
  ['password', 1, 100, true],
  ['password', 0, 100, true],
  ['secret', 9, 9, false],
  ['secret', 10, 10, true],
]

for (const [kind, fromAddress, fromEverywhere, tooMany] of cases)
  test(`${fromAddress} wrong ${kind}s from here and ${fromEverywhere} from everywhere are ${tooMany ? '' : 'not '}too many`, () => {
    assert.equal(areTooMany(kind, { fromAddress, fromEverywhere }), tooMany)
  })

test('wrong secrets from elsewhere never lock out an app, however many', () => {
  assert.equal(areTooMany('secret', { fromAddress: 0, fromEverywhere: 1_000_000 }), false)
  assert.equal(areTooMany('secret', { fromAddress: 9, fromEverywhere: 1_000_000 }), false)
})
