import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginsLike, closestName, didYouMean, isTypo, shareOf } from './text.ts'

const names = ['Stock', 'StockOption', 'Bond', 'Etf', 'FxSpot']

test('suggests the name with the fewest typos, in any case', () => {
  for (const given of ['stok', 'STOKC', 'Stocks', 'tock']) assert.equal(closestName(names, given), 'Stock', given)
  assert.equal(closestName(names, 'StockOpt'), 'StockOption')
  assert.equal(closestName(names, 'fxspt'), 'FxSpot')
  assert.equal(didYouMean([...Array(100_000).keys(), 'Bond'].map(String), 'bnd'), '', 'compares the first names only')
  assert.equal(didYouMean(names, 'bnd'), ' Did you mean Bond?')
})

test('counts some of all, or none', () => {
  assert.equal(shareOf(0, 2222, 'row'), 'None of the 2222 rows')
  assert.equal(shareOf(3, 2222, 'row'), '3 of the 2222 rows')
})

test('suggests nothing if no name is close, or if the value is not text', () => {
  for (const given of ['Warrant', 'x', 7, undefined, 'S'.repeat(1_000)]) assert.equal(didYouMean(names, given), '')
})

test('a typo is a difference of at most two letters between long names', () => {
  assert.equal(isTypo('DATABASE_URL', 'DATABSE_URL'), true)
  assert.equal(isTypo('DATABASE_URL', 'DATABASE_URL'), false)
  assert.equal(isTypo('DATABASE_URL', 'DATABASE_READ_URL'), false)
  assert.equal(isTypo('HOST', 'HOSTS'), false, 'short names are close to many words')
  assert.equal(isTypo('HOSTNAME', 'x'.repeat(60)), false)
})

test('a word may begin like another one with a typo, if it is long enough', () => {
  for (const typed of ['opt', 'option', 'opton', 'optoin'.slice(0, 4), 'opttion', 'aption'])
    assert.ok(beginsLike('options', typed), typed)
  for (const typed of ['abt', 'otpino', 'chain', 'x'.repeat(60)]) assert.ok(!beginsLike('options', typed), typed)
})
