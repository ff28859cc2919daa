import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessView } from '../../../access/api/operator-schema.ts'
import { assetTypes } from '../../../core/asset-type.ts'
import { cellOf, columns } from './matrix.ts'

const column = (name: string) => {
  const found = columns.find((one) => one.name === name)
  assert.ok(found)
  return found
}
const access = (members: Partial<AccessView> = {}): AccessView => ({
  Level: 'View',
  AssetTypes: [...assetTypes],
  IsOnAllAccounts: true,
  ...members,
})

test('every asset type is in exactly one column', () => {
  assert.deepEqual(columns.flatMap((one) => one.assetTypes).sort(), [...assetTypes].sort())
  assert.deepEqual(column('Stocks').assetTypes, ['IpoOnStock', 'Rights', 'SrdOnStock', 'Stock'])
  assert.deepEqual(column('Futures').assetTypes, ['ContractFutures', 'FuturesStrategy'])
  assert.ok(column('Options').assetTypes.includes('FxVanillaOption'))
  assert.ok(column('Options').assetTypes.includes('FuturesOption'))
  assert.ok(column('CFDs').assetTypes.includes('CfdIndexOption'))
})

test('trading wins over seeing, and nothing is blank', () => {
  const trade = access({ Level: 'Trade', AssetTypes: [...column('Stocks').assetTypes] as AccessView['AssetTypes'] })
  assert.deepEqual(cellOf([access(), trade], column('Stocks')), { level: 'Trade', limits: [] })
  assert.deepEqual(cellOf([access(), trade], column('FX')), { level: 'View', limits: [] })
  assert.equal(cellOf([trade], column('FX')), undefined)
  assert.equal(cellOf([], column('FX')), undefined)
})

test('limits name the asset types, the exchanges and that only some accounts are meant', () => {
  const some = access({ AssetTypes: ['Stock'], ExchangeIds: ['NYSE', 'LSE'], ExchangeCount: 2, IsOnAllAccounts: false })
  assert.deepEqual(cellOf([some], column('Stocks')), { level: 'View', limits: ['Stock at NYSE, LSE on some accounts'] })
  const ids = ['A', 'B', 'C', 'D', 'E', 'F']
  const many = access({ AssetTypes: ['StockIndex'], ExchangeIds: ids, ExchangeCount: 30 })
  assert.deepEqual(cellOf([many], column('Indices'))?.limits, ['at A, B, C, D, E and 25 more'])
  const two = [access({ AssetTypes: ['Bond'] }), access({ AssetTypes: ['Cash'], ExchangeIds: ['X'], ExchangeCount: 1 })]
  assert.deepEqual(cellOf(two, column('Bonds'))?.limits, ['Bond', 'Cash at X'])
})
