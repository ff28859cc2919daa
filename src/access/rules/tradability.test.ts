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

test('whatever has a reason against it is not tradable', () => {
  const against = { IsTradable: false, NonTradableReason: 'ExpiredInstrument' }
  assert.deepEqual(tradability({ ...stock, isExpired: true }, onOne), against)
})

test('the first reason counts: expired, reduce only, no Trade right, then the rest', () => {
  assert.equal(reason({ isExpired: true, TradingStatus: 'ReduceOnly' }, []), 'ExpiredInstrument')
  assert.equal(reason({ TradingStatus: 'ReduceOnly' }, []), 'ReduceOnlyInstrument')
  assert.equal(reason({ TradingStatus: 'NonTradable' }, []), 'NotOnlineClientTradable')
  assert.equal(reason({ TradingStatus: 'NonTradable' }), 'OtherReason')
})

test('an index and a continuous future are tradable for nobody', () => {
  assert.equal(reason({ AssetType: 'StockIndex' }), 'OtherReason')
  assert.equal(reason({ AssetType: 'ContractFutures', DisplayHint: 'Continuous' }), 'OtherReason')
  assert.equal(reason({ AssetType: 'ContractFutures', DisplayHint: 'None' }), 'None')
  assert.equal(reason({ AssetType: 'StockIndex' }, []), 'NotOnlineClientTradable')
})
