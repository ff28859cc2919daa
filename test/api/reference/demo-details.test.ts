import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Compile } from 'typebox/compile'
import { InstrumentDetails } from '../../../src/instruments/api/schema.ts'
import { readOk } from '../../support/reference/rest.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

/** Every instrument of the demo in every asset type, as a strict client checks it. */
const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)

type Page = { Data: InstrumentDetails[]; __count: number; __next?: string }

const groups = 'OrderSetting,SupportedOrderTypeSettings'
const rows: InstrumentDetails[] = []
const rowsOf = (type: RegExp) => rows.filter(({ AssetType }) => type.test(AssetType))
const nameOf = ({ Symbol: symbol, AssetType }: InstrumentDetails) => `${symbol} ${AssetType}`

before(async () => {
  const first = `${service.baseUrl}/ref/v1/instruments/details?$top=1000&FieldGroups=${groups}`
  const types =
    'Bond,CfdOnEtc,CfdOnEtf,CfdOnEtn,CfdOnFutures,CfdOnIndex,CfdOnStock,CompanyWarrant,ContractFutures,Etc,Etf,Etn,' +
    'FxCrypto,FxForwards,FxKnockInOption,FxKnockOutOption,FxSpot,FxSwap,FxVanillaOption,MutualFund,Rights,' +
    'SrdOnEtf,SrdOnStock,Stock,StockIndex,Warrant'
  let url: string | undefined = `${first}&AssetTypes=${types}`
  while (url !== undefined) {
    const page: Page = await readOk(getRest('', url, ada))
    rows.push(...page.Data)
    url = page.__next
  }
  assert.ok(rows.length > 1_500, `${rows.length} rows`)
})

test('every row follows the schema, enumerations included', () => {
  const schema = Compile(InstrumentDetails)
  const wrong = rows.filter((row) => !schema.Check(row)).map((row) => [nameOf(row), schema.Errors(row)])
  assert.deepEqual(wrong.slice(0, 5), [])
})

test('every row has all flags', () => {
  const flags = [
    'IsComplex',
    'IsDmaEnabled',
    'IsExtendedTradingHoursEnabled',
    'IsPEAEligible',
    'IsPEASMEEligible',
    'IsPitTraded',
    'IsRedemptionByAmounts',
    'IsTradable',
    'OptionsChainSubscriptionAllowed',
    'ShortTradeDisabled',
  ] as const
  for (const row of rows) for (const flag of flags) assert.equal(typeof row[flag], 'boolean', `${nameOf(row)} ${flag}`)

  const having = (flag: (typeof flags)[number]) => [
    ...new Set(rows.filter((row) => row[flag]).map((row) => row.AssetType)),
  ]
  assert.deepEqual(having('ShortTradeDisabled').toSorted(), ['Bond', 'MutualFund'])
  assert.deepEqual(having('IsPEAEligible'), ['Stock'])
  const extended = rows.filter(({ IsExtendedTradingHoursEnabled }) => IsExtendedTradingHoursEnabled)
  assert.deepEqual([...new Set(extended.map(({ Exchange }) => Exchange.CountryCode))], ['US'])
})

test('every bond has its coupon, issue and maturity, which its name repeats', () => {
  const bonds = rowsOf(/^Bond$/)
  assert.ok(bonds.length > 100)
  for (const bond of bonds) {
    const { BondType, CouponType, Coupon, IssueDate = '', ExpiryDate = '', BondIndexRatio = 0, Description = '' } = bond
    const [, coupon, end = ''] = / ([\d.]+)% (\d\d \w{3} \d{4})$/.exec(Description) ?? []
    assert.equal(Coupon, Number(coupon), Description)
    assert.equal(ExpiryDate, new Date(`${end} UTC`).toISOString().slice(0, 10), Description)
    assert.match(IssueDate, /^\d{4}-\d\d-\d\dT00:00:00Z$/, Description)
    assert.ok(IssueDate.slice(0, 10) < ExpiryDate, Description)
    assert.equal(CouponType, 'Fixed', Description)
    const isLinked = /Inflation-Indexed/.test(Description)
    assert.equal(BondType, isLinked ? 'InflationLinked' : 'NonInflationLinked', Description)
    assert.equal(BondIndexRatio > 1, isLinked, Description)
    assert.equal('DeflationFloorProtectionType' in bond, isLinked, Description)
  }
  assert.equal(bonds.filter(({ BondType }) => BondType === 'InflationLinked').length, 2)
})

test('every mutual fund says by when and how it is bought and redeemed', () => {
  const funds = rowsOf(/^MutualFund$/)
  assert.ok(funds.length >= 40)
  for (const fund of funds) {
    assert.match(fund.CutOffTimeForSubscriptions ?? '', /^1[0-3]:00:00$/, nameOf(fund))
    assert.equal(fund.CutOffTimeForRedemptions, fund.CutOffTimeForSubscriptions, nameOf(fund))
    assert.deepEqual([fund.SubscriptionDays, fund.RedemptionDays], [3, 3], nameOf(fund))
    assert.equal(fund.MinimumTradeSizeCurrency, fund.CurrencyCode, nameOf(fund))
  }
})

test('currency pairs have ticks by order, and their forwards, swaps and options the pair as underlying', () => {
  const pairs = rowsOf(/^Fx(?!Crypto)/)
  for (const row of pairs) {
    assert.ok(row.TickSizeLimitOrder && row.TickSizeStopOrder, nameOf(row))
    assert.ok(row.TickSizeStopOrder <= row.TickSizeLimitOrder, nameOf(row))
    const underlying = [row.UnderlyingUic, row.UnderlyingAssetType]
    assert.deepEqual(underlying, row.AssetType === 'FxSpot' ? [undefined, undefined] : [row.Uic, 'FxSpot'], nameOf(row))
    assert.equal(row.FxSpotDate, `${row.FxForwardMinForwardDate}T00:00:00Z`, nameOf(row))
    if (/Knock/.test(row.AssetType)) assert.ok(row.Format?.BarrierDecimals !== undefined, nameOf(row))
  }
  const guaranteed = rows.filter(({ SupportedOrderTypes = [] }) => SupportedOrderTypes.includes('GuaranteedStop'))
  assert.ok(guaranteed.some(({ Symbol: symbol }) => symbol === 'EURUSD'))
  for (const row of rows)
    assert.equal(row.MaxGuaranteedStopOrderSize !== undefined, guaranteed.includes(row), nameOf(row))
})

test('prices have a currency, which the format repeats', () => {
  for (const row of rows) {
    assert.ok(row.PriceCurrency, nameOf(row))
    assert.equal(row.Format?.PriceCurrency, row.PriceCurrency, nameOf(row))
  }
  const inPence = rows.find(({ Symbol: symbol }) => symbol === 'SHEL:xlon')
  assert.deepEqual([inPence?.CurrencyCode, inPence?.PriceCurrency], ['GBP', 'GBX'])
})

test('futures say when they expire and what a lot is, and CFDs on them what they count', () => {
  const futures = rowsOf(/^(ContractFutures|CfdOnFutures)$/)
  for (const row of futures.filter(({ DisplayHint }) => DisplayHint !== 'Continuous')) {
    assert.equal(row.ExpiryDateTime?.slice(0, 10), row.ExpiryDate, nameOf(row))
    assert.ok(row.LotSizeText, nameOf(row))
    assert.equal(row.IsPitTraded, false, nameOf(row))
    const units = [row.TradingUnitsSingular, row.TradingUnitsPlural].filter((unit) => unit)
    assert.equal(units.length, row.AssetType === 'CfdOnFutures' ? 2 : 0, nameOf(row))
  }
  const named = (symbol: string) => futures.find((row) => row.Symbol === symbol)
  assert.equal(named('ESZ6')?.ExpiryDateTime, '2026-12-18T14:30:00.000000Z')
  assert.equal(named('ESU7')?.ExpiryDateTime, '2027-09-17T13:30:00.000000Z')
  assert.equal(named('ZNZ6')?.Format?.NumeratorDecimals, 1)
})
