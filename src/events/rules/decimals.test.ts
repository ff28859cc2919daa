import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decimalText, floorTo, isMultipleOf, productOf, sumOf } from './decimals.ts'

test('sums decimals exactly and rounds once', () => {
  assert.equal(sumOf([]), 0)
  assert.equal(sumOf([2.5]), 2.5)
  assert.equal(sumOf([1, -5, 10]), 6)
  assert.equal(sumOf([0.1, 0.2]), 0.3)
  assert.equal(sumOf([1e21, -1e21, 1e-7, 2]), 2.0000001)
  assert.equal(sumOf([9007199254740991, 1, 2]), 9007199254740994)
})

test('writes a number without an exponent', () => {
  for (const [number, text] of [
    [0, '0'],
    [-12, '-12'],
    [2.5, '2.5'],
    [-0.25, '-0.25'],
    [1e-7, '0.0000001'],
    [-1.5e-8, '-0.000000015'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
  ] as const)
    assert.equal(decimalText(number), text)
})

test('any number is read back from its text', () => {
  const property = fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
    assert.equal(Number(decimalText(number)), number + 0)
    assert.match(decimalText(number), /^-?\d+(\.\d+)?$/)
  })
  fc.assert(property)
})

test('multiples are those of decimals', () => {
  for (const [number, step] of [
    [0.3, 0.1],
    [1e21, 1e-7],
    [0, 7],
    [35, 7],
  ] as const)
    assert.equal(isMultipleOf(number, step), true)
  for (const [number, step] of [
    [0.35, 0.1],
    [36, 7],
    [5, 10],
  ] as const)
    assert.equal(isMultipleOf(number, step), false)
})

test('rounds down to a multiple', () => {
  assert.equal(floorTo(0.35, 0.1), 0.3)
  assert.equal(floorTo(36, 7), 35)
  assert.equal(floorTo(5, 10), 0)
  assert.equal(floorTo(35, 7), 35)
})

test('products of decimals are exact, also divided', () => {
  assert.equal(productOf([280, 15, 66.6], 7), 39960)
  assert.equal(productOf([600, 3, 4.1], 20), 369)
  assert.equal(productOf([0.1, 0.2], 1), 0.02)
  assert.equal(productOf([1], 3), 1 / 3)
  assert.equal(productOf([], 0.5), 2)
})
