import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessView } from '../../access/rules/visibility.ts'
import { SegmentBuilder } from '../catalogue/build/segment-builder.ts'
import type { DetailsCursor } from '../catalogue/search/find-details.ts'
import { type RequestView, Snapshot } from '../catalogue/snapshot.ts'
import type { InstrumentRecord, OptionRootRecord } from '../import/schema.ts'
import type { OptionSpaceQuery } from '../rules/option-space.ts'
import { DetailsWriter, detailsBody, scheduleBody } from './details.ts'
import { optionSpaceBody } from './spaces.ts'

const exchange = { ExchangeId: 'X', Name: 'X', CountryCode: 'US', TimeZone: 'America/New_York', Hours: [] }
const shared = { ExchangeId: 'X', CurrencyCode: 'USD' }
const noGroups = new Set<never>()
const now = Date.UTC(2026, 10, 16, 12)

const instrument = (Uic: number, more: Partial<InstrumentRecord> = {}): InstrumentRecord => ({
  Uic,
  Symbol: `S${Uic}`,
  Description: `Name ${Uic}`,
  ...shared,
  As: [{ AssetType: 'Stock' }],
  ...more,
})

const option = (Uic: number, StrikePrice: number, more = {}) => ({
  Uic,
  StrikePrice,
  PutCall: 'Call' as const,
  ...more,
})
const root: OptionRootRecord = {
  OptionRootId: 7,
  Symbol: 'R7',
  Description: 'Root 7',
  ...shared,
  AssetType: 'StockOption',
  UnderlyingUic: 1,
  Series: [
    { Expiry: '2026-11-20', LastTradeDate: '2026-11-20T21:00:00.123456Z', Options: [option(101, 10)] },
    { Expiry: '2026-12-18', Options: [option(102, 10), option(103, 10, { PutCall: 'Put', UnderlyingUic: 2 })] },
  ],
} as OptionRootRecord

const related = instrument(1, {
  RelatedInstruments: [
    { Uic: 2, AssetType: 'Etf' },
    { Uic: 3, AssetType: 'Stock' },
    { Uic: 101, AssetType: 'StockOption' },
    { Uic: 999, AssetType: 'Stock' },
  ],
  RelatedOptionRootsEnhanced: [{ AssetType: 'StockOption', OptionRootId: 7, OptionType: 'Default' }],
})

function snapshotOf(instruments: InstrumentRecord[], roots: OptionRootRecord[] = [], identity?: string): Snapshot {
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of roots) builder.addRoot(record)
  return new Snapshot(1, builder.finish(1), [exchange], undefined, identity)
}

function viewOf(assetTypes: ('Etf' | 'Stock' | 'StockOption')[] | null, accounts = ['1']) {
  const right = { userKey: null, accountKey: null, assetTypes, exchangeIds: null, level: 'Trade' as const }
  return accessView(
    [right],
    accounts.map((accountId) => ({ accountKey: accountId, accountId })),
  )
}

const demo = snapshotOf([related, instrument(2, { As: [{ AssetType: 'Etf' }] }), instrument(3)], [root])
const requestView = (snapshot: Snapshot, access = viewOf(null)): RequestView => ({ snapshot, access, now })
const details = (at: RequestView, uic: number, assetType: string) =>
  JSON.parse(detailsBody(at, uic, assetType, noGroups)().toString())

test('lists only relations to instruments and option roots that the caller may see', () => {
  const everything = details(requestView(demo), 1, 'Stock')
  assert.deepEqual(everything.RelatedInstruments, related.RelatedInstruments?.slice(0, 3))
  assert.deepEqual(everything.RelatedOptionRootsEnhanced, related.RelatedOptionRootsEnhanced)
  const stocks = details(requestView(demo, viewOf(['Stock'])), 1, 'Stock')
  assert.deepEqual(stocks.RelatedInstruments, [{ Uic: 3, AssetType: 'Stock' }])
  assert.equal('RelatedOptionRootsEnhanced' in stocks, false)
  assert.equal(stocks.TradingStatus, 'NotDefined')
  const alone = details(requestView(snapshotOf([related])), 1, 'Stock')
  assert.deepEqual(['RelatedInstruments' in alone, 'RelatedOptionRootsEnhanced' in alone], [false, false])
})

const space = (query: OptionSpaceQuery, at = requestView(demo)) => (optionSpaceBody(at, 7, query, '') as () => Buffer)()

test('a last trade date keeps its microseconds and is counted in the time zone of the exchange', () => {
  const [first] = JSON.parse(space({ OptionSpaceSegment: 'None' }).toString()).OptionSpace
  assert.deepEqual(first, {
    DisplayDaysToExpiry: 4,
    DisplayDaysToLastTradeDate: 4,
    DisplayExpiry: '2026-11-01',
    Expiry: '2026-11-20',
    LastTradeDate: '2026-11-20T21:00:00.123456Z',
  })
})

test('an expiry can be selected by its day or its display day', () => {
  const dates = (...ExpiryDates: string[]) => space({ OptionSpaceSegment: 'SpecificDates', ExpiryDates })
  const december = dates('2026-12-18')
  assert.deepEqual(dates('2026-12-18', '2031-01-01'), december)
  assert.deepEqual(dates('2026-12-01'), december)
  assert.notDeepEqual(dates('2026-11-20'), december)
})

test('options are filtered by expiry, underlying and status', () => {
  const uicsOf = (query: OptionSpaceQuery, at?: RequestView): number[] =>
    JSON.parse(space(query, at).toString()).OptionSpace.flatMap(
      ({ SpecificOptions = [] }: { SpecificOptions?: { Uic: number }[] }) => SpecificOptions.map(({ Uic }) => Uic),
    )
  assert.deepEqual(uicsOf({ OptionSpaceSegment: 'AllDates' }), [101, 102, 103])
  assert.deepEqual(uicsOf({ OptionSpaceSegment: 'UnderlyingUic', UnderlyingUic: 2 }), [103])
  assert.deepEqual(uicsOf({ OptionSpaceSegment: 'UnderlyingUic', UnderlyingUic: 1 }), [101, 102])
  assert.deepEqual(uicsOf({ OptionSpaceSegment: 'AllDates', TradingStatus: 'Tradable' }), [])
  assert.equal(JSON.parse(space({ OptionSpaceSegment: 'None' }).toString()).TradableOn.length, 1)
  const more = requestView(demo, viewOf(null, ['1', '2']))
  assert.equal(JSON.parse(space({ OptionSpaceSegment: 'None' }, more).toString()).TradableOn.length, 2)
})

test('a page of details ends before it becomes too long, and the next page continues after it', () => {
  const accounts = Array.from({ length: 4_000 }, (_, index) => `account-${index}`)
  const instruments = Array.from({ length: 500 }, (_, index) => instrument(index + 1))
  const at = requestView(snapshotOf(instruments), viewOf(null, accounts))
  const seen: number[] = []
  let pages = 0
  let after: DetailsCursor | undefined
  do {
    let next: DetailsCursor | undefined
    const nextLink = (cursor: DetailsCursor) => {
      next = cursor
      return 'next'
    }
    const body = new DetailsWriter(at, {}, { top: 1_000, skip: 0, after }, noGroups, { nextLink }).whole()
    assert.ok(body.length < 9 * 1024 * 1024)
    const { Data, __next } = JSON.parse(body.toString())
    assert.equal(__next, next && 'next')
    seen.push(...Data.map(({ Uic }: { Uic: number }) => Uic))
    after = next
    pages++
  } while (after)
  assert.ok(pages > 2)
  assert.deepEqual(
    seen,
    instruments.map(({ Uic }) => Uic),
  )
})

test('long rows are written in parts of few rows, which make the same page', () => {
  const accounts = Array.from({ length: 4_000 }, (_, index) => `account-${index}`)
  const at = requestView(
    snapshotOf(Array.from({ length: 20 }, (_, index) => instrument(index + 1))),
    viewOf(null, accounts),
  )
  const list = () => new DetailsWriter(at, {}, { top: 50, skip: 0 }, noGroups, { nextLink: String })
  const whole = list().whole()
  const inParts = list()
  let parts = 1
  while (!inParts.write()) parts++

  assert.deepEqual(inParts.finish(), whole)
  assert.ok(parts >= Math.floor(whole.length / (512 * 1024)) && parts > 1, `${whole.length} bytes in ${parts} parts`)
})

test('instruments with the same hours share one cached schedule', () => {
  const at = requestView(demo)
  assert.equal(scheduleBody(at, 1, 'Stock').body, scheduleBody(at, 3, 'Stock').body)
  const list = new DetailsWriter(at, {}, { top: 9, skip: 0 }, new Set(['TradingSessions'] as const), {
    nextLink: String,
  }).whole()
  const schedule = JSON.parse(scheduleBody(at, 1, 'Stock').body.toString())
  for (const { TradingSessions } of JSON.parse(list.toString()).Data) assert.deepEqual(TradingSessions, schedule)
})

test('the entity tag depends on the data, the program, the access rights and the day', () => {
  const other = snapshotOf([related], [], 'another')
  const tags = [
    demo.tagFor('rights', 'one', now),
    other.tagFor('rights', 'one', now),
    demo.tagFor('rights', 'two', now),
    demo.tagFor('others', 'one', now),
    demo.tagFor('rights', 'one', now + 24 * 3_600_000),
  ]
  assert.equal(new Set(tags).size, tags.length)
  assert.equal(demo.tagFor('rights', 'one', now + 2 * 60_000), tags[0])
})
