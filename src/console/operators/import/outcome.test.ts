import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './outcome.ts'

test('a sentence about a record has its line, record and text; any other is a text', () => {
  assert.deepEqual(partsOf('a.ndjson:2 event X, field Y: Must be one of: A, B.'), {
    line: 'a.ndjson:2',
    what: 'event X, field Y',
    text: 'Must be one of: A, B.',
  })
  assert.deepEqual(partsOf('a.ndjson:5: Is not JSON.'), { line: 'a.ndjson:5', what: '', text: 'Is not JSON.' })
  assert.deepEqual(partsOf('and 12 more'), { line: '', what: '', text: 'and 12 more' })
})
