import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { matching, oneOf } from '../schema.ts'
import { dayOrTime } from './formats.ts'
import { expectation, unknownField } from './sentences.ts'
import type { Shape } from './shape.ts'

const Key: Shape = Type.String(matching('32 lower-case hex digits', '^[0-9a-f]{32}$'))

test('describes a pattern in words', () => {
  assert.equal(expectation(Key, 'x'), 'Must be 32 lower-case hex digits.')
  assert.equal(expectation({ ...Key, minLength: 1, maxLength: 100 }, 'x'), 'Must be 32 lower-case hex digits.')
  assert.equal(matching('text of one line', '^.*$').description, 'Text of one line.')
})

test('never shows a pattern', () => {
  const shape = { type: 'string', pattern: '^[a-z]+$', description: 'A name.' }
  assert.equal(expectation(shape), 'Must be text in the documented form.')
  assert.equal(expectation({ ...shape, maxLength: 3 }), 'Must be text of at most 3 characters in the documented form.')
})

test('suggests the enum name or field name that was probably meant', () => {
  const Side = oneOf('Buy', 'Sell') as Shape
  assert.equal(expectation(Side, 'Sel'), 'Must be one of: Buy, Sell. Did you mean Sell?')
  assert.equal(expectation(Side, 'Hold'), 'Must be one of: Buy, Sell.')
  assert.equal(expectation(oneOf('reset') as Shape, 'rest'), 'Must be reset.')
  const shape: Shape = { properties: { Description: {}, Flow: {} } }
  assert.equal(unknownField('Descripton', shape), 'Is not a known field. Did you mean Description?')
  assert.equal(
    unknownField('flow', shape),
    'Is not a known field. Did you mean Flow? Names are case-sensitive in a body.',
  )
  assert.equal(unknownField('Zzz', shape), 'Is not a known field. Leave it out.')
})

test('describes days and times', () => {
  const sentences = ['date', dayOrTime].map((format) => expectation({ type: 'string', format }))
  assert.deepEqual(sentences, [
    'Must be a calendar day written YYYY-MM-DD.',
    'Must be a day like 2026-12-31, or a date-time like 2026-12-31T23:59:59Z.',
  ])
})

test('describes sizes and ranges', () => {
  assert.equal(expectation({ type: 'string', minLength: 2, maxLength: 5 }), 'Must be text of 2 to 5 characters.')
  assert.equal(expectation({ type: 'array', minItems: 1, maxItems: 2 }), 'Must be a list of 1 to 2 values.')
  assert.equal(expectation({ type: 'integer', minimum: 0, maximum: 9 }), 'Must be a whole number from 0 to 9.')
  assert.equal(expectation({ type: 'number', minimum: 0.5 }), 'Must be a decimal number of at least 0.5.')
})
