import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Entry,
  exchanges,
  liveRecords,
  type Naive,
  naiveSearch,
  now,
  type Records,
  type View,
  type World,
} from '../../../../test/support/reference/naive-search.ts'
import {
  accounts,
  allRights,
  criteria,
  records,
  rights,
  world,
  worldOf,
} from '../../../../test/support/reference/search-arbitraries.ts'
import { accessView } from '../../../access/rules/visibility.ts'
import { SegmentBuilder } from '../build/segment-builder.ts'
import { changedSince } from '../deleted-docs.ts'
import { typeNames } from '../segment.ts'
import { Snapshot } from '../snapshot.ts'
import { type Criteria, cursorOf, type Found, findRows, isMatch } from './find-rows.ts'
import type { SearchCursor } from './row-taker.ts'

function segmentOf({ instruments, roots }: Records, revision: number) {
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of roots) builder.addRoot(record)
  return builder.finish(revision)
}

function snapshotOf({ base, changed, removed }: World): Snapshot {
  const segment = segmentOf(base, 1)
  return new Snapshot(2, segment, exchanges, changed && changedSince(segment, segmentOf(changed, 2), removed))
}

const entriesOf = ({ rows, isKeywordSearch }: Found): Entry[] =>
  rows.map((row) => {
    const { kind, id, type } = cursorOf(row)
    return { kind: kind as 0 | 1, id, type: typeNames[type] as string, isMatch: isMatch(row, isKeywordSearch) }
  })

type Pager = (page: { top: number; skip?: number; after?: SearchCursor | undefined; isCounted?: boolean }) => Found
const pagerOf =
  (snapshot: Snapshot, seen: View, asked: Criteria): Pager =>
  ({ top, skip = 0, after, isCounted = false }) =>
    findRows({ snapshot, access: seen, now: now.epochMilliseconds }, asked, { top, skip, after, isCounted })

/** Follows the pages to the end; all but the last must be full. */
function walk(find: Pager, top: number, most: number): Entry[] {
  const seen: Entry[] = []
  let after: SearchCursor | undefined
  do {
    const page = find({ top, after, skip: after ? 3 : 0 })
    seen.push(...entriesOf(page))
    assert.ok(page.next === undefined || page.rows.length === top)
    assert.ok(seen.length <= most, 'paging does not end')
    after = page.next
  } while (after)
  return seen
}

function compare(snapshot: Snapshot, live: readonly Naive[], seen: View, asked: Criteria, top: number): number {
  const expected = naiveSearch(live, seen, asked)
  const find = pagerOf(snapshot, seen, asked)
  const all = find({ top: expected.length + 1, isCounted: true })
  assert.deepEqual(entriesOf(all), expected)
  assert.deepEqual([all.count, all.next], [expected.length, undefined])
  assert.deepEqual(walk(find, top, expected.length), expected)
  const skipped = find({ top, skip: top - 1 })
  assert.deepEqual(entriesOf(skipped), expected.slice(top - 1, 2 * top - 1))
  assert.equal(skipped.next === undefined, expected.length <= 2 * top - 1 || skipped.rows.length === 0)
  const counted = find({ top: 0, isCounted: true })
  assert.deepEqual([counted.rows, counted.count, counted.next], [[], expected.length, undefined])
  return expected.length
}

test('search finds the same pages as the naive search, with and without changes', () => {
  const questions = fc.array(fc.tuple(rights, criteria, fc.integer({ min: 1, max: 4 })), {
    minLength: 1,
    maxLength: 12,
    size: 'max',
  })
  let found = 0
  fc.assert(
    fc.property(world, questions, (made, asked) => {
      const [snapshot, live] = [snapshotOf(made), liveRecords(made)]
      for (const [seen, question, top] of asked)
        if (compare(snapshot, live, accessView(seen, accounts), question, top) > 0) found++
    }),
    { numRuns: 40, interruptAfterTimeLimit: 60_000 },
  )
  assert.ok(found > 20, `only ${found} questions found anything`)
})

test('search finds the same pages with enough data for precomputed lists and short lists', () => {
  const [base, changed] = fc.sample(fc.tuple(records(3_200, 3_000), records(40)), { numRuns: 1, seed: 3 })[0] ?? []
  assert.ok(base && changed)
  const made = worldOf(base, changed, [1, 2, 3, 4, 5, 6, 7, 8])
  const [snapshot, live] = [snapshotOf(made), liveRecords(made)]
  for (const { symbols, words } of snapshot.readers.slice(1).map(({ segment }) => segment))
    assert.ok(symbols.prefixes.lows.length > 1 && words.prefixes.lows.length > 1)
  const sizes: number[] = []
  const whole = { includeNonTradable: true, bounds: [] }
  const questions: Criteria[] = [
    whole,
    { ...whole, keywords: 'a' },
    { ...whole, keywords: 'a b' },
    { ...whole, keywords: 'b', assetTypes: ['StockOption'] },
    { ...whole, keywords: 'a', bounds: [{ figure: 1, from: 0, to: 0 }] },
    { ...whole, bounds: [{ figure: 2, from: -3, to: 3 }] },
  ]
  fc.assert(
    fc.property(rights, criteria, fc.integer({ min: 100, max: 900 }), (seen, question, top) => {
      sizes.push(compare(snapshot, live, accessView(seen, accounts), question, top))
    }),
    { numRuns: 50, endOnFailure: true, examples: questions.map((question) => [allRights, question, 700]) },
  )
  // Above and below the limit of 2,048 rows for short lists.
  assert.ok(sizes.some((size) => size > 2_048) && sizes.some((size) => size > 0 && size < 2_048))
})

test('paging returns every unchanged row exactly once while the data changes', () => {
  const asked: Criteria = { includeNonTradable: true, bounds: [] }
  const changes = fc.tuple(records(14), records(6), fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 8 }))
  fc.assert(
    fc.property(changes, fc.nat(12), ([base, changed, gone], turn) => {
      const [before, after] = [worldOf(base, undefined, []), worldOf(base, changed, gone)]
      const [old, present] = [before, after].map((each) =>
        pagerOf(snapshotOf(each), accessView(allRights, accounts), asked),
      ) as [Pager, Pager]
      let pages = 0
      const seen = walk((page) => (pages++ < turn ? old : present)(page), 1, 100)
      const names = seen.map(({ kind, id }) => `${kind} ${id}`)
      const untouched = liveRecords({ ...after, changed: { instruments: [], roots: [] } }).filter(
        ({ kind, id }) =>
          !(kind === 0
            ? changed.instruments.some(({ Uic }) => Uic === id)
            : changed.roots.some(({ OptionRootId }) => OptionRootId === id)),
      )
      for (const { kind, id } of untouched)
        assert.equal(names.filter((name) => name === `${kind} ${id}`).length, 1, `${kind} ${id}`)
    }),
    { numRuns: 40 },
  )
})
