import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldGroups, parseFieldGroups } from './field-groups.ts'

test('groups are known in any case, each once', () => {
  assert.deepEqual(
    [...parseFieldGroups(['tradingsessions', ' ORDERSETTING ', 'OrderSetting'])],
    ['TradingSessions', 'OrderSetting'],
  )
  assert.deepEqual([...parseFieldGroups(fieldGroups)], [...fieldGroups])
})

test('unknown groups are ignored, and without groups none is asked for', () => {
  assert.deepEqual([...parseFieldGroups(['Everything', '', 'MarketData'])], ['MarketData'])
  assert.deepEqual([...parseFieldGroups()], [])
})
