import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldGroups, parseFieldGroups } from './field-groups.ts'

test('accepts field groups in any case, without duplicates', () => {
  assert.deepEqual(
    [...parseFieldGroups(['tradingsessions', ' ORDERSETTING ', 'OrderSetting'])],
    ['TradingSessions', 'OrderSetting'],
  )
  assert.deepEqual([...parseFieldGroups(fieldGroups)], [...fieldGroups])
})

test('ignores unknown field groups; there is none by default', () => {
  assert.deepEqual([...parseFieldGroups(['Everything', '', 'MarketData'])], ['MarketData'])
  assert.deepEqual([...parseFieldGroups()], [])
})
