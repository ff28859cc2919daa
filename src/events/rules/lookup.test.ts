import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypeDescription, assetTypeName, requestedGroups } from './lookup.ts'

test('by default returns the values of the caller’s events', () => {
  assert.deepEqual(requestedGroups(undefined), ['EventTypes', 'AssetTypes'])
})

test('All returns every group; a repeated group is returned once', () => {
  assert.deepEqual(requestedGroups(['EventTypes', 'All']), [
    'EventTypes',
    'AssetTypes',
    'AllEventTypes',
    'AllAssetTypes',
  ])
  assert.deepEqual(requestedGroups(['AllAssetTypes', 'EventTypes', 'AllAssetTypes']), ['EventTypes', 'AllAssetTypes'])
})

test('splits asset type names into words', () => {
  assert.equal(assetTypeName('Stock'), 'Stock')
  assert.equal(assetTypeName('CfdOnStock'), 'Cfd On Stock')
  assert.equal(assetTypeName('SrdOnEtf'), 'Srd On Etf')
  assert.equal(assetTypeName('FxNoTouchOption'), 'Fx No Touch Option')
})

test('describes asset types in full words', () => {
  assert.equal(assetTypeDescription('Stock'), 'Stock.')
  assert.equal(assetTypeDescription('CfdOnEtf'), 'Contract for difference on exchange-traded fund.')
  assert.equal(assetTypeDescription('FxNoTouchOption'), 'Foreign exchange no touch option.')
  assert.equal(assetTypeDescription('CBBCCategoryN'), 'Callable bull/bear contract, category N.')
})
