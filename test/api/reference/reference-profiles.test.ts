import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { FeedOf } from '../../../src/http/output/feed.ts'
import * as schema from '../../../src/instruments/api/schema.ts'
import { readError } from '../../support/reference/rest.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const plain = await sharedDemoService()
const vendor = await serviceForFile({ besides: plain, env: { COMPAT: 'vendor' } })
const { access_token: ada } = await obtainTokens(plain.url)

async function read<T>(path: string, service = plain): Promise<T> {
  const answer = await getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada)
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  return (await answer.json()) as T
}

type Shape = { properties?: Record<string, Shape>; items?: Shape }
const alwaysSent = ['Data', 'OptionSpace', 'Elements', 'Sessions', 'TradableOn']

/** The paths of unknown fields, nulls, and empty arrays that should be omitted. */
function strangers(shape: Shape | undefined, value: unknown, at: string): string[] {
  if (shape === undefined) return [`${at} is not named`]
  if (value === null) return [`${at} is null`]
  if (Array.isArray(value)) {
    const name = at.slice(at.lastIndexOf('.') + 1)
    if (value.length === 0 && !alwaysSent.includes(name)) return [`${at} is empty`]
    return value.flatMap((item, index) => strangers(shape.items, item, `${at}[${index}]`))
  }
  if (typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => strangers(shape.properties?.[name], member, `${at}.${name}`))
}

test('the checker finds unknown fields, nulls and empty arrays', () => {
  const shape = { properties: { A: { items: { properties: { B: {} } } }, Data: { items: {} } } }
  assert.deepEqual(strangers(shape, { A: [{ B: 1, C: 2 }, { B: null }], Data: [], D: 0 }, ''), [
    '.A[0].C is not named',
    '.A[1].B is null',
    '.D is not named',
  ])
  assert.deepEqual(strangers(shape, { A: [] }, ''), ['.A is empty'])
})

const groups = 'FieldGroups=OrderSetting,SupportedOrderTypeSettings,TradingSessions,MarketData'

async function rootIds(): Promise<number[]> {
  const types = 'AssetTypes=StockOption,StockIndexOption,FuturesOption'
  const { Data } = await read<{ Data: { Identifier: number }[] }>(`?${types}&IncludeNonTradable=true&$top=1000`)
  return Data.map(({ Identifier }) => Identifier)
}

type Check = (response: unknown, what: string) => void

/** Checks responses against a schema. */
function checkBy(shape: TSchema): Check {
  const whole = Compile(shape)
  return (answer, what) => {
    assert.deepEqual(strangers(shape as Shape, answer, ''), [], what)
    assert.ok(whole.Check(answer), `${what} does not match its schema`)
  }
}
const assertDetails: Check = checkBy(schema.InstrumentDetails)
const assertList: Check = checkBy(FeedOf(schema.InstrumentDetails))
const assertSchedule: Check = checkBy(schema.TradingSchedule)
const assertSpace: Check = checkBy(schema.OptionSpace)
const assertFutures: Check = checkBy(schema.FuturesSpace)

test('a list of details matches its schema (operation 2)', async () => {
  const some = 'FieldGroups=OrderSetting,SupportedOrderTypeSettings'
  const pages = [`$top=1000&${some}`, `$top=1000&$skip=1000&${some}`, 'AssetTypes=StockOption,FuturesOption']
  for (const query of pages) assertList(await read(`/details?${query}`), query)
})

test('details match their schema (operation 3)', async () => {
  const { Data } = await read<{ Data: { Uic: number; AssetType: string }[] }>('/details?$top=1000&$skip=700')
  const byType = new Map(Data.map(({ Uic, AssetType }) => [AssetType, Uic]))
  assert.ok(byType.size > 8)
  for (const [assetType, uic] of byType) {
    const path = `/details/${uic}/${assetType}?${groups}`
    assertDetails(await read(path), path)
    assertSchedule(await read(`/tradingschedule/${uic}/${assetType}`), path)
  }
})

test('every option space matches its schema (operation 4)', async () => {
  const ids = await rootIds()
  assert.ok(ids.length >= 30)
  for (const id of ids) {
    const path = `/contractoptionspaces/${id}?OptionSpaceSegment=DefaultDates`
    assertSpace(await read(path), path)
  }
  for (const id of ids) {
    const path = `/contractoptionspaces/${id}?OptionSpaceSegment=AllDates`
    // The vendor profile omits NonTradableReason, which the schema of the default profile requires.
    assertSpace({ NonTradableReason: 'None', ...(await read<object>(path, vendor)) }, path)
  }
})

test('futures spaces match their schema (operation 5)', async () => {
  const { Data } = await read<{ Data: { Uic: number; DisplayHint?: string }[] }>(
    '/details?AssetTypes=ContractFutures&$top=1000',
  )
  const parents = Data.filter(({ DisplayHint }) => DisplayHint === 'Continuous')
  assert.ok(parents.length >= 8)
  for (const { Uic } of parents) assertFutures(await read(`/futuresspaces/${Uic}`), `futures space ${Uic}`)
})

/** Keeps the members of `row` that `other` has too, without TradableAs. */
const sharedWith = (other: object, row: object) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in other && name !== 'TradableAs'))

test('days are midnight UTC, or plain days with COMPAT=vendor; date-times are the same in both (operation 4)', async () => {
  const [root] = await rootIds()
  const path = `/contractoptionspaces/${root}?OptionSpaceSegment=DefaultDates`
  const [usual, compatible] = [await read<schema.OptionSpace>(path), await read<schema.OptionSpace>(path, vendor)]
  for (const { Expiry, DisplayExpiry, LastTradeDate } of usual.OptionSpace) {
    assert.match(Expiry, /^\d{4}-\d\d-\d\dT00:00:00Z$/)
    assert.match(DisplayExpiry, /^\d{4}-\d\d-01T00:00:00Z$/)
    assert.match(LastTradeDate ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  }
  const asPlainDays = usual.OptionSpace.map((entry) => ({
    ...entry,
    Expiry: entry.Expiry.slice(0, 10),
    DisplayExpiry: entry.DisplayExpiry.slice(0, 10),
  }))
  assert.deepEqual(sharedWith(usual, compatible), sharedWith(compatible, { ...usual, OptionSpace: asPlainDays }))
})

test('AsOf is the same in both wire profiles', async () => {
  const { revision } = plain.node.catalogue.current()
  for (const service of [plain, vendor])
    assert.deepEqual(
      await read<schema.OptionSpace>(`/tradingschedule/1000/Stock?AsOf=${revision}`, service),
      await read<schema.OptionSpace>('/tradingschedule/1000/Stock', service),
    )
  assert.equal((await getRest(vendor.baseUrl, '/ref/v1/instruments?AsOf=never', ada)).status, 400)
})

test('the wire profiles have the same values, and their entity tags differ (operations 3 to 6)', async () => {
  const [root] = await rootIds()
  const etagOf = async (path: string, service: typeof plain) =>
    (await getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada)).headers.get('etag')
  const space = `/contractoptionspaces/${root}`
  assert.notEqual(await etagOf(space, plain), await etagOf(space, vendor))
  const { Data } = await read<{ Data: { Uic: number; DisplayHint?: string }[] }>(
    '/details?AssetTypes=ContractFutures&$top=1000',
  )
  const parent = Data.find(({ DisplayHint }) => DisplayHint === 'Continuous')?.Uic
  for (const path of [`/tradingschedule/${parent}/ContractFutures`, `/futuresspaces/${parent}`])
    assert.deepEqual(await read(path, vendor), await read(path), path)
  for (const path of [`/details/${parent}/ContractFutures?${groups}`, `/details/1000/Stock?${groups}`]) {
    const [usual, compatible] = [await read<object>(path), await read<object>(path, vendor)]
    assert.deepEqual(sharedWith(usual, compatible), sharedWith(compatible, usual), path)
  }
})

test('TradableAs has every asset type of the instrument, and with COMPAT=vendor the own type of the row (operations 1 and 3)', async () => {
  const tradableAs = async (path: string, service: typeof plain) => {
    const found = await read<{ Data?: { TradableAs?: string[] }[]; TradableAs?: string[] }>(path, service)
    return (found.Data?.[0] ?? found).TradableAs
  }
  const pair = await read<{ Data: { Identifier: number }[] }>('?Keywords=EURUSD&AssetTypes=FxSpot')
  const eurusd = pair.Data[0]?.Identifier
  const apple = '/details/1000'
  for (const path of [`${apple}/Stock`, '?Keywords=AAPL&AssetTypes=Stock']) {
    assert.deepEqual(await tradableAs(path, plain), ['Stock', 'CfdOnStock'])
    assert.deepEqual(await tradableAs(path, vendor), ['Stock'])
  }
  assert.deepEqual(await tradableAs(`${apple}/CfdOnStock`, vendor), ['CfdOnStock'])
  const knocks = ['FxKnockInOption', 'FxKnockOutOption']
  const ofPair = ['FxSpot', 'FxForwards', 'FxSwap', 'FxVanillaOption']
  assert.deepEqual(
    (await tradableAs(`/details/${eurusd}/FxForwards`, plain))?.toSorted(),
    [...ofPair, ...knocks].sort(),
  )
  assert.deepEqual(await tradableAs(`/details/${eurusd}/FxForwards`, vendor), ofPair)
  assert.deepEqual(await tradableAs(`/details/${eurusd}/FxKnockInOption`, vendor), ['FxKnockInOption'])
  assert.deepEqual(await tradableAs('?AssetTypes=StockOption', plain), ['StockOption'])
  assert.deepEqual(await tradableAs('?AssetTypes=StockOption', vendor), undefined)
})

test('rows have every known member, and with COMPAT=vendor the members of their asset type (operations 1 to 4)', async () => {
  const share = `/details/1000/Stock?${groups}`
  const has = async (path: string, service: typeof plain, names: string[]) => {
    const found = await read<{ Data?: object[] }>(path, service)
    const row = found.Data?.[0] ?? found
    return names.map((name) => name in row)
  }

  for (const [path, byDefault, byVendor] of [
    ['?Keywords=AAPL', ['ExchangeName', 'ExchangeCountry'], []],
    [share, ['IsDmaEnabled', 'IsPitTraded'], ['TradingSignals', 'IsOcoOrderSupported', 'UnderlyingTypeCategory']],
    [`/details/1000/CfdOnStock?${groups}`, ['SettlementStyle', 'OrderSetting'], []],
    ['/contractoptionspaces/1', ['NonTradableReason', 'UnderlyingUic', 'IsPitTraded'], []],
  ] as [string, string[], string[]][]) {
    const names = [...byDefault, ...byVendor]
    assert.deepEqual(await has(path, plain, names), [...byDefault.map(() => true), ...byVendor.map(() => false)], path)
    assert.deepEqual(await has(path, vendor, names), [...byDefault.map(() => false), ...byVendor.map(() => true)], path)
  }
  assert.deepEqual(await has('/contractoptionspaces/1', vendor, ['IsComplex', 'PriceCurrency']), [true, true])
  const contract = '/details?AssetTypes=StockOption&$top=1'
  assert.deepEqual(await read(contract, vendor), await read(contract))
})

const errorOf = (path: string, service: typeof plain) =>
  readError(getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada))

test('a list of details that finds nothing is empty, or 404 with COMPAT=vendor (operation 2)', async () => {
  for (const nothing of ['/details?Uics=999999999', '/details?Uics=999999999&$top=0']) {
    assert.deepEqual(await read(nothing), { __count: 0, MaxRows: 1000, Data: [] })
    assert.deepEqual(await errorOf(nothing, vendor), [404, 'NoResultFound'])
  }
  for (const page of ['/details?Uics=1000&$top=0', '/details?Uics=1000&$skip=100'])
    assert.deepEqual(await read(page, vendor), await read(page), 'a page without rows of a list that has some')
})

test('without OptionSpaceSegment no options are included, or those of the default dates with COMPAT=vendor (operation 4)', async () => {
  const [root] = await rootIds()
  for (const [service, segment] of [
    [plain, 'None'],
    [vendor, 'DefaultDates'],
  ] as const) {
    const expected = await read(`/contractoptionspaces/${root}?OptionSpaceSegment=${segment}`, service)
    for (const query of ['', '?OptionSpaceSegment='])
      assert.deepEqual(await read(`/contractoptionspaces/${root}${query}`, service), expected)
  }
  const { OptionSpace } = await read<schema.OptionSpace>(`/contractoptionspaces/${root}`, vendor)
  assert.ok((OptionSpace[0]?.SpecificOptions ?? []).length > 0)
})

test('a dated future has no futures space: 400, or 404 with COMPAT=vendor; a share is 400 in both (operation 5)', async () => {
  const dated = await read<{ Data: { Identifier: number }[] }>('?Keywords=ESZ6&AssetTypes=ContractFutures')
  const path = `/futuresspaces/${dated.Data[0]?.Identifier}`
  assert.deepEqual(await errorOf(path, plain), [400, 'InvalidContinuousFuturesUic'])
  assert.deepEqual(await errorOf(path, vendor), [404, 'NoResultFound'])
  for (const service of [plain, vendor])
    assert.deepEqual(await errorOf('/futuresspaces/1000', service), [400, 'InvalidContinuousFuturesUic'])
})
