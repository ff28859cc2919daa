import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fields } from '../../../instruments/api/fields/fields.ts'
import { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { fieldCard, fieldValue, orderTypes } from './fields.ts'

const members = Object.keys(InstrumentDetails.properties).toSorted()

test('every field of the details has a label and a sentence', () => {
  assert.deepEqual(Object.keys(fields).toSorted(), members)
  for (const [name, { label, sentence }] of Object.entries(fields)) {
    assert.match(label, /^[A-Z][\w -]+$/, name)
    assert.match(sentence, /^[A-Z].+\.$/, name)
  }
})

const details = {
  Uic: 7,
  AssetType: 'StockOption',
  Exchange: { CountryCode: 'US', ExchangeId: 'CBOE', Name: 'Cboe' },
  IsTradable: true,
  NonTradableReason: 'None',
  TradableOn: ['1'],
} satisfies InstrumentDetails

const links = { instrument: (uic: number) => `#${uic}`, chain: (id: number) => `chain ${id}` }

/** The text of a field; a link to an instrument is written #uic. */
function textOf(name: keyof InstrumentDetails, more: Partial<InstrumentDetails>): string | undefined {
  const value = fieldValue(name, { ...details, ...more }, links)
  return value === undefined
    ? undefined
    : String(value)
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
}

test('formats values with their units and hides empty ones', () => {
  const ticks = {
    DefaultTickSize: 0.05,
    Elements: [
      { HighPrice: 1, TickSize: 0.005 },
      { HighPrice: 3, TickSize: 0.01 },
    ],
  }
  const distances = {
    EntryDefaultDistance: 0.5,
    EntryDefaultDistanceType: 'Percentage',
    StopLossDefaultDistance: 50,
    StopLossDefaultDistanceType: 'Pips',
    StopLossDefaultOrderType: 'StopIfTraded',
    StopLossDefaultEnabled: true,
    TakeProfitDefaultEnabled: true,
  } as const
  const shown = [
    textOf('TickSizeScheme', { TickSizeScheme: ticks }),
    textOf('TickSizeScheme', { TickSizeScheme: { DefaultTickSize: 0.25 } }),
    textOf('OrderDistances', { OrderDistances: distances }),
    textOf('Format', { Format: { Decimals: 4, OrderDecimals: 4, StrikeDecimals: 1, Format: 'AllowDecimalPips' } }),
    textOf('OrderSetting', { OrderSetting: { Currency: 'EUR', MaxOrderSize: 50_000, MinOrderValue: 10 } }),
    textOf('DefaultSlippage', { DefaultSlippage: 5, DefaultSlippageType: 'Ticks' }),
    textOf('DefaultSlippageType', { DefaultSlippageType: 'Ticks' }),
    textOf('DisplayHint', { DisplayHint: 'None' }),
    textOf('UnderlyingUic', { UnderlyingUic: 8 }),
    textOf('OptionRootId', { OptionRootId: 9 }),
    textOf('PrimaryListing', { PrimaryListing: 7 }),
    textOf('IsComplex', { IsComplex: false }),
    textOf('IsPEAEligible', { IsPEAEligible: false }),
    textOf('IsPEAEligible', { IsPEAEligible: true }),
    textOf('TradingStatus', { TradingStatus: 'NotDefined' }),
    textOf('Coupon', { Coupon: 0.625 }),
    textOf('BondType', { BondType: 'NonInflationLinked' }),
    textOf('BondType', { BondType: 'InflationLinked' }),
    textOf('BondType', { BondType: 'FloatingRateNote' }),
    textOf('LotSizeType', { LotSizeType: 'NotUsed', LotSize: 1000 }),
    textOf('LotSizeType', { LotSizeType: 'OddLotsNotAllowed' }),
    textOf('CutOffTimeForRedemptions', { CutOffTimeForRedemptions: '10:00:00' }),
    textOf('ExerciseCutOffTime', { ExerciseCutOffTime: '17:30:15' }),
    textOf('Format', { Format: { Decimals: 5, BarrierDecimals: 4, NumeratorDecimals: 1 } }),
    textOf('PriceCurrency', { CurrencyCode: 'GBP', PriceCurrency: 'GBX' }),
    textOf('PriceCurrency', { CurrencyCode: 'GBP', PriceCurrency: 'GBP' }),
    textOf('ExpiryDateTime', { ExpiryDateTime: '2026-12-18T14:30:00.000000Z' }),
    textOf('IpoDetails', { IpoDetails: { ListingDate: '2026-12-18T08:00:00.000000Z', Denominations: [100, 2500] } }),
    textOf('Legs', { Legs: [{ LegNumber: 1, Uic: 8, AssetType: 'ContractFutures', BuySell: 'Buy', Multiplier: 2 }] }),
    textOf('IssueDate', { IssueDate: '2020-05-15T00:00:00Z' }),
    textOf('DeflationFloorProtectionType', { DeflationFloorProtectionType: { Key: 'Floor', Value: 'At face value.' } }),
    textOf('StrikePrice', { StrikePrice: 1234.5 }),
    textOf('NoticeDate', {}),
  ]
  assert.deepEqual(shown, [
    'Ticks by price Price Tick up to 1 0.005 up to 3 0.01 above 3 0.05',
    'always 0.25',
    '0.5 % for an entry order 50 pips for a stop-loss order (stop if traded) stop loss and take profit suggested with every order',
    'Decimal pips, 4 decimals, 1 in strikes',
    'at most 50,000, worth at least 10 EUR',
    '5 ticks',
    undefined,
    undefined,
    '#8',
    'chain 9',
    'this one',
    'No',
    undefined,
    '✓ yes',
    undefined,
    '0.625 %',
    'Not inflation-linked',
    'Inflation-linked',
    'Floating rate note',
    undefined,
    'not allowed',
    '10:00',
    '17:30:15 exchange time',
    '5 decimals, 4 in barriers, 1 in numerators',
    'GBX',
    undefined,
    '18 Dec 2026, 14:30 UTC',
    'Listing date: 18 Dec 2026, 08:00 UTC Denominations: 100 · 2,500',
    'Buy 2 × #8',
    '15 May 2020',
    'At face value.',
    '1,234.5',
    undefined,
  ])
})

test('omits a card without fields and an empty table of orders', () => {
  assert.equal(fieldCard({ title: 'Terms', fields: ['PutCall', 'NoticeDate'] }, details, links), undefined)
  assert.equal(orderTypes(details), undefined)
  const settings = [{ OrderType: 'Limit', DurationTypes: ['DayOrder'] }] as const
  const orders = String(
    orderTypes({
      ...details,
      SupportedOrderTypes: ['Limit', 'Market'],
      SupportedOrderTypeSettings: [...settings].map((one) => ({ ...one, DurationTypes: [...one.DurationTypes] })),
    }),
  )
  assert.match(orders, /Limit<\/th><td><span class="yes" aria-hidden="true">✓/)
  assert.match(orders, /Market<\/th><td><span class="unseen">no/)
})
