import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TradingFacts, tradability } from './tradability.ts'

const stock: TradingFacts = { AssetType: 'Stock', isExpired: false }
const onOne = ['100']
const reason = (facts: Partial<TradingFacts>, accounts: string[] = onOne) =>
  tradability({ ...stock, ...facts }, accounts).NonTradableReason

test('an instrument without a status, Tradable or NotDefined is tradable with a Trade right', () => {
  for (const TradingStatus of [undefined, 'Tradable', 'NotDefined'] as const)
    assert.deepEqual(tradability({ ...stock, TradingStatus }, onOne), { IsTradable: true, NonTradableReason: 'None' })
})

test('an instrument with a reason against trading is not tradable', () => {
  const against = { IsTradable: false, NonTradableReason: 'ExpiredInstrument' }
  assert.deepEqual(tradability({ ...stock, isExpired: true }, onOne), against)
})

test('reports the first reason: expired, reduce only, no Trade right, then the rest', () => {
  assert.equal(reason({ isExpired: true, TradingStatus: 'ReduceOnly' }, []), 'ExpiredInstrument')
  assert.equal(reason({ TradingStatus: 'ReduceOnly' }, []), 'ReduceOnlyInstrument')
  assert.equal(reason({ TradingStatus: 'NonTradable' }, []), 'NotOnlineClientTradable')
  assert.equal(reason({ TradingStatus: 'NonTradable' }), 'OtherReason')
})

test('an index or a continuous future is never tradable', () => {
  assert.equal(reason({ AssetType: 'StockIndex' }), 'OtherReason')
  assert.equal(reason({ AssetType: 'ContractFutures', DisplayHint: 'Continuous' }), 'OtherReason')
  assert.equal(reason({ AssetType: 'ContractFutures', DisplayHint: 'None' }), 'None')
  assert.equal(reason({ AssetType: 'StockIndex' }, []), 'NotOnlineClientTradable')
})
