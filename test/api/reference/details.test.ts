import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, OptionSpace } from '../../../src/instruments/api/schema.ts'
import type { InstrumentRecord } from '../../../src/instruments/import/schema.ts'
import { demoReference } from '../../support/demo.ts'
import { findUic, readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)

const get = (path: string, token = ada) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, token)

const read = <T = InstrumentDetails>(path: string, token = ada): Promise<T> => readOk(get(path, token))

const errorOf = (path: string, token = ada) => readError(get(path, token))

const today = Temporal.PlainDate.from(demoLoadedAt.slice(0, 10))
const records = await demoReference(today)
const recordsBySymbol = new Map(
  records.flatMap((record) => (record.kind === 'instrument' ? [[record.Symbol, record as InstrumentRecord]] : [])),
)

const identifierOf = (symbol: string, assetType: string) => findUic(get, symbol, assetType)

const notOnTheWire = [
  'kind',
  'As',
  'Isin',
  'Aliases',
  'Rank',
  'OneWeekTotalValueChange',
  'OneMonthTotalValueChange',
  'OneYearTotalValueChange',
  'ReferencePrice',
  'CalendarId',
  'Hours',
  'SpotDays',
  'ContinuousFuturesUic',
  'BaseIdentifier',
  'ExchangeId',
  'IssuerCountry',
  'OrderSetting',
  'SupportedOrderTypeSettings',
]

const flags = [
  'IsComplex',
  'IsDmaEnabled',
  'IsExtendedTradingHoursEnabled',
  'IsPEAEligible',
  'IsPEASMEEligible',
  'IsPitTraded',
  'IsRedemptionByAmounts',
  'OptionsChainSubscriptionAllowed',
  'ShortTradeDisabled',
]
const absent = { ...Object.fromEntries(flags.map((flag) => [flag, false])), GroupId: 0, TradingStatus: 'NotDefined' }

/** The details that follow from a record in an asset type, without fields that depend on the caller. */
function toldOf(symbol: string, assetType: string): Record<string, unknown> {
  const record = recordsBySymbol.get(symbol)
  assert.ok(record, `the demo has no ${symbol}`)
  const own = record.As.find((entry) => entry.AssetType === assetType)
  const isForward = assetType === 'FxForwards'
  const underlying = isForward && { UnderlyingAssetType: 'FxSpot', UnderlyingUic: record.Uic }
  const all: Record<string, unknown> = {
    ...absent,
    PriceCurrency: record.CurrencyCode,
    ...(['Stock', 'Etf'].includes(record.As[0]?.AssetType ?? '') && { PrimaryListing: record.Uic }),
    ...underlying,
    ...record,
    ...own,
  }
  all.Format &&= { PriceCurrency: all.PriceCurrency, ...all.Format }
  if (typeof all.ExpiryDateTime === 'string') all.ExpiryDateTime = all.ExpiryDateTime.replace('Z', '.000000Z')
  if (typeof all.IssueDate === 'string') all.IssueDate += 'T00:00:00Z'
  return Object.fromEntries(Object.entries(all).filter(([name]) => !notOnTheWire.includes(name)))
}

function withoutCaller(details: InstrumentDetails): Record<string, unknown> {
  const { Exchange: _, IsTradable: _1, NonTradableReason: _2, TradableOn: _3, TradableAs: _4, ...others } = details
  // Computed every day.
  const { FxForwardMinForwardDate: _5, FxForwardMaxForwardDate: _6, FxSpotDate: _7, ...rest } = others
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
      Format: { Decimals: 2, OrderDecimals: 2, PriceCurrency: 'USD' },
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
  const { OptionRootId, OptionSpace: _, RelatedInstruments: _1, GroupId: _2, TradingStatus: _3, ...others } = space
  const { GroupOptionRootId: _4, RelatedOptionRootsEnhanced: _5, ...shared } = others
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
