import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentDetails } from '../../../instruments/api/schema.ts'
import { fieldHelp } from './field-help.ts'
import { aboutGroups, fieldCard, fieldValue, orderTypes, placedFields, tradingGroups } from './fields.ts'

const members = Object.keys(InstrumentDetails.properties).toSorted()

test('every member of the details has one place on the page, a name and a sentence', () => {
  const placed = [...[...aboutGroups, ...tradingGroups].flatMap(({ fields }) => fields), ...placedFields]
  assert.deepEqual(placed.toSorted(), members)
  assert.deepEqual(Object.keys(fieldHelp).toSorted(), members)
  for (const [name, [label, sentence]] of Object.entries(fieldHelp)) {
    assert.match(label, /^[A-Z][\w ]+$/, name)
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

/** The text of a field, as it is read; what leads elsewhere is written #uic. */
function textOf(name: keyof InstrumentDetails, more: Partial<InstrumentDetails>): string | undefined {
  const value = fieldValue(name, { ...details, ...more }, links)
  return value === undefined
    ? undefined
    : String(value)
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
}

test('values are told as people read them, with their units and without what says nothing', () => {
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
  const told = [
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
    textOf('StrikePrice', { StrikePrice: 1234.5 }),
    textOf('NoticeDate', {}),
  ]
  assert.deepEqual(told, [
    'Ticks by price Price Tick up to 1 0.005 up to 3 0.01 above 3 0.05',
    'always 0.25',
    '0.5 % for an order that opens a position 50 pips for an order that bounds a loss (stop if traded) ' +
      'a stop loss and a take profit proposed with every order',
    'Allow decimal pips, 4 decimals, 1 in strikes',
    'at most 50,000, worth at least 10 EUR',
    '5 ticks',
    undefined,
    undefined,
    '#8',
    'chain 9',
    'this one',
    'No',
    '1,234.5',
    undefined,
  ])
})

test('a card without facts is left out, and so is the table of orders where there are none', () => {
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
  assert.match(orders, /Limit<\/th><td><span class="yes">yes/)
  assert.match(orders, /Market<\/th><td><span class="quiet">no/)
})
