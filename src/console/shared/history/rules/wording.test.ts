import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldChange, labelWithin, partsOf, storyOf, type Version } from './wording.ts'

test('splits the path of a field into its members and the keys of elements', () => {
  assert.deepEqual(partsOf('Description'), [{ name: 'Description', key: undefined }])
  assert.deepEqual(partsOf('As[Stock].TickSize'), [
    { name: 'As', key: 'Stock' },
    { name: 'TickSize', key: undefined },
  ])
  assert.deepEqual(partsOf('Options[a.b].Deadline.Date'), [
    { name: 'Options', key: 'a.b' },
    { name: 'Deadline', key: undefined },
    { name: 'Date', key: undefined },
  ])
})

test('a label within a group begins with a small letter, unless it is an abbreviation', () => {
  assert.equal(labelWithin(undefined, 'Ex date'), 'Ex date')
  assert.equal(labelWithin('Option 1', 'Response deadline'), 'Option 1: response deadline')
  assert.equal(labelWithin('Stock', 'ISIN'), 'Stock: ISIN')
})

const field = (label: string, before: FieldChange['before'], after: FieldChange['after']): FieldChange => ({
  ...{ group: undefined, label, before, after },
  isTime: false,
})
const story = (fields: readonly FieldChange[], more: Partial<Version> = {}): string =>
  storyOf({ change: 'Changed', fields, moreFields: 0, reference: undefined, source: undefined, ...more })

test('a date moves, and other values change', () => {
  const exDate = { ...field('Ex date', '3 Dec', '5 Dec'), isTime: true }
  assert.equal(story([exDate]), 'Ex date moved from 3 Dec to 5 Dec.')
  assert.equal(
    story([field('Event state', 'Preliminary', 'Confirmed')]),
    'Event state changed from Preliminary to Confirmed.',
  )
})

test('says what was set, added and removed, and omits long values', () => {
  assert.equal(story([field('Record date', undefined, '4 Dec')]), 'Record date set to 4 Dec.')
  assert.equal(story([field('Option 2', undefined, null)]), 'Option 2 added.')
  assert.equal(story([field('Record date', '4 Dec', undefined)]), 'Record date removed (was 4 Dec).')
  assert.equal(story([field('Option 2', null, undefined)]), 'Option 2 removed.')
  assert.equal(story([field('Narrative', null, 'short')]), 'Narrative changed.')
  assert.equal(story([field('Narrative', 'short', null)]), 'Narrative changed.')
})

test('names the message, or else the source', () => {
  const fields = [field('Ratio', '1', '2')]
  assert.equal(story(fields, { reference: 'CA-118', source: 'a.xml' }), 'Ratio changed from 1 to 2, by message CA-118.')
  assert.equal(story(fields, { source: 'a.xml' }), 'Ratio changed from 1 to 2, by a.xml.')
  assert.equal(story([], { change: 'Added', source: 'a.xml' }), 'Added by a.xml.')
  assert.equal(story([], { change: 'Removed' }), 'Removed.')
})

test('what several options have in common is said once', () => {
  const of = (group: string, label: string, after: string) => ({
    ...field(label, '20 Nov', after),
    group,
    isTime: true,
  })
  const same = ['Option 1', 'Option 2'].map((group) => of(group, 'Response deadline', '1 Dec'))
  assert.equal(story(same), 'Response deadline moved from 20 Nov to 1 Dec for 2 options.')
  const other = of('Option 3', 'Payment', '3 Dec')
  assert.equal(story([other]), 'Option 3: payment moved from 20 Nov to 3 Dec.')
  const own = { ...field('Payment', '20 Nov', '3 Dec'), isTime: true }
  const both = 'Option 3: payment moved from 20 Nov to 3 Dec; payment moved from 20 Nov to 3 Dec.'
  assert.equal(story([other, own]), both)
})

test('counts the fields after the fourth', () => {
  const five = ['A', 'Two', 'Three', 'Four', 'Five'].map((label) => field(label, undefined, null))
  assert.equal(story(five), 'A added; two added; three added; four added; 1 more field changed.')
  assert.equal(story(five.slice(0, 1), { moreFields: 3 }), 'A added; 3 more fields changed.')
})
