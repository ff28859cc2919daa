import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, OptionSpace } from '../../../src/instruments/api/schema.ts'
import type { InstrumentRecord } from '../../../src/instruments/import/schema.ts'
import { demoKey, demoReference } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { access_token: ada } = await obtainTokens(service.url)
const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })

type ErrorBody = { ErrorCode: string; Message: string; ModelState?: Record<string, string[]> }

const get = (path: string, token = ada) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, token)

async function read<T = InstrumentDetails>(path: string, token = ada): Promise<T> {
  const answer = await get(path, token)
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  return (await answer.json()) as T
}

/** The status, code and invalid fields of an error. */
async function errorOf(path: string, token = ada): Promise<[number, string, ...string[]]> {
  const answer = await get(path, token)
  const { ErrorCode, ModelState = {} } = (await answer.json()) as ErrorBody
  return [answer.status, ErrorCode, ...Object.keys(ModelState)]
}

const today = Temporal.PlainDate.from(demoLoadedAt.slice(0, 10))
const records = await demoReference(today)
const recordsBySymbol = new Map(
  records.flatMap((record) => (record.kind === 'instrument' ? [[record.Symbol, record as InstrumentRecord]] : [])),
)

async function identifierOf(symbol: string, assetType: string): Promise<number> {
  const query = new URLSearchParams({ Keywords: symbol, AssetTypes: assetType, IncludeNonTradable: 'true' })
  const { Data } = await read<{ Data: { Symbol: string; Identifier: number }[] }>(`?${query}`)
  const found = Data.find(({ Symbol: text }) => text === symbol)
  assert.ok(found, `search does not find ${symbol} as ${assetType}`)
  return found.Identifier
}

const notOnTheWire = [
  'kind',
  'As',
  'Isin',
  'Rank',
  'OneWeekTotalValueChange',
  'OneMonthTotalValueChange',
  'OneYearTotalValueChange',
  'ReferencePrice',
  'Hours',
  'ContinuousFuturesUic',
  'BaseIdentifier',
  'ExchangeId',
  'IssuerCountry',
  'OrderSetting',
  'SupportedOrderTypeSettings',
]

/** The details that follow from a record in an asset type, without fields that depend on the caller. */
function toldOf(symbol: string, assetType: string): Record<string, unknown> {
  const record = recordsBySymbol.get(symbol)
  assert.ok(record, `the demo has no ${symbol}`)
  const own = record.As.find((entry) => entry.AssetType === assetType)
  const all: Record<string, unknown> = { GroupId: 0, IsComplex: false, TradingStatus: 'NotDefined', ...record, ...own }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !notOnTheWire.includes(name)))
}

function withoutCaller(details: InstrumentDetails): Record<string, unknown> {
  const { Exchange: _, IsTradable: _1, NonTradableReason: _2, TradableOn: _3, TradableAs: _4, ...rest } = details
  return rest
}

const wellKnown = [
  ['AAPL:xnas', 'Stock'],
  ['AAPL:xnas', 'CfdOnStock'],
  ['EURUSD', 'FxSpot'],
  ['EURUSD', 'FxForwards'],
  ['DAX.I', 'StockIndex'],
  ['ESZ6', 'ContractFutures'],
  ['ES:xcme', 'ContractFutures'],
  ['UST-0.625-2030-05', 'Bond'],
  ['GB00B41YBW71', 'MutualFund'],
  ['BTCUSD', 'FxCrypto'],
] as const

test('details contain exactly the fields of the record in that asset type (operation 3)', async () => {
  for (const [symbol, assetType] of wellKnown) {
    const details = await read(`/details/${await identifierOf(symbol, assetType)}/${assetType}`)
    assert.deepEqual(withoutCaller(details), toldOf(symbol, assetType))
  }
})

test('Apple has everything a trade ticket needs (operation 3)', async () => {
  const Uic = await identifierOf('AAPL:xnas', 'Stock')
  const details = await read(`/details/${Uic}/Stock`)
  const { Symbol: symbol, Description, CurrencyCode, AssetType, Format, IsComplex, GroupId, TickSize } = details
  assert.deepEqual(
    { symbol, Description, CurrencyCode, AssetType, Format, IsComplex, GroupId, TickSize, Uic: details.Uic },
    {
      symbol: 'AAPL:xnas',
      Description: 'Apple Inc.',
      CurrencyCode: 'USD',
      AssetType: 'Stock',
      Format: { Decimals: 2, OrderDecimals: 2 },
      IsComplex: false,
      GroupId: 0,
      TickSize: 0.01,
      Uic,
    },
  )
  const { CountryCode, ExchangeId, Name, TimeZoneId } = details.Exchange
  assert.deepEqual([CountryCode, ExchangeId, Name, TimeZoneId], ['US', 'NASDAQ', 'NASDAQ', '3'])
  for (const name of [
    'AmountDecimals',
    'DefaultAmount',
    'IncrementSize',
    'LotSize',
    'LotSizeType',
    'MinimumLotSize',
    'OrderDistances',
    'RelatedOptionRootsEnhanced',
    'StandardAmounts',
    'SupportedOrderTypes',
    'TickSizeScheme',
    'TradingStatus',
  ])
    assert.ok(name in details, `${name} is missing`)
  const cfd = await read(`/details/${Uic}/CfdOnStock`)
  assert.deepEqual(
    [cfd.AssetType, cfd.IsComplex, cfd.SettlementStyle, cfd.Exchange.ExchangeId],
    ['CfdOnStock', true, 'CashDelivery', 'NASDAQ'],
  )
})

test('currencies, indices, futures, bonds and funds have their specific fields (operation 3)', async () => {
  const detailsOf = async (symbol: string, assetType: string) =>
    read(`/details/${await identifierOf(symbol, assetType)}/${assetType}`)
  const forward = await detailsOf('EURUSD', 'FxForwards')
  assert.deepEqual(
    [forward.FxForwardMinForwardDate, forward.FxForwardMaxForwardDate, forward.DisplayHint, forward.Format?.Format],
    ['2026-11-18', '2027-11-18', 'Forex', 'AllowDecimalPips'],
  )
  const spot = await detailsOf('EURUSD', 'FxSpot')
  assert.deepEqual([spot.DefaultSlippageType, spot.OrderDistances?.StopLossDefaultDistanceType], ['Percentage', 'Pips'])
  const index = await detailsOf('DAX.I', 'StockIndex')
  assert.deepEqual([index.DisplayHint, index.Exchange.Name], ['StockIndices', 'Deutsche Börse (Xetra)'])
  const future = await detailsOf('ESZ6', 'ContractFutures')
  assert.deepEqual(
    [future.ExpiryDate, future.ContractSize, future.PriceToContractFactor, future.SettlementStyle, future.TickSize],
    ['2026-12-18', 50, 50, 'CashDelivery', 0.25],
  )
  const parent = await detailsOf('ES:xcme', 'ContractFutures')
  assert.deepEqual([parent.DisplayHint, parent.ExpiryDate, parent.GroupId], ['Continuous', undefined, future.GroupId])
  assert.equal((await detailsOf('UST-0.625-2030-05', 'Bond')).Format?.Format, 'Percentage')
  assert.equal((await detailsOf('GB00B41YBW71', 'MutualFund')).IsRedemptionByAmounts, true)
})

test('an option contract has details (operation 3)', async () => {
  const root = await identifierOf('AAPL:xcbo', 'StockOption')
  const space = await read<OptionSpace>(
    `/contractoptionspaces/${root}?OptionSpaceSegment=SpecificDates&ExpiryDates=2026-12-18`,
  )
  const opened = space.OptionSpace.find(({ SpecificOptions }) => SpecificOptions)
  const put = opened?.SpecificOptions?.find(({ PutCall }) => PutCall === 'Put')
  assert.ok(put)
  const contract = await read(`/details/${put.Uic}/StockOption`)
  const { OptionRootId, OptionSpace: _, RelatedInstruments: _1, GroupId: _2, TradingStatus: _3, ...shared } = space
  assert.deepEqual(contract, {
    ...shared,
    ...put,
    OptionRootId,
    GroupId: 0,
    ExpiryDate: '2026-12-18',
    Symbol: `AAPL/18Z26P${put.StrikePrice}:xcbo`,
    Description: `Apple Inc. - Options 18 Dec 2026 ${put.StrikePrice} Put`,
    TradableAs: ['StockOption'],
  })
  assert.equal(contract.UnderlyingUic, await identifierOf('AAPL:xnas', 'Stock'))
  assert.deepEqual(await errorOf(`/details/${put.Uic}/StockIndexOption`), [404, 'IllegalInstrumentId'])
})

test('FieldGroups adds the fields of its groups, in any case, and ignores unknown groups (operation 3)', async () => {
  const path = `/details/${await identifierOf('AAPL:xnas', 'Stock')}/Stock`
  const plain = await read(path)
  const added = async (query: string) => {
    const details = await read(`${path}?${query}`)
    const names = Object.keys(details).filter((name) => !(name in plain))
    assert.deepEqual(
      { ...details, ...Object.fromEntries(names.map((name) => [name, undefined])) },
      {
        ...plain,
        ...Object.fromEntries(names.map((name) => [name, undefined])),
      },
    )
    return names.sort()
  }
  const groups = ['OrderSetting', 'SupportedOrderTypeSettings', 'TradingSessions']
  for (const group of groups) {
    assert.ok(!(group in plain))
    assert.deepEqual(await added(`FieldGroups=${group.toLowerCase()}`), [group])
  }
  assert.deepEqual(await added('FieldGroups=MarketData,Weather'), [])
  assert.deepEqual(await added('FieldGroups='), [])
  assert.deepEqual(await added(`FieldGroups=${groups.slice(0, 2)}&fieldgroups=TRADINGSESSIONS`), groups)
  const { TradingSessions } = await read(`${path}?FieldGroups=TradingSessions`)
  assert.deepEqual(TradingSessions, await read(path.replace('details', 'tradingschedule')))
})

test('an option contract has field groups too (operation 3)', async () => {
  const root = await identifierOf('SPY:xcbo', 'StockOption')
  const space = await read<OptionSpace>(`/contractoptionspaces/${root}?OptionSpaceSegment=DefaultDates`)
  const uic = space.OptionSpace[0]?.SpecificOptions?.[0]?.Uic
  const details = await read(`/details/${uic}/StockOption?FieldGroups=SupportedOrderTypeSettings,TradingSessions`)
  assert.deepEqual(
    details.SupportedOrderTypeSettings?.map(({ OrderType }) => OrderType),
    details.SupportedOrderTypes,
  )
  assert.deepEqual(details.TradingSessions, await read(`/tradingschedule/${uic}/StockOption`))
})

const tradingAccount = demoKey('account 9226398')
const viewOnlyAccount = demoKey('account 9226400')
const foreignKeys = [demoKey('account 9400001'), demoKey('account of nobody')]

test('AccountKey limits access to that account (operation 3)', async () => {
  const path = `/details/${await identifierOf('AAPL:xnas', 'Stock')}/Stock`
  assert.deepEqual((await read(path)).TradableOn, ['9226397', '9226398'])
  assert.deepEqual((await read(`${path}?AccountKey=${tradingAccount}`)).TradableOn, ['9226398'])
  assert.deepEqual((await read(`${path}?AccountKey=${viewOnlyAccount}`)).TradableOn, [])
  const answers = foreignKeys.map(async (key) => (await get(`${path}?AccountKey=${key}`)).json())
  const [foreign, unknown] = (await Promise.all(answers)) as ErrorBody[]
  assert.deepEqual(foreign, unknown)
  assert.equal(foreign?.ErrorCode, 'NoResultFound')
  assert.match(foreign?.Message ?? '', /AccountKey/)
  assert.deepEqual(await errorOf(`${path}?AccountKey=mine`), [400, 'InvalidModelState', 'AccountKey'])
  assert.deepEqual(await errorOf(`${path}?AccountKey=${tradingAccount}&accountkey=${tradingAccount}`), [
    400,
    'InvalidModelState',
    'AccountKey',
  ])
})

test('ClientKey applies the rights of the caller’s client or one below it (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  const path = `/details/${apple}/Stock`
  const [own, below, foreign] = [demoKey('client ada'), demoKey('client bo'), demoKey('client cy')]
  assert.deepEqual(await read(`${path}?ClientKey=${own}`), await read(path))
  const asBo = await read(`${path}?ClientKey=${below}`)
  assert.deepEqual([asBo.TradableOn, asBo.TradableAs], [['9300101'], ['Stock']])
  assert.deepEqual(await errorOf(`/details/${apple}/CfdOnStock?ClientKey=${below}`), [404, 'IllegalInstrumentId'])
  for (const key of [foreign, demoKey('client of nobody')]) {
    const { ErrorCode, Message } = (await (await get(`${path}?ClientKey=${key}`)).json()) as ErrorBody
    assert.deepEqual([ErrorCode, Message.includes('ClientKey')], ['NoResultFound', true])
  }
  assert.deepEqual(await errorOf(`${path}?ClientKey=${own}`, bo), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf(`${path}?ClientKey=mine`), [400, 'InvalidModelState', 'ClientKey'])
  const account = demoKey('account 9300101')
  assert.deepEqual((await read(`${path}?ClientKey=${below}&AccountKey=${account}`)).TradableOn, ['9300101'])
  assert.deepEqual(await errorOf(`${path}?AccountKey=${account}`), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf(`${path}?ClientKey=${below}&AccountKey=${tradingAccount}`), [404, 'NoResultFound'])
})

test('the path accepts an asset type in any case and a trailing slash (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  const details = await read(`/details/${apple}/Stock`)
  assert.deepEqual(await read(`/DETAILS/${apple}/sTOCK/`), details)
  assert.deepEqual(await errorOf(`/details/${apple}/FxSpot`), [404, 'IllegalInstrumentId'])
  for (const uic of ['999999', '0', '-1', '4294968296', '9007199254740991'])
    assert.deepEqual(await errorOf(`/details/${uic}/Stock`), [404, 'IllegalInstrumentId'], uic)
  assert.deepEqual(await errorOf(`/details/${apple}/Stonk`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf(`/details/${apple}/62`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf('/details/AAPL/Stock'), [400, 'InvalidModelState', 'Uic'])
  assert.deepEqual(await errorOf('/details/1.5/Stock?AccountKey=x&ClientKey=y'), [
    400,
    'InvalidModelState',
    'Uic',
    'AccountKey',
    'ClientKey',
  ])
})

test('returns 304 if the entity tag matches, with every field group (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  for (const path of [`/details/${apple}/Stock`, `/details/${apple}/Stock?FieldGroups=TradingSessions`]) {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^W\/"/)
    const url = `${service.baseUrl}/ref/v1/instruments${path}`
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': etag }
    const again = await fetch(url, { headers })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    for (const answer of [first, again]) {
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
      assert.equal(answer.headers.get('etag'), etag)
    }
    assert.notEqual((await get(path, bo)).headers.get('etag'), etag, 'other rights, another version')
  }
})

test('If-None-Match does not change a 404 (operation 3)', async () => {
  const known = await get(`/details/${await identifierOf('AAPL:xnas', 'Stock')}/Stock`)
  for (const condition of ['*', known.headers.get('etag') ?? '']) {
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': condition }
    const answer = await fetch(`${service.baseUrl}/ref/v1/instruments/details/999999/Stock`, { headers })
    assert.equal(answer.status, 404)
  }
})
