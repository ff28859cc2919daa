import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypeName, requestedGroups } from './lookup.ts'

test('without any group: what the caller could filter by', () => {
  assert.deepEqual(requestedGroups(undefined), ['EventTypes', 'AssetTypes'])
})

test('All is every group; a group that is named twice is told once', () => {
  assert.deepEqual(requestedGroups(['EventTypes', 'All']), [
    'EventTypes',
    'AssetTypes',
    'AllEventTypes',
    'AllAssetTypes',
  ])
  assert.deepEqual(requestedGroups(['AllAssetTypes', 'EventTypes', 'AllAssetTypes']), ['EventTypes', 'AllAssetTypes'])
})

test('asset types are called by their words', () => {
  assert.equal(assetTypeName('Stock'), 'Stock')
  assert.equal(assetTypeName('CfdOnStock'), 'Cfd On Stock')
  assert.equal(assetTypeName('SrdOnEtf'), 'Srd On Etf')
  assert.equal(assetTypeName('FxNoTouchOption'), 'Fx No Touch Option')
})
