import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changed,
  find,
  instrument,
  nothing,
  now,
  right,
  snapshotOf,
  view,
} from '../../../../test/support/reference/small-universe.ts'
import { accessView } from '../../../access/rules/visibility.ts'
import { cursorOf, findRows } from './find-rows.ts'

/** Cases that the property tests rarely generate. */
test('a word that only deleted or renamed instruments had is corrected as a typo', () => {
  const base = [instrument(1, { Description: 'Applf' }), instrument(2, { Description: 'Apple' })]
  assert.deepEqual(find(snapshotOf(...base), 'applf'), ['+1'])
  assert.deepEqual(find(changed(base, [], { ...nothing, instruments: [1] }), 'applf'), ['+2'])
  assert.deepEqual(find(changed(base, [instrument(1, { Description: 'Pear' })]), 'applf'), ['+2'])
  const isin = [instrument(3, { Description: 'Plum', Isin: 'US0000000001' }), ...base]
  assert.deepEqual(find(changed(isin, [], { ...nothing, instruments: [3] }), 'US0000000001'), [])
})

test('a word that only the changes contain is not corrected in the base', () => {
  const snapshot = changed([instrument(1, { Description: 'Apple' })], [instrument(2, { Description: 'Applf' })])
  assert.deepEqual(find(snapshot, 'applf'), ['+2'])
  assert.deepEqual(find(snapshot, 'applg'), ['+1', '+2'])
})

test('group members must pass every filter, including Uics', () => {
  const [one, two, three] = [
    instrument(1, { Description: 'Apple', GroupId: 7 }),
    instrument(2, { Description: 'Pear', GroupId: 7 }),
    instrument(3, { Description: 'Plum', GroupId: 7 }),
  ] as const
  for (const snapshot of [snapshotOf(one, two, three), changed([one, two], [three]), changed([two, three], [one])]) {
    assert.deepEqual(find(snapshot, 'apple'), ['+1', '2', '3'])
    assert.deepEqual(find(snapshot, 'apple', { uics: [1, 3] }), ['+1', '3'])
    assert.deepEqual(find(snapshot, 'apple', { uics: [2, 3] }), [], 'the match itself is filtered out')
  }
})

test('a word of punctuation must match too and is not corrected', () => {
  const snapshot = snapshotOf(
    instrument(1, { Description: 'Johnson & Johnson' }),
    instrument(2, { Description: 'Johnson' }),
  )
  assert.deepEqual(find(snapshot, 'johnson & johnson'), ['+1'])
  assert.deepEqual(find(snapshot, 'johnson'), ['+1', '+2'])
  assert.deepEqual(find(snapshot, '"johnson"'), ['+1', '+2'])
  assert.deepEqual(find(snapshot, 'jonx...'), [], 'two slips')
  assert.deepEqual(find(snapshot, 'jox.'), [], 'three letters')
  assert.deepEqual(find(snapshot, 'johx.'), ['+1', '+2'], 'four')
})

test('finds a compound by its parts, with and without the punctuation', () => {
  const snapshot = snapshotOf(instrument(1, { Description: 'Coca-Cola Co.' }))
  for (const typed of ['coca-cola', 'cola', 'cocacola', 'coca cola', 'co.'])
    assert.deepEqual(find(snapshot, typed), ['+1'], typed)
})

test('ranks exact symbols first, then ISINs, names that begin so and symbol prefixes', () => {
  const isin = 'US0378331005'
  const snapshot = snapshotOf(
    instrument(1, { Description: `${isin} note`, Rank: 1 }),
    instrument(2, { Description: 'b', Symbol: `${isin}X:xa`, Rank: 2 }),
    instrument(3, { Description: 'c', Isin: isin, Rank: 3 }),
    instrument(4, { Description: 'd', Symbol: `${isin}:xa`, Rank: 4 }),
    instrument(5, { Description: 'e', Symbol: isin, Rank: 5 }),
  )
  assert.deepEqual(find(snapshot, isin.toLowerCase()), ['+4', '+5', '+3', '+1', '+2'])
  assert.deepEqual(find(snapshot, `${isin}:XA`), ['+4'])
  assert.deepEqual(find(snapshot, `${isin}:`), ['+1', '+4'], 'punctuation around a word is ignored in names only')
  assert.deepEqual(find(snapshot, isin.slice(0, 11)), ['+2', '+4', '+5', '+1'], 'an ISIN is found by the whole of it')
})

const twoNames = instrument(1, {
  Description: 'Apple Inc.',
  Symbol: 'AAPL:x',
  Isin: 'US0378331005',
  GroupId: 7,
  As: [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock', Symbol: 'ZTOP9:x', Description: 'Zero tops contract' }],
})

test('an instrument whose asset types have different names is found in each by its own name', () => {
  const snapshot = snapshotOf(twoNames, instrument(2, { Description: 'Zero' }))
  const typed = (keywords: string, ...assetTypes: string[]) => find(snapshot, keywords, { assetTypes })
  assert.deepEqual(typed('apple', 'Stock', 'CfdOnStock'), ['+1', '1'])
  assert.deepEqual(typed('apple', 'CfdOnStock'), [])
  assert.deepEqual(typed('ztop9', 'Stock'), [])
  assert.deepEqual(typed('ztop9:x', 'CfdOnStock'), ['+1'])
  assert.deepEqual(typed('zto', 'CfdOnStock'), ['+1'])
  assert.deepEqual(typed('apple tops', 'Stock', 'CfdOnStock'), [])
  assert.deepEqual(typed('us0378331005', 'Stock', 'CfdOnStock'), ['+1', '+1'])
  assert.deepEqual(typed('zero', 'Stock', 'CfdOnStock'), ['+1', '+2', '1'])
  for (const slip of ['contrct', 'contrract', 'contrzct', 'cnotract', 'ztp9x', 'ztoop9', 'ztpo9'])
    assert.deepEqual(typed(slip, 'Stock', 'CfdOnStock'), slip === 'ztp9x' ? [] : ['+1', '1'], slip)
  assert.deepEqual(find(snapshot, 'ztop9'), [])
})

test('a word that the main asset type has in another place than the others is found there', () => {
  const As = [{ AssetType: 'Stock' as const }, { AssetType: 'CfdOnStock' as const, Description: 'Gold' }]
  const only = (Description: string) => find(snapshotOf(instrument(1, { Description, As })), 'gold')
  assert.deepEqual(only('Golden'), ['+1'], 'at the start of a word')
  assert.deepEqual(only('Old Gold'), ['+1'], 'not at the start of the name')
})

test('a word is found at the start of names and elsewhere, also if as many names have it here as there', () => {
  const snapshot = snapshotOf(
    instrument(1, { Description: 'Gold X' }),
    instrument(2, { Description: 'Y the-gold' }),
    instrument(3, { Description: 'Silver' }),
  )
  assert.deepEqual(find(snapshot, 'the-gold'), ['+2'])
  assert.deepEqual(find(snapshot, 'gold'), ['+1', '+2'])
  assert.deepEqual(find(snapshot, 'silver'), ['+3'])
})

test('matches that the caller may not see do not prevent the correction of a typo', () => {
  const stocks = accessView([{ ...right, assetTypes: ['Stock'] }], [{ accountKey: 'one', accountId: 'one' }])
  const bond = instrument(1, { Description: 'Brazil', As: [{ AssetType: 'Bond' }] })
  const snapshot = snapshotOf(bond, instrument(2, { Description: 'Brasil' }))
  const page = { top: 10, skip: 0, isCounted: false }
  const criteria = { keywords: 'brazil', includeNonTradable: true, bounds: [] }
  const idsFor = (who: typeof view) =>
    findRows({ snapshot, access: who, now }, criteria, page).rows.map((row) => cursorOf(row).id)
  assert.deepEqual(idsFor(view), [1])
  assert.deepEqual(idsFor(stocks), [2])
})

test('callers with different rights find different rows of the same data, also after changes to it', () => {
  const [stock, bond] = [
    instrument(1, { Description: 'Gold one' }),
    instrument(2, { Description: 'Gold two', As: [{ AssetType: 'Bond' }] }),
  ] as const
  const stocks = accessView([{ ...right, assetTypes: ['Stock'] }], [{ accountKey: 'one', accountId: 'one' }])
  const page = { top: 10, skip: 0, isCounted: true }
  const criteria = { keywords: 'gold', includeNonTradable: false, bounds: [] }
  for (const [snapshot, all, ofStocks] of [
    [snapshotOf(stock, bond), [1, 2], [1]],
    [changed([stock, bond], [instrument(3, { Description: 'Gold three' })]), [1, 2, 3], [1, 3]],
    [changed([stock, bond], [{ ...stock, Description: 'Silver' }]), [2], []],
    [changed([stock, bond], [], { ...nothing, instruments: [2] }), [1], [1]],
  ] as const)
    for (const [access, ids] of [
      [view, all],
      [stocks, ofStocks],
      [view, all],
    ] as const) {
      const { rows, count } = findRows({ snapshot, access, now }, criteria, page)
      assert.deepEqual(
        rows.map((row) => cursorOf(row).id),
        ids,
      )
      assert.equal(count, ids.length)
    }
})

test('a typo is corrected also if no rows are asked for, or none are left', () => {
  const snapshot = snapshotOf(instrument(1, { Description: 'Apple' }), instrument(2, { Description: 'Apple' }))
  const criteria = { keywords: 'appel', includeNonTradable: false, bounds: [] }
  for (const [top, skip, found] of [
    [0, 0, 0],
    [1, 0, 1],
    [5, 1, 1],
    [5, 9, 0],
  ] as const) {
    const { rows, count } = findRows({ snapshot, access: view, now }, criteria, { top, skip, isCounted: true })
    assert.deepEqual([rows.length, count], [found, 2], `${top} after ${skip}`)
  }
})

test('a reader has bitmaps for a bounded number of sets of buckets', () => {
  const [reader] = snapshotOf(instrument(1, { Description: 'Gold' })).readers
  const docsFor = (set: number) => reader?.mainDocsOf(Uint8Array.of(1, set))
  const first = docsFor(0)

  assert.deepEqual(first, Uint32Array.of(1))
  for (let set = 1; set < 50; set++) assert.ok(docsFor(set))
  assert.equal(docsFor(50), undefined)
  assert.equal(docsFor(0), first)
})
