import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportView } from '../../../data/api/import-schema.ts'
import { html } from '../../../http/html/html.ts'
import type { PageContext } from '../../shared/context.ts'
import { outcomeOf, partsOf } from './outcome.ts'

test('a sentence about a record has its line, record and text; any other is a text', () => {
  assert.deepEqual(partsOf('a.ndjson:2 event X, field Y: Must be one of: A, B.'), {
    line: 'a.ndjson:2',
    what: 'event X, field Y',
    text: 'Must be one of: A, B.',
  })
  assert.deepEqual(partsOf('a.ndjson:5: Is not JSON.'), { line: 'a.ndjson:5', what: '', text: 'Is not JSON.' })
  assert.deepEqual(partsOf('and 12 more'), { line: '', what: '', text: 'and 12 more' })
})

test('an applied import names its run and revision if it has them', () => {
  const ctx = { formToken: html`` } as PageContext
  const applied = { ImportId: 'a', State: 'Applied', Errors: [], Notes: [], Changes: [] } as unknown as ImportView
  const page = (more: Partial<ImportView>, served?: number) => String(outcomeOf(ctx, { ...applied, ...more }, served))
  assert.doesNotMatch(page({}), /<p>/)
  assert.match(page({ Run: 7 }), /<p>This was .*run 7<\/a>: see its records, or undo it\./)
  assert.match(page({ Revision: 3 }), /<p> This node is preparing revision 3\.<\/p>/)
  assert.match(page({ Run: 7, Revision: 3 }, 3), /or undo it\. This node serves revision 3\.<\/p>/)
})
