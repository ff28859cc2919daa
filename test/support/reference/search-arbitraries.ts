import fc from 'fast-check'
import type { accessView } from '../../../src/access/rules/visibility.ts'
import type { Criteria } from '../../../src/instruments/catalogue/search/find-rows.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../../src/instruments/import/schema.ts'
import type { Records, World } from './naive-search.ts'

/** Few letters, so that words share prefixes; accents and capitals, which are folded. */
const word = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'b', 'c', 'B', 'á'), minLength: least, maxLength: most })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const isin = fc.constantFrom('0', '1', '2').map((digit) => `US000000000${digit}`)
const symbol = fc
  .tuple(word(1, 4), fc.constantFrom('', ':xa', ':xb', ':xaa', '.I'))
  .map(([base, market]) => `${base}${market}`)
/** Words that names are compared without, and words of them. */
const special = fc.constantFrom('the', 'sa', 'and', '&')
const name = fc
  .array(fc.oneof({ weight: 4, arbitrary: word(1, 6) }, special), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '))
const exchangeId = fc.constantFrom('West', 'Mid', 'EAST')
const figure = maybe(fc.integer({ min: -3, max: 3 }))
const expiry = fc.constantFrom(
  undefined,
  undefined,
  '1969-12-31',
  '2026-11-14',
  '2026-11-15',
  '2026-11-16',
  '2026-11-17',
)
const hint = maybe(fc.constantFrom('Etf', 'Continuous', 'None'))
const types = ['Stock', 'CfdOnStock', 'StockIndex', 'Etf', 'Warrant', 'StockOption', 'FuturesOption'] as const

const described = {
  Symbol: symbol,
  Description: name,
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
  Aliases: fc.option(fc.array(fc.oneof(name, fc.constantFrom('AB', 'BA')), { maxLength: 2 }), {
    nil: undefined,
    freq: 2,
  }),
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
      Symbol: fc.option(symbol, { nil: undefined, freq: 8 }),
      Description: fc.option(name, { nil: undefined, freq: 8 }),
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
export const records = (most: number, least = 0) =>
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

export function worldOf(base: Records, changed: Records | undefined, deleted: readonly number[]): World {
  const kept = (ids: readonly number[]) => deleted.filter((id) => !ids.includes(id))
  const removed = {
    instruments: kept(changed?.instruments.map(({ Uic }) => Uic) ?? []),
    optionRoots: kept(changed?.roots.map(({ OptionRootId }) => OptionRootId) ?? []),
  }
  return changed ? { base, changed, removed } : { base, removed: { instruments: [], optionRoots: [] } }
}

export const world = fc
  .tuple(records(14), maybe(records(6)), fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 4 }))
  .map(([base, changed, deleted]) => worldOf(base, changed, deleted))

const right = fc.record({
  userKey: fc.constant(null),
  accountKey: fc.constantFrom(null, 'one', 'two'),
  assetTypes: fc.option(fc.subarray([...types], { minLength: 2 }), { freq: 2 }),
  exchangeIds: fc.option(fc.subarray(['West', 'Mid', 'EAST'], { minLength: 1 }), { freq: 2 }),
  level: fc.constantFrom('View' as const, 'Trade' as const, 'Trade' as const),
})
export const accounts = ['one', 'two'].map((accountKey) => ({ accountKey, accountId: accountKey }))
type Rights = Parameters<typeof accessView>[0]
export const allRights: Rights = [
  { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' },
]
export const rights: fc.Arbitrary<Rights> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(allRights) },
  fc.array(right, { minLength: 1, maxLength: 3 }),
)

const keyword = fc.oneof({ weight: 3, arbitrary: word(1, 2) }, word(3, 6), symbol, isin, special)
const keywords = maybe(fc.array(keyword, { maxLength: 3 }).map((words) => words.join('  ')))
const bound = fc.record({
  figure: fc.nat(2),
  from: fc.constantFrom(Number.NEGATIVE_INFINITY, -3, 0),
  to: fc.constantFrom(Number.POSITIVE_INFINITY, 2, 0),
})
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
export const criteria: fc.Arbitrary<Criteria> = fc.record({
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
