import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accessView } from '../../../access/rules/visibility.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'
import { SegmentBuilder } from '../build/segment-builder.ts'
import { typeNames } from '../segment.ts'
import { Snapshot } from '../snapshot.ts'
import { type Criteria, cursorOf, type Found, findRows, hasKeywords, isMatch } from './find-rows.ts'
import type { SearchCursor } from './walk-rows.ts'

/** Compares the index with a naive search: a filter and a sort over all records (§6.1). */
type Records = Readonly<{ instruments: readonly InstrumentRecord[]; roots: readonly OptionRootRecord[] }>
type World = Readonly<{ base: Records; changed?: Records; removed: { instruments: number[]; optionRoots: number[] } }>
type View = ReturnType<typeof accessView>
type Entry = { kind: 0 | 1; id: number; type: string; isMatch: boolean }

/** The day differs between the three zones at this moment. */
const now = Temporal.Instant.from('2026-11-16T10:30:00Z')
const exchange = (ExchangeId: string, TimeZone: string): ExchangeRecord => ({
  ExchangeId,
  Name: ExchangeId,
  CountryCode: 'US',
  TimeZone,
  Hours: [],
})
const exchanges = [
  exchange('West', 'Pacific/Honolulu'),
  exchange('Mid', 'Etc/UTC'),
  exchange('EAST', 'Pacific/Auckland'),
]
const todayAt = new Map(
  exchanges.map(({ ExchangeId, TimeZone }) => [ExchangeId, now.toZonedDateTimeISO(TimeZone).toPlainDate().toString()]),
)

// --- the naive search -------------------------------------------------------------------------------------------

type Naive = {
  kind: 0 | 1
  id: number
  rank: number
  group: number
  symbol: string
  isin: string | undefined
  words: string[]
  figures: (number | undefined)[]
  types: {
    type: string
    isMain: boolean
    exchangeId: string
    hint: string | undefined
    isComplex: boolean
    joinsMultiLeg: boolean
    isTradable: boolean
  }[]
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

function naiveOf(kind: 0 | 1, record: InstrumentRecord | OptionRootRecord): Naive {
  const { As, Isin, OneWeekTotalValueChange, OneMonthTotalValueChange, OneYearTotalValueChange, ...shared } =
    record as InstrumentRecord & { AssetType: string; OptionRootId: number }
  const types = (kind === 0 ? As : [{ AssetType: shared.AssetType }]).map((entry, index) => {
    const facts = { ...shared, ...entry }
    const { AssetType, DisplayHint, TradingStatus = 'NotDefined', ExpiryDate, ExchangeId = '' } = facts
    const isLive = ExpiryDate === undefined || ExpiryDate >= (todayAt.get(ExchangeId) ?? '')
    const isFigure = AssetType === 'StockIndex' || DisplayHint === 'Continuous'
    return {
      type: AssetType,
      isMain: index === 0,
      exchangeId: ExchangeId,
      hint: DisplayHint,
      isComplex: facts.IsComplex === true,
      joinsMultiLeg: facts.CanParticipateInMultiLegOrder === true,
      isTradable: ['Tradable', 'NotDefined'].includes(TradingStatus) && isLive && !isFigure,
    }
  })
  return {
    kind,
    id: kind === 0 ? shared.Uic : shared.OptionRootId,
    rank: shared.Rank ?? Number.POSITIVE_INFINITY,
    group: shared.GroupId ?? 0,
    symbol: plain(shared.Symbol ?? ''),
    isin: Isin?.toLowerCase(),
    words: plain(shared.Description ?? '').split(' '),
    figures: [OneWeekTotalValueChange, OneMonthTotalValueChange, OneYearTotalValueChange],
    types,
  }
}

function liveRecords({ base, changed, removed }: World): Naive[] {
  const gone = new Set([...removed.instruments.map((id) => `0 ${id}`), ...removed.optionRoots.map((id) => `1 ${id}`)])
  const naive = ({ instruments, roots }: Records) => [
    ...instruments.map((record) => naiveOf(0, record)),
    ...roots.map((record) => naiveOf(1, record)),
  ]
  const newer = changed ? naive(changed) : []
  const replaced = new Set(newer.map(({ kind, id }) => `${kind} ${id}`))
  return [
    ...newer,
    ...naive(base).filter(({ kind, id }) => !gone.has(`${kind} ${id}`) && !replaced.has(`${kind} ${id}`)),
  ]
}

/** Exact symbol 1, exact ISIN 2, symbol prefix 3, description word prefix 4; undefined for no match. */
function classOfWord({ symbol, isin, words }: Naive, word: string): number | undefined {
  if (word === symbol || word === symbol.split(':')[0]) return 1
  if (word === isin) return 2
  if (symbol.startsWith(word)) return 3
  return words.some((each) => each.startsWith(word)) ? 4 : undefined
}

/** All corrections of one typo: each letter removed, inserted, changed, two swapped. */
function mended(word: string): string[] {
  const letters = [...'abcxyz0123456789:us']
  return [...Array(word.length + 1).keys()].flatMap((at) => {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    const [first = '', second = ''] = tail
    return [
      `${head}${tail.slice(1)}`,
      `${head}${second}${first}${tail.slice(2)}`,
      ...letters.flatMap((letter) => [`${head}${letter}${tail}`, `${head}${letter}${tail.slice(1)}`]),
    ]
  })
}

function classifier(live: readonly Naive[], keywords: string): (record: Naive) => number | undefined {
  const words = plain(keywords).split(/\s+/).filter(Boolean)
  const tests = words.map((word) => {
    const isKnown = live.some((record) => classOfWord(record, word) !== undefined)
    if (isKnown || word.length < 4) return (record: Naive) => classOfWord(record, word)
    const meant = [...new Set(mended(word))]
    return ({ symbol, words: texts }: Naive) =>
      meant.some((each) => [symbol, ...texts].some((text) => text.startsWith(each))) ? 4 : undefined
  })
  return (record) => {
    const classes = tests.map((test) => test(record))
    return classes.every((each) => each !== undefined) ? Math.min(...classes) : undefined
  }
}

function passes(record: Naive, type: Naive['types'][number], view: View, criteria: Criteria): boolean {
  const { assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder: legs, uics } = criteria
  const isRoot = record.kind === 1
  if (!view.isVisible(type.type, type.exchangeId)) return false
  const mayTrade = type.isTradable && view.tradingAccounts(type.type, type.exchangeId).length > 0
  return (
    (criteria.includeNonTradable || mayTrade) &&
    (assetTypes ? assetTypes.includes(type.type) : type.isMain) &&
    (exchangeId === undefined || exchangeId.toLowerCase() === type.exchangeId.toLowerCase()) &&
    (isComplex === undefined || isComplex === type.isComplex) &&
    (displayHint === undefined || displayHint === type.hint) &&
    (legs === undefined || !isRoot || legs === type.joinsMultiLeg) &&
    (uics === undefined || (!isRoot && uics.includes(record.id))) &&
    criteria.bounds.every(({ figure, from, to }) => {
      const value = record.figures[figure]
      return value !== undefined && from <= value && value <= to
    })
  )
}

function naiveSearch(live: readonly Naive[], view: View, criteria: Criteria): Entry[] {
  const classOf = classifier(live, criteria.keywords ?? '')
  const isSearch = (criteria.keywords ?? '').trim() !== ''
  const rows = live.flatMap((record) => {
    const matched = isSearch ? classOf(record) : 0
    const passing = record.types.filter((type) => passes(record, type, view, criteria))
    return passing.map(({ type }) => ({ record, type, matched }))
  })
  const groups = new Set(rows.filter(({ matched }) => matched !== undefined).map(({ record }) => record.group))
  groups.delete(0)
  return rows
    .flatMap(({ matched, ...row }) =>
      matched !== undefined || groups.has(row.record.group) ? [{ ...row, matched: matched ?? 9 }] : [],
    )
    .sort(
      (one, other) =>
        one.matched - other.matched ||
        (one.record.rank === other.record.rank ? 0 : one.record.rank - other.record.rank) ||
        one.record.id - other.record.id ||
        one.record.kind - other.record.kind ||
        (one.type < other.type ? -1 : 1),
    )
    .map(({ record: { kind, id }, type, matched }) => ({ kind, id, type, isMatch: isSearch && matched !== 9 }))
}

// --- generated data and searches ---------------------------------------------------------------------------------------

/** Few letters, so that words share prefixes; accents and capitals, which are folded. */
const word = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'b', 'c', 'B', 'á'), minLength: least, maxLength: most })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const isin = fc.constantFrom('0', '1', '2').map((digit) => `US000000000${digit}`)
const symbol = fc
  .tuple(word(1, 4), fc.constantFrom('', ':xa', ':xb', ':xaa'))
  .map(([base, market]) => `${base}${market}`)
const exchangeId = fc.constantFrom('West', 'Mid', 'EAST')
const figure = maybe(fc.integer({ min: -3, max: 3 }))
const expiry = fc.constantFrom(undefined, undefined, '2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17')
const hint = maybe(fc.constantFrom('Etf', 'Continuous', 'None'))
const types = ['Stock', 'CfdOnStock', 'StockIndex', 'Etf', 'Warrant', 'StockOption', 'FuturesOption'] as const

const described = {
  Symbol: symbol,
  Description: fc.array(word(1, 6), { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
  ExchangeId: exchangeId,
  CurrencyCode: fc.constant('USD'),
  GroupId: fc.constantFrom(undefined, 0, 0, 1, 2, 3),
  Rank: fc.constantFrom(undefined, 1, 2, 3, 4_000_000_000),
  IsComplex: maybe(fc.boolean()),
  DisplayHint: hint,
  TradingStatus: fc.constantFrom(undefined, 'Tradable', 'Tradable', 'NotDefined', 'NonTradable', 'ReduceOnly'),
}

const instrument = fc.record({
  ...described,
  Isin: maybe(isin),
  ExpiryDate: expiry,
  OneWeekTotalValueChange: figure,
  OneMonthTotalValueChange: figure,
  OneYearTotalValueChange: figure,
  As: fc.uniqueArray(
    fc.record({
      AssetType: fc.constantFrom(...types.slice(0, 5)),
      ExpiryDate: expiry,
      IsComplex: maybe(fc.boolean()),
      ExchangeId: exchangeId,
    }),
    { minLength: 1, maxLength: 3, selector: ({ AssetType }) => AssetType },
  ),
})
const root = fc.record({
  ...described,
  AssetType: fc.constantFrom(...types.slice(5)),
  CanParticipateInMultiLegOrder: maybe(fc.boolean()),
  Series: fc.constant([]),
})

/** Removes undefined members, as in records that were read. */
const present = <T>(value: object): T => JSON.parse(JSON.stringify(value)) as T

/** Instruments and roots share ids, so that only their kind distinguishes them. */
const records = (most: number, least = 0) =>
  fc
    .record({
      instruments: fc.array(instrument, { minLength: least, maxLength: most, size: 'max' }),
      instrumentIds: fc.uniqueArray(fc.integer({ min: 1, max: most * 2 }), { minLength: most, maxLength: most }),
      roots: fc.array(root, { minLength: least >> 2, maxLength: most >> 1, size: 'max' }),
      rootIds: fc.uniqueArray(fc.integer({ min: 1, max: most * 2 }), { minLength: most, maxLength: most }),
    })
    .map((made) => ({
      instruments: made.instruments.map((each, at) =>
        present<InstrumentRecord>({ ...each, Uic: made.instrumentIds[at], As: each.As.map((as) => ({ ...as })) }),
      ),
      roots: made.roots.map((each, at) => present<OptionRootRecord>({ ...each, OptionRootId: made.rootIds[at] })),
    }))

function worldOf(base: Records, changed: Records | undefined, gone: readonly number[]): World {
  const kept = (ids: readonly number[]) => gone.filter((id) => !ids.includes(id))
  const removed = {
    instruments: kept(changed?.instruments.map(({ Uic }) => Uic) ?? []),
    optionRoots: kept(changed?.roots.map(({ OptionRootId }) => OptionRootId) ?? []),
  }
  return changed ? { base, changed, removed } : { base, removed: { instruments: [], optionRoots: [] } }
}

const world = fc
  .tuple(records(14), maybe(records(6)), fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 4 }))
  .map(([base, changed, gone]) => worldOf(base, changed, gone))

const right = fc.record({
  userKey: fc.constant(null),
  accountKey: fc.constantFrom(null, 'one', 'two'),
  assetTypes: fc.option(fc.subarray([...types], { minLength: 2 }), { freq: 2 }),
  exchangeIds: fc.option(fc.subarray(['West', 'Mid', 'EAST'], { minLength: 1 }), { freq: 2 }),
  level: fc.constantFrom('View' as const, 'Trade' as const, 'Trade' as const),
})
const accounts = ['one', 'two'].map((accountKey) => ({ accountKey, accountId: accountKey }))
type Rights = Parameters<typeof accessView>[0]
const all: Rights = [{ userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' }]
const rights: fc.Arbitrary<Rights> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(all) },
  fc.array(right, { minLength: 1, maxLength: 3 }),
)

const keyword = fc.oneof({ weight: 3, arbitrary: word(1, 2) }, word(3, 6), symbol, isin)
const keywords = maybe(fc.array(keyword, { maxLength: 3 }).map((words) => words.join('  ')))
const bound = fc.record({
  figure: fc.nat(2),
  from: fc.constantFrom(Number.NEGATIVE_INFINITY, -3, 0),
  to: fc.constantFrom(Number.POSITIVE_INFINITY, 2, 0),
})
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const criteria: fc.Arbitrary<Criteria> = fc.record({
  keywords,
  assetTypes: rarely(fc.subarray([...types], { minLength: 1 })),
  exchangeId: rarely(fc.constantFrom('west', 'MID', 'East', 'nowhere')),
  isComplex: rarely(fc.boolean()),
  displayHint: rarely(fc.constantFrom('Etf', 'None')),
  canParticipateInMultiLegOrder: rarely(fc.boolean()),
  includeNonTradable: fc.boolean(),
  uics: rarely(fc.array(fc.integer({ min: -1, max: 30 }), { maxLength: 12 })),
  bounds: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(bound, { maxLength: 2 })),
})

// --- the comparison ---------------------------------------------------------------------------------------------

function segmentOf({ instruments, roots }: Records, revision: number) {
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of roots) builder.addRoot(record)
  return builder.finish(revision)
}

const snapshotOf = ({ base, changed, removed }: World): Snapshot =>
  new Snapshot(2, segmentOf(base, 1), exchanges, changed && { segment: segmentOf(changed, 2), removed })

const entriesOf = ({ rows }: Found, asked: Criteria): Entry[] =>
  rows.map((row) => {
    const { kind, id, type } = cursorOf(row)
    return { kind: kind as 0 | 1, id, type: typeNames[type] as string, isMatch: isMatch(row, hasKeywords(asked)) }
  })

type Pager = (page: { top: number; skip?: number; after?: SearchCursor | undefined; isCounted?: boolean }) => Found
const pagerOf =
  (snapshot: Snapshot, seen: View, asked: Criteria): Pager =>
  ({ top, skip = 0, after, isCounted = false }) =>
    findRows(snapshot, seen, now, asked, { top, skip, after, isCounted })

/** Follows the pages to the end; all but the last must be full. */
function walk(find: Pager, asked: Criteria, top: number, most: number): Entry[] {
  const seen: Entry[] = []
  let after: SearchCursor | undefined
  do {
    const page = find({ top, after, skip: after ? 3 : 0 })
    seen.push(...entriesOf(page, asked))
    assert.ok(page.next === undefined || page.rows.length === top)
    assert.ok(seen.length <= most, 'the walk does not end')
    after = page.next
  } while (after)
  return seen
}

function compare(snapshot: Snapshot, live: readonly Naive[], seen: View, asked: Criteria, top: number): number {
  const expected = naiveSearch(live, seen, asked)
  const find = pagerOf(snapshot, seen, asked)
  const all = find({ top: expected.length + 1, isCounted: true })
  assert.deepEqual(entriesOf(all, asked), expected)
  assert.deepEqual([all.count, all.next], [expected.length, undefined])
  assert.deepEqual(walk(find, asked, top, expected.length), expected)
  const skipped = find({ top, skip: top - 1 })
  assert.deepEqual(entriesOf(skipped, asked), expected.slice(top - 1, 2 * top - 1))
  assert.equal(skipped.next === undefined, expected.length <= 2 * top - 1 || skipped.rows.length === 0)
  assert.deepEqual(find({ top: 0, isCounted: true }), { rows: [], count: expected.length })
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
  for (const { symbolPrefixes, wordPrefixes } of snapshot.readers.slice(1).map(({ segment }) => segment))
    assert.ok(symbolPrefixes.lows.length > 1 && wordPrefixes.lows.length > 1)
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
    { numRuns: 50, endOnFailure: true, examples: questions.map((question) => [all, question, 700]) },
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
        pagerOf(snapshotOf(each), accessView(all, accounts), asked),
      ) as [Pager, Pager]
      let pages = 0
      const seen = walk((page) => (pages++ < turn ? old : present)(page), asked, 1, 100)
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
