import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './differences.ts'

test('names the fields that differ, with their values', () => {
  assert.deepEqual(differences({ Name: 'a', Uic: 1 }, { Name: 'b', Uic: 1 }), [
    { name: 'Name', before: 'a', after: 'b' },
  ])
  assert.deepEqual(differences({ Name: 'a' }, { Isin: 'x' }), [
    { name: 'Name', before: 'a' },
    { name: 'Isin', after: 'x' },
  ])
  assert.deepEqual(differences({ Ex: { Date: '2026-12-03' } }, { Ex: { Date: '2026-12-05' } }), [
    { name: 'Ex.Date', before: '2026-12-03', after: '2026-12-05' },
  ])
  assert.deepEqual(differences({ Ex: { Date: 1 }, List: [1, { a: 2 }] }, { Ex: { Date: 1 }, List: [1, { a: 2 }] }), [])
})

test('compares the elements of lists by their key', () => {
  const before = { As: [{ AssetType: 'Stock', TickSize: 1 }, { AssetType: 'CfdOnStock' }] }
  const after = { As: [{ AssetType: 'CfdOnStock' }, { AssetType: 'Stock', TickSize: 2 }, { AssetType: 'Etf' }] }
  assert.deepEqual(differences(before, after), [
    { name: 'As[Stock].TickSize', before: 1, after: 2 },
    { name: 'As[Etf]', after: { AssetType: 'Etf' } },
  ])
})

test('lists without a key, or with a repeated one, differ as a whole', () => {
  assert.deepEqual(differences({ Aliases: ['a'] }, { Aliases: ['a', 'b'] }), [
    { name: 'Aliases', before: ['a'], after: ['a', 'b'] },
  ])
  const twice = [{ Date: '2026-12-25' }, { Date: '2026-12-25' }]
  assert.deepEqual(differences({ Holidays: twice }, { Holidays: [] }), [{ name: 'Holidays', before: twice, after: [] }])
})
