import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypes } from '../../core/asset-type.ts'
import { legalAssetTypes, rightsOf } from './legal-asset-types.ts'

const everything = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' } as const
const stocks = { ...everything, userKey: 'bo', assetTypes: ['Stock', 'Etf'] }
const bonds = { ...everything, accountKey: 'a1', assetTypes: ['Bond'] }

test('a user’s own rights replace the client’s; other users have the client’s', () => {
  assert.deepEqual(rightsOf([everything, stocks], 'bo'), [stocks])
  assert.deepEqual(rightsOf([everything, stocks], 'ada'), [everything])
})

test('a right without asset types covers all of them', () => {
  assert.deepEqual(legalAssetTypes([bonds, everything]), [...assetTypes])
})

test('lists asset types in the order of the API, and none without a right', () => {
  assert.deepEqual(legalAssetTypes([stocks, bonds]), ['Bond', 'Etf', 'Stock'])
  assert.deepEqual(legalAssetTypes([]), [])
})

test('a right on one account does not count for another', () => {
  assert.deepEqual(legalAssetTypes([bonds], 'a2'), [])
  assert.deepEqual(legalAssetTypes([bonds], 'a1'), ['Bond'])
})
