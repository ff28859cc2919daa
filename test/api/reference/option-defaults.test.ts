import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentSummary, OptionSpace } from '../../../src/instruments/api/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const plain = await serviceForFile({ reference: true, clock })
const vendor = await serviceForFile({ besides: plain, env: { COMPAT: 'vendor' } })
let { access_token: ada } = await obtainTokens(plain.url)

const read = <T>(path: string, service = plain): Promise<T> =>
  readOk<T>(getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada))
const types = 'AssetTypes=StockOption,StockIndexOption,FuturesOption'
const { Data: rows } = await read<{ Data: InstrumentSummary[] }>(`?${types}&IncludeNonTradable=true&$top=1000`)
const spaceOf = (id: number, query = '', service = plain) =>
  read<OptionSpace>(`/contractoptionspaces/${id}?${query}`, service)
const rootNamed = (symbol: string) => rows.find(({ Symbol }) => Symbol === symbol)?.Identifier ?? 0

test('every root of the demo has order distances, tick sizes per series, a group and the roots on its underlying', async () => {
  assert.equal(rows.length, 50)
  for (const { Identifier, GroupOptionRootId, UnderlyingUic, Symbol } of rows) {
    const space = await spaceOf(Identifier)
    assert.equal(space.GroupOptionRootId, GroupOptionRootId, Symbol)
    assert.equal(space.OrderDistances?.StopLimitDefaultDistanceType, 'Pips', Symbol)
    for (const { TickSizeScheme } of space.OptionSpace)
      assert.deepEqual(TickSizeScheme, space.TickSizeScheme ?? { DefaultTickSize: space.TickSize }, Symbol)
    const onUnderlying = rows.filter((other) => other.UnderlyingUic === UnderlyingUic)
    const related = space.RelatedOptionRootsEnhanced ?? []
    assert.deepEqual(
      related.map(({ OptionRootId }) => OptionRootId).toSorted((a, b) => a - b),
      onUnderlying.map((other) => other.Identifier).toSorted((a, b) => a - b),
      Symbol,
    )
    const itself = related.find(({ OptionRootId }) => OptionRootId === Identifier)
    assert.deepEqual(itself?.SupportedStrategies, space.SupportedStrategies, Symbol)
    assert.ok(related.some(({ OptionRootId }) => OptionRootId === GroupOptionRootId))
  }
  const adjusted = (await spaceOf(rootNamed('GE:xcbo'))).RelatedOptionRootsEnhanced
  assert.deepEqual(
    adjusted?.map(({ OptionRootId, OptionType }) => [OptionRootId, OptionType]),
    [
      [rootNamed('GE:xcbo'), 'Default'],
      [rootNamed('GE1:xcbo'), 'Adjusted'],
    ],
  )
})

test('obsolete fields are only in the vendor profile: default expiry, default option, numbers of related roots', async () => {
  for (const { Identifier, Symbol } of rows) {
    const usual = await spaceOf(Identifier, 'OptionSpaceSegment=AllDates')
    for (const name of ['DefaultExpiry', 'DefaultOption', 'RelatedOptionRoots']) assert.ok(!(name in usual), Symbol)
    const { DefaultExpiry, DefaultOption, RelatedOptionRoots, OptionSpace, RelatedOptionRootsEnhanced } = await spaceOf(
      Identifier,
      'OptionSpaceSegment=AllDates',
      vendor,
    )
    assert.deepEqual(
      RelatedOptionRoots,
      RelatedOptionRootsEnhanced?.map(({ OptionRootId }) => OptionRootId),
    )
    const series = OptionSpace.find(({ Expiry }) => Expiry === DefaultExpiry)
    assert.ok(series && series.DisplayDaysToExpiry > 7, `${Symbol} ${DefaultExpiry}`)
    assert.equal(DefaultOption?.PutCall, 'Call')
    const found = series.SpecificOptions?.find(({ Uic }) => Uic === DefaultOption?.Uic)
    assert.deepEqual(DefaultOption, found, Symbol)
  }
})

test('the default option is at the money, and the default expiry moves a week before it expires', async () => {
  const apple = rootNamed('AAPL:xcbo')
  const defaults = async () => {
    const space = await spaceOf(apple, 'OptionSpaceSegment=AllDates', vendor)
    const series = space.OptionSpace.find(({ Expiry }) => Expiry === space.DefaultExpiry)
    const strikes = [...new Set(series?.SpecificOptions?.map(({ StrikePrice }) => StrikePrice))]
    return { expiry: space.DefaultExpiry, strike: space.DefaultOption?.StrikePrice ?? 0, strikes }
  }
  const prices = await readOk<{ Data: { ReferencePrice: number }[] }>(
    getRest(plain.baseUrl, '/x/v1/referenceprices?Uics=1000', ada),
  )
  const price = prices.Data[0]?.ReferencePrice ?? 0
  const { expiry, strike, strikes } = await defaults()
  assert.equal(expiry, '2026-12-18')
  const distances = strikes.map((each) => Math.abs(each - price))
  assert.ok(price > 0 && Math.abs(strike - price) === Math.min(...distances), `${strike} for ${price}`)

  const moveTo = async (instant: string) => {
    clock.advance(clock.now().until(Temporal.Instant.from(instant)).total('seconds'))
    ada = (await obtainTokens(plain.url)).access_token
  }
  await moveTo('2026-12-11T04:59:59Z')
  assert.equal((await defaults()).expiry, '2026-12-18', 'still the 10th in New York')
  await moveTo('2026-12-11T05:00:00Z')
  assert.equal((await defaults()).expiry, '2027-01-15')
})
