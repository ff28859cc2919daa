import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttemptKind, attemptWindowSeconds, exceededLimit } from './attempts.ts'

test('wrong attempts are counted over five minutes', () => {
  assert.equal(attemptWindowSeconds, 5 * 60)
})

type Case = [kind: AttemptKind, fromAddress: number, fromEverywhere: number, forAnyName: number, exceeded?: string]

const cases: Case[] = [
  ['password', 0, 0, 0],
  ['password', 9, 9, 9],
  ['password', 10, 10, 10, 'name'],
  ['password', 1, 99, 99],
  ['password', 1, 100, 1, 'name'],
  ['password', 0, 100, 0, 'name'],
  ['password', 0, 0, 99],
  ['password', 0, 0, 100, 'address'],
  ['password', 10, 10, 100, 'name'],
  ['secret', 9, 9, 9],
  ['secret', 10, 10, 10, 'name'],
  ['secret', 0, 0, 99],
  ['secret', 0, 0, 100, 'address'],
]

for (const [kind, fromAddress, fromEverywhere, forAnyName, exceeded] of cases)
  test(`${fromAddress} wrong ${kind}s from one address, ${fromEverywhere} in total and ${forAnyName} for any name exceed ${exceeded ? `the limit of the ${exceeded}` : 'no limit'}`, () => {
    assert.equal(exceededLimit(kind, { fromAddress, fromEverywhere, forAnyName }), exceeded)
  })

test('wrong secrets from other addresses never lock an app out', () => {
  for (const fromAddress of [0, 9])
    assert.equal(
      exceededLimit('secret', { fromAddress, fromEverywhere: 1_000_000, forAnyName: fromAddress }),
      undefined,
    )
})
