import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields, pairsOf } from './fields.ts'
import { type RecordChange, shownChange } from './shown.ts'

const at = { seq: 1, check: '0' }
const change: RecordChange = {
  ...{ at, run: 1, kind: 'instrument', id: '1', time: Temporal.Instant.from('2026-11-16T12:00Z'), change: 'Changed' },
  fields: ['Description', 'As[Stock]', 'As[CfdOnStock]', 'RelatedInstruments'],
  before: [
    ['Stock', 'LSE'],
    ['CfdOnStock', 'LSE'],
  ],
  after: [
    ['Stock', 'LSE'],
    ['CfdOnStock', 'LSE'],
  ],
}
const visibility = {
  isVisible: (type: string, exchange: string) => type === 'Stock' && exchange === 'LSE',
  holds: (type: string, uic: number) => type === 'Stock' && uic === 7,
}
const shown = (changed: Partial<RecordChange>) => shownChange({ ...change, ...changed }, visibility)

test('names the members that differ, without values', () => {
  const before = { Uic: 1, Isin: 'A', As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] }
  const after = { Uic: 1, Symbol: 'S', As: [{ AssetType: 'Stock', Symbol: 'S' }, { AssetType: 'CfdOnStock' }] }
  assert.deepEqual(changedFields(before, after), ['Isin', 'As[Stock]', 'Symbol'])
  assert.deepEqual(changedFields({}, after), ['Uic', 'Symbol', 'As[Stock]', 'As[CfdOnStock]'])
  assert.deepEqual(changedFields(after, after), [])
  assert.deepEqual(changedFields({ a: { b: 1, c: [2] } }, { a: { c: [2], b: 1 } }), [], 'in another order')
})

test('a caller sees the fields of what they may see', () => {
  assert.deepEqual(shown({}), { change: 'Changed', fields: ['Description', 'As[Stock]'] })
  assert.equal(shown({ fields: ['As[CfdOnStock]', 'RelatedInstruments'] }), undefined)
})

test('what becomes visible is added, what becomes invisible removed, and the rest is not shown', () => {
  const [visible, hidden] = [[['Stock', 'LSE']], [['Stock', 'XETR']]] as const
  assert.deepEqual(shown({ before: hidden, after: visible }), { change: 'Added', fields: [] })
  assert.deepEqual(shown({ before: undefined, after: visible }), { change: 'Added', fields: [] })
  assert.deepEqual(shown({ before: visible, after: hidden }), { change: 'Removed', fields: [] })
  assert.deepEqual(shown({ before: visible, after: undefined }), { change: 'Removed', fields: [] })
  assert.equal(shown({ before: hidden, after: hidden }), undefined)
})

test('exchanges are seen by the rights for them, events by the holdings', () => {
  const fields = ['Name']
  assert.deepEqual(shown({ kind: 'exchange', id: 'LSE', fields, before: [], after: [] }), { change: 'Changed', fields })
  assert.equal(shown({ kind: 'exchange', id: 'XETR', fields, before: [], after: [] }), undefined)
  const held = { kind: 'event', fields: ['Ex', 'Holdings'], before: [['Stock', '7']], after: [['Stock', '7']] } as const
  assert.deepEqual(shown(held), { change: 'Changed', fields: ['Ex'] })
  assert.equal(shown({ ...held, before: undefined, after: [['Stock', '8']] }), undefined)
})

test('the pairs of a record are those that its visibility depends on', () => {
  const As = [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock', ExchangeId: 'OTC' }]
  assert.deepEqual(pairsOf('instrument', { ExchangeId: 'LSE', As }), [
    ['Stock', 'LSE'],
    ['CfdOnStock', 'OTC'],
  ])
  assert.deepEqual(pairsOf('instrument', { As: [{ AssetType: 'FxSpot' }] }), [['FxSpot', '']])
  assert.deepEqual(pairsOf('optionRoot', { AssetType: 'StockOption', ExchangeId: 'CBOE' }), [['StockOption', 'CBOE']])
  assert.deepEqual(pairsOf('event', { AssetType: 'Stock', Uic: 7 }), [['Stock', '7']])
  assert.deepEqual(pairsOf('exchange', {}), [])
})
