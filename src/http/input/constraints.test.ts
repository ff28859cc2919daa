import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { ofForm } from '../../core/schema.ts'
import { allowed, isWithin, type Shape } from './constraints.ts'

const pattern = '^[0-9a-f]{32}$'
const Key: Shape = Type.String(ofForm('32 lower-case hex digits', pattern))

test('a text of a form is refused in the words of the form, not by its pattern', () => {
  assert.equal(allowed(Key, 'x'), 'Must be 32 lower-case hex digits.')
  assert.equal(allowed({ ...Key, minLength: 1, maxLength: 100 }, 'x'), 'Must be 32 lower-case hex digits.')
})

test('the words are in the API document too, as a sentence, and the pattern is what checks', () => {
  assert.equal(ofForm('text of one line', '^.*$').description, 'Text of one line.')
  assert.equal(Key.pattern, pattern)
  assert.equal(isWithin(Key, 'a'.repeat(32)), true)
  assert.equal(isWithin(Key, 'A'.repeat(32)), false)
})

test('a pattern without words is shown as it is, and a description alone is no form', () => {
  const shape = { type: 'string', pattern: '^[a-z]+$', description: 'What calendar programs call it.' }
  assert.equal(allowed(shape), 'Must be text that matches ^[a-z]+$.')
  assert.equal(allowed({ ...shape, maxLength: 3 }), 'Must be text of at most 3 characters that matches ^[a-z]+$.')
})
