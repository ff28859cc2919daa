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

test('an object or a list is described by its smallest value, with what was sent where that belongs', () => {
  const Code = Type.Object({ Code: oneOf('CASH', 'SECU'), Name: Type.Optional(Type.String()) }) as Shape
  assert.equal(expectation(Code, 'SECU'), 'Must be an object such as {"Code":"SECU"}.')
  assert.equal(expectation(Code, 7), 'Must be an object such as {"Code":"CASH"}.')
  const Day: Shape = {
    type: 'object',
    properties: { Status: { enum: ['Open'] }, Date: { type: 'string', format: 'date' } },
  }
  assert.equal(expectation(Day, '2026-12-01'), 'Must be an object such as {"Date":"2026-12-01"}.')
  assert.equal(expectation(Day), 'Must be an object such as {"Status":"Open"}.')
  const list: Shape = { type: 'array', maxItems: 2, items: Code }
  assert.equal(expectation(list, 'CASH'), 'Must be a list of at most 2 values, such as [{"Code":"CASH"}].')
  assert.equal(expectation(list, [1, 2, 3]), 'Must be a list of at most 2 values.')
  assert.equal(expectation({ type: 'array', items: { type: 'string' } }, 'x'), 'Must be a list.')
  assert.equal(expectation({ type: 'object' }), 'Must be an object.')
})

test('an example shows no text that was sent, and no more than a line', () => {
  const Secret: Shape = { type: 'object', required: ['Secret'], properties: { Secret: { type: 'string' } } }
  assert.equal(expectation(Secret, 'hunter2'), 'Must be an object such as {"Secret":"…"}.')
  const names = Array.from({ length: 30 }, (_, at) => `Member${at}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
  assert.equal(expectation({ type: 'object', properties, required: names }), 'Must be an object.')
})

test('says where a field belongs, at a required place if there is one', () => {
  const Entry: Shape = { type: 'object', properties: { AssetType: {} } }
  const list: Shape = { type: 'array', items: Entry }
  const root: Shape = { type: 'object', properties: { Id: {}, Legs: list, As: list }, required: ['As'] }
  assert.equal(unknownField('AssetType', root), 'Is not a field here. It goes into As.')
  assert.equal(
    unknownField('AssetType', root, { ...root, required: [] }),
    'Is not a field here. It goes into Legs or As.',
  )
  assert.equal(unknownField('Id', Entry, root), 'Is not a field here. It belongs to the outermost object.')
  const members = ['Ex', 'Record', 'Effective', 'Payment'].map((name) => [name, Entry])
  const many: Shape = { properties: Object.fromEntries(members) }
  assert.equal(
    unknownField('AssetType', many),
    'Is not a field here. It goes into an object such as Ex, Record, Effective.',
  )
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
