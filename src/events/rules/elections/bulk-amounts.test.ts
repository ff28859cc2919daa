import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountsOf } from './bulk-amounts.ts'

const options = [
  { OptionId: '1' },
  { OptionId: '2', MinExercisableMultipleQuantity: 7 },
  { OptionId: '3', MinExercisableMultipleQuantity: 0 },
]
const amountOf = (amount: number, AmountPct: number, OptionId = '1') =>
  amountsOf([{ OptionId, AmountPct }], amount, options)[0]?.Amount

test('a share of a whole holding is rounded down to whole units, of a short one towards 0', () => {
  assert.equal(amountOf(101, 50), 50)
  assert.equal(amountOf(-101, 50), -50)
  assert.equal(amountOf(-1, 50), 0)
  assert.equal(amountOf(101, 100), 101)
  assert.equal(amountOf(3, 33.4), 1)
})

test('a share of a holding with fractions is exact', () => {
  assert.equal(amountOf(0.3, 50), 0.15)
  assert.equal(amountOf(10.5, 100), 10.5)
})

test('the multiple of an option decides', () => {
  assert.equal(amountOf(100, 50, '2'), 49)
  assert.equal(amountOf(10.5, 100, '2'), 7)
  assert.equal(amountOf(101, 50, '3'), 50)
  assert.equal(amountOf(100, 50, 'unknown'), 50)
})
