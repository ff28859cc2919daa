import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWhole } from './whole.ts'

test('a text of which something was replaced or cut is not what was sent', () => {
  assert.equal(isWhole('/a?$top=1'), true)
  assert.equal(isWhole('/a?token=[redacted]&$top=1'), false)
  assert.equal(isWhole('/a?$top=1&…'), false)
})
