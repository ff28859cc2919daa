import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOperatorKey, makeOperatorKey } from './operator-key.ts'

test('a key of the operator is valid for a minute, for one MASTER_KEY', () => {
  const [master, now] = [Buffer.alloc(32, 1), 1_800_000_000_000]
  const key = makeOperatorKey(master, now)
  const [until = '', signed = ''] = key.split('.')

  assert.equal(isOperatorKey(master, key, now), true)
  assert.equal(isOperatorKey(master, key, now + 59_999), true)
  assert.equal(isOperatorKey(master, key, now + 60_000), false, 'expired')
  assert.equal(isOperatorKey(master, key, now - 60_001), false, 'from the future')
  assert.equal(isOperatorKey(Buffer.alloc(32, 2), key, now), false, 'of another key')
  assert.equal(isOperatorKey(master, `${Number(until) + 1}.${signed}`, now), false, 'extended')
  for (const wrong of ['', '.', until, `${until}.`, `${key}0`, `x${key}`])
    assert.equal(isOperatorKey(master, wrong, now), false)
})
