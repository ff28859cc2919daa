import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails } from '../../../src/instruments/api/schema.ts'
import { demoKey, demoReference } from '../../support/demo.ts'
import { type ErrorBody, readError, readOk } from '../../support/reference/rest.ts'
import { isLongRun } from '../../support/runner/long-tests.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)

type Feed = { __count: number; __next?: string; MaxRows: number; Data: InstrumentDetails[] }

const get = (query: string) => getRest(service.baseUrl, `/ref/v1/instruments/details?${query}`, ada)

const list = (query: string): Promise<Feed> => readOk(get(query))
const errorOf = (query: string) => readError(get(query))
/** All pages from the first, by `__next`; uncompressed, which is faster. */
async function walk(query: string): Promise<Feed[]> {
  const headers = { authorization: `Bearer ${ada}`, 'accept-encoding': 'identity' }
  const pages = [await list(query)]
  for (let next = pages[0]?.__next; next !== undefined; next = pages.at(-1)?.__next) {
    const answer = await fetch(next, { headers })
    assert.equal(answer.status, 200, next)
    pages.push((await answer.json()) as Feed)
  }
  return pages
}

type Named = { Uic: number; AssetType: string }
type Row = Named & { DisplayHint?: string | undefined }
const keyOf = ({ Uic, AssetType }: Named): string => `${Uic} ${AssetType}`
const keysOf = (rows: readonly Named[]): string[] => rows.map(keyOf)
const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.Uic - b.Uic || (a.AssetType < b.AssetType ? -1 : 1))

/** All rows according to the records: instruments in each asset type, and option contracts. */
const everything: Row[] = (await demoReference(Temporal.PlainDate.from(demoLoadedAt.slice(0, 10)))).flatMap(
  (record): Row[] => {
    if (record.kind === 'instrument') {
      const { Uic, As, DisplayHint: hint } = record
      return As.map(({ AssetType, DisplayHint = hint }) => ({ Uic, AssetType, DisplayHint }))
    }
    if (record.kind !== 'optionRoot') return []
    return record.Series.flatMap(({ Options }) => Options.map(({ Uic }) => ({ Uic, AssetType: record.AssetType })))
  },
)
const all = inOrder(everything)
const ofType = (...types: string[]) => all.filter(({ AssetType }) => types.includes(AssetType))

/** Thirty thousand contracts: only a long run walks over these too. */
const walked = isLongRun ? all : all.filter(({ AssetType }) => !/^Stock(Index)?Option$/.test(AssetType))
const types = isLongRun ? '' : `&AssetTypes=${[...new Set(walked.map(({ AssetType }) => AssetType))]}`

test('paging returns each instrument in each asset type, and each contract, exactly once (operation 2)', async () => {
  const pages = await walk(`$top=1000${types}`)
  const found = pages.flatMap(({ Data }) => keysOf(Data))
  assert.deepEqual(found, keysOf(walked))
  assert.deepEqual([...new Set(pages.map(({ __count }) => __count))], [walked.length])
  assert.ok(pages.slice(0, -1).every(({ Data }) => Data.length === 1_000))
})

test('returns 50 rows by default, by Uic and AssetType, with count, MaxRows and next page (operation 2)', async () => {
  const { Data, __count, __next = '', MaxRows } = await list('')
  assert.deepEqual(keysOf(Data), keysOf(all.slice(0, 50)))
  assert.deepEqual([__count, MaxRows], [all.length, 1_000])
  assert.ok(__next.startsWith(`${service.baseUrl}/ref/v1/instruments/details?$skiptoken=`), __next)
})

test('$top is the page size, from 0 to 1000 (operation 2)', async () => {
  assert.deepEqual(keysOf((await list('$TOP=3')).Data), keysOf(all.slice(0, 3)))
  const none = await list('$top=0')
  assert.deepEqual([none.Data, none.__count, none.__next], [[], all.length, undefined])
  for (const top of ['1001', '-1', '1.5', 'ten'])
    assert.deepEqual(await errorOf(`$top=${top}`), [400, 'InvalidModelState', '$top'], top)
  assert.deepEqual(await errorOf('$top=1&$Top=1'), [400, 'InvalidModelState', '$top'])
})

test('$skip skips rows, even past the end (operation 2)', async () => {
  assert.deepEqual(keysOf((await list('$skip=0&$top=2')).Data), keysOf(all.slice(0, 2)))
  assert.deepEqual(keysOf((await list('$skip=7&$top=2')).Data), keysOf(all.slice(7, 9)))
  const past = await list(`$skip=${all.length}`)
  assert.deepEqual([past.Data, past.__count, past.__next], [[], all.length, undefined])
  const last = await list(`$skip=${all.length - 1}`)
  assert.deepEqual([keysOf(last.Data), last.__next], [keysOf(all.slice(-1)), undefined])
  for (const skip of ['-1', 'x']) assert.deepEqual(await errorOf(`$skip=${skip}`), [400, 'InvalidModelState', '$skip'])
})

test('$skiptoken continues after a page and overrides $skip; an invalid one is rejected (operation 2)', async () => {
  const { __next = '' } = await list('$top=3&$skip=1')
  const token = new URL(__next).searchParams.get('$skiptoken')
  assert.equal(new URL(__next).searchParams.get('$skip'), null)
  assert.deepEqual(keysOf((await list(`$top=2&$skip=40&$skiptoken=${token}`)).Data), keysOf(all.slice(4, 6)))
  for (const made of ['x', '1', 'MS4yLjM', '%00', 'MS54'])
    assert.deepEqual(await errorOf(`$skiptoken=${made}`), [400, 'InvalidModelState', '$skiptoken'], made)
})

test('a page may end between two asset types of an instrument, and __next keeps the query (operation 2)', async () => {
  const pages = await walk('$top=7&assettypes=fxspot,FxForwards&FieldGroups=OrderSetting')
  const wanted = ofType('FxSpot', 'FxForwards')
  assert.deepEqual(
    pages.flatMap(({ Data }) => keysOf(Data)),
    keysOf(wanted),
  )
  assert.ok(pages.every(({ __count }) => __count === wanted.length))
  assert.ok(pages.every(({ Data }) => Data.every(({ OrderSetting }) => OrderSetting)))
  const { __next = '' } = pages[0] ?? {}
  assert.match(__next, /\?\$top=7&assettypes=fxspot,FxForwards&FieldGroups=OrderSetting&\$skiptoken=[\w-]+$/)
})

test('paging over one asset type with many contracts is complete (operation 2)', async () => {
  for (const [types, top] of [
    [['FuturesOption'], 1_000],
    [['Stock', 'Etf'], 97],
  ] as const) {
    const pages = await walk(`$top=${top}&AssetTypes=${types}`)
    assert.deepEqual(
      pages.flatMap(({ Data }) => keysOf(Data)),
      keysOf(ofType(...types)),
    )
  }
})

test('$inlinecount has no effect: the count is always included (operation 2)', async () => {
  for (const value of ['AllPages', 'none'])
    assert.equal((await list(`$inlinecount=${value}&$top=1`)).__count, all.length)
  assert.deepEqual(await errorOf('$inlinecount=Some'), [400, 'InvalidModelState', '$inlinecount'])
})

test('Uics returns each in each of its asset types, in order, without duplicates (operation 2)', async () => {
  const [stock, pair, contract] = [ofType('Stock')[5], ofType('FxSwap')[0], ofType('StockOption')[100]]
  assert.ok(stock && pair && contract)
  const wanted = all.filter(({ Uic }) => [stock.Uic, pair.Uic, contract.Uic].includes(Uic))
  assert.ok(wanted.length > 4)
  const { Data, __count, __next } = await list(`Uics=${contract.Uic},${stock.Uic}&uics=${pair.Uic},${stock.Uic},`)
  assert.deepEqual([keysOf(Data), __count, __next], [keysOf(wanted), wanted.length, undefined])
  const one = await list(`Uics=${pair.Uic},${stock.Uic}&AssetTypes=FxSwap`)
  assert.deepEqual([keysOf(one.Data), one.__count], [[keyOf(pair)], 1])
  const pages = await walk(`Uics=${contract.Uic},${stock.Uic},${pair.Uic}&$top=1`)
  assert.deepEqual(
    pages.flatMap((page) => keysOf(page.Data)),
    keysOf(wanted),
  )
  assert.ok(pages.every((page) => page.__count === wanted.length))
  const second = await list(`Uics=${pair.Uic}&$skip=1&$top=2`)
  assert.deepEqual(keysOf(second.Data), keysOf(wanted.filter(({ Uic }) => Uic === pair.Uic).slice(1, 3)))
})

test('Uics accepts a thousand numbers; unknown ones find nothing (operation 2)', async () => {
  const known = [...new Set(ofType('StockOption').map(({ Uic }) => Uic))].slice(0, 1_000)
  const { Data, __count } = await list(`$top=1000&Uics=${known}`)
  assert.deepEqual([keysOf(Data), __count], [known.map((uic) => `${uic} StockOption`), 1_000])
  const stock = ofType('Stock')[0]
  for (const uics of ['99', '0', '-1', `${(stock?.Uic ?? 0) + 2 ** 32}`, '9007199254740991', '1,2,3']) {
    const none = await list(`Uics=${uics}`)
    assert.deepEqual([none.Data, none.__count, none.__next], [[], 0, undefined], uics)
  }
  assert.deepEqual(await errorOf(`Uics=${Array.from({ length: 1_001 }, (_, index) => index)}`), [
    400,
    'InvalidModelState',
    'Uics',
  ])
  for (const uics of ['AAPL', '1.5', '1,x'])
    assert.deepEqual(await errorOf(`Uics=${uics}`), [400, 'InvalidModelState', 'Uics'])
})

test('AssetTypes filters the list, in any case; an unknown one is rejected (operation 2)', async () => {
  const bonds = await list('AssetTypes=bOND&AssetTypes=MutualFund&$top=1000')
  assert.deepEqual(keysOf(bonds.Data), keysOf(ofType('Bond', 'MutualFund')))
  assert.deepEqual((await list('AssetTypes=GuaranteeNote')).Data, [])
  assert.equal((await list('AssetTypes=')).__count, all.length)
  for (const types of ['Stonk', 'Stock,Stonk', '1'])
    assert.deepEqual(await errorOf(`AssetTypes=${types}`), [400, 'InvalidModelState', 'AssetTypes'], types)
})

test('Tags is one display hint, of stocks, ETFs and ETCs (operation 2)', async () => {
  const tagged = (hint: string, ...types: string[]) =>
    keysOf(ofType(...types).filter((row) => row.DisplayHint === hint))
  const hints = new Set(ofType('Stock', 'Etf', 'Etc').flatMap(({ DisplayHint }) => DisplayHint ?? []))
  assert.ok(hints.size > 0)
  for (const hint of hints) {
    const rows = tagged(hint, 'Stock', 'Etf', 'Etc')
    assert.deepEqual(keysOf((await list(`Tags=${hint.toLowerCase()}&$top=1000`)).Data), rows)
    assert.deepEqual(keysOf((await list(`Tags=${hint}&AssetTypes=Etf&$top=1000`)).Data), tagged(hint, 'Etf'))
  }
  assert.deepEqual((await list('Tags=Forex')).Data, [])
  assert.equal((await list('Tags=null')).__count, all.length)
  assert.equal((await list('Tags=null&AssetTypes=FxSpot')).__count, ofType('FxSpot').length)
  for (const query of ['Tags=Etf,Etc', 'Tags=Etf&Tags=Etc', 'Tags=Nonsense', 'Tags=Forex&AssetTypes=FxSpot'])
    assert.deepEqual(await errorOf(query), [400, 'InvalidSearchCriteriaProvided'], query)
})

test('AccountKey limits access to that account (operation 2)', async () => {
  const uic = ofType('Stock')[0]?.Uic
  const standings = async (account: string) => {
    const { Data } = await list(`Uics=${uic}&AssetTypes=Stock&AccountKey=${demoKey(`account ${account}`)}`)
    return Data.map(({ IsTradable, TradableOn, NonTradableReason }) => [IsTradable, TradableOn, NonTradableReason])
  }
  assert.deepEqual(await standings('9226398'), [[true, ['9226398'], 'None']])
  assert.deepEqual(await standings('9226400'), [[false, [], 'NotOnlineClientTradable']])
  const bodies = ['account 9400001', 'unknown account'].map(async (name) =>
    (await get(`AccountKey=${demoKey(name)}`)).json(),
  )
  const [foreign, unknown] = (await Promise.all(bodies)) as ErrorBody[]
  assert.deepEqual(foreign, unknown)
  assert.match(foreign?.Message ?? '', /AccountKey/)
  assert.deepEqual(await errorOf(`AccountKey=${demoKey('account 9400001')}`), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf('AccountKey=mine'), [400, 'InvalidModelState', 'AccountKey'])
})

test('rows equal the details of each instrument, with the same field groups (operation 2)', async () => {
  const [stock, pair, contract] = [ofType('Stock')[0], ofType('FxSpot')[0], ofType('StockIndexOption')[7]]
  for (const groups of ['', 'OrderSetting', 'TradingSessions,supportedordertypesettings,MarketData,Weather']) {
    const { Data } = await list(`Uics=${stock?.Uic},${pair?.Uic},${contract?.Uic}&FieldGroups=${groups}`)
    for (const row of Data) {
      const path = `/ref/v1/instruments/details/${row.Uic}/${row.AssetType}?FieldGroups=${groups}`
      assert.deepEqual(row, await (await getRest(service.baseUrl, path, ada)).json())
      assert.equal('TradingSessions' in row, groups.includes('TradingSessions'))
    }
  }
})

test('lists instruments that cannot be traded (operation 2)', async () => {
  const { Data } = await list('AssetTypes=StockIndex&$top=1000')
  assert.equal(Data.length, ofType('StockIndex').length)
  assert.ok(Data.every(({ IsTradable }) => !IsTradable))
})

test('reports all invalid parameters at once (operation 2)', async () => {
  const fields = ['$inlinecount', '$skip', '$top', 'AccountKey', 'AssetTypes', 'Uics']
  const [status, code, ...invalid] = await errorOf(fields.map((name) => `${name}=x`).join('&'))
  assert.deepEqual([status, code, invalid.sort()], [400, 'InvalidModelState', fields])
})

test('returns 304 if the entity tag matches (operation 2)', async () => {
  for (const query of ['AssetTypes=FxSpot', 'AssetTypes=FxSpot&FieldGroups=TradingSessions']) {
    const first = await get(query)
    const etag = first.headers.get('etag') ?? ''
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': `"other", ${etag}` }
    const again = await fetch(`${service.baseUrl}/ref/v1/instruments/details?${query}`, { headers })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    for (const answer of [first, again]) {
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
    }
  }
})
