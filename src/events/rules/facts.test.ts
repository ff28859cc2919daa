import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instrumentKey } from './facts.ts'

test('an instrument is another one as another asset type', () => {
  const keys = [instrumentKey('Stock', 1), instrumentKey('CfdOnStock', 1), instrumentKey('Stock', 11)]
  assert.equal(new Set(keys).size, 3)
  assert.equal(instrumentKey('Stock', 1), keys[0])
})
