import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkExchange, checkInstrument, checkOptionRoot, hasCheckDigit } from './checks.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from './schema.ts'

function errorsOf<Record>(
  check: (record: Record, reportError: (field: string) => void) => void,
  record: Record,
): string[] {
  const fields: string[] = []
  check(record, (field) => fields.push(field))
  return fields
}

const exchange: ExchangeRecord = {
  ExchangeId: 'X',
  Name: 'X',
  CountryCode: 'GB',
  TimeZone: 'Europe/London',
  Hours: [{ Days: ['Mon', 'Tue'], Start: '08:00', End: '16:30' }],
}
const described = { Symbol: 'S', Description: 'D', CurrencyCode: 'GBP', ExchangeId: 'X' }
const instrument: InstrumentRecord = { Uic: 1, ...described, As: [{ AssetType: 'Stock' }] }
const option = { PutCall: 'Call', StrikePrice: 1 } as const
const root: OptionRootRecord = {
  OptionRootId: 1,
  AssetType: 'StockOption',
  ...described,
  Series: [{ Expiry: '2027-01-15', LastTradeDate: '2027-01-15T20:00:00Z', Options: [{ ...option, Uic: 1 }] }],
}

test('valid records have no errors', () => {
  assert.deepEqual(errorsOf(checkExchange, exchange), [])
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Isin: 'US0378331005' }), [])
  assert.deepEqual(errorsOf(checkOptionRoot, root), [])
})

test('rejects a time zone that is not an IANA name in its canonical spelling', () => {
  for (const TimeZone of ['Europe/Atlantis', '+01:00', '', 'Mars', 'europe/london', 'utc'])
    assert.deepEqual(errorsOf(checkExchange, { ...exchange, TimeZone }), ['TimeZone'], TimeZone)
})

test('rejects hours that end before they start, and repeated days', () => {
  const hours = (more: object) => ({
    ...exchange,
    Hours: [{ Days: ['Mon' as const], Start: '17:00', End: '16:00', ...more }],
  })
  assert.deepEqual(errorsOf(checkExchange, hours({})), ['Hours[0].End'])
  assert.deepEqual(errorsOf(checkExchange, hours({ End: '17:00' })), ['Hours[0].End'])
  assert.deepEqual(errorsOf(checkExchange, hours({ StartsDayBefore: true })), [])
  assert.deepEqual(errorsOf(checkExchange, hours({ End: '18:00', Days: ['Mon', 'Mon'] })), ['Hours[0].Days'])
})

test('rejects overlapping hours within a day, across midnight and across the week', () => {
  const period = (Days: string[], Start: string, End: string, StartsDayBefore = false) =>
    ({ Days, Start, End, StartsDayBefore }) as NonNullable<InstrumentRecord['Hours']>[number]
  const overlapping = [
    [period(['Mon'], '08:00', '18:00'), period(['Mon'], '09:00', '17:00')],
    [period(['Mon'], '09:00', '17:00'), period(['Tue', 'Mon'], '16:59', '18:00')],
    [period(['Mon'], '12:00', '24:00'), period(['Tue'], '18:00', '17:00', true)],
    [period(['Sun'], '12:00', '24:00'), period(['Mon'], '18:00', '17:00', true)],
  ]
  for (const Hours of overlapping) assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Hours }), ['Hours[1]'])
  const [mornings, evenings] = [period(['Mon', 'Tue'], '09:00', '12:00'), period(['Tue', 'Mon'], '12:00', '24:00')]
  const nights = period(['Mon', 'Tue', 'Wed'], '17:00', '17:00', true)
  for (const Hours of [[evenings, mornings], [nights], [period(['Sun'], '00:00', '24:00'), mornings]])
    assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Hours }), [])
})

test('a future needs an expiry date and a continuous future other than itself', () => {
  const future = { ...instrument, ContinuousFuturesUic: 2, ExpiryDate: '2027-03-19' }
  assert.deepEqual(errorsOf(checkInstrument, future), [])
  assert.deepEqual(errorsOf(checkInstrument, { ...future, ContinuousFuturesUic: 1 }), ['ContinuousFuturesUic'])
  const { ExpiryDate, ...without } = future
  const As: InstrumentRecord['As'] = [{ AssetType: 'ContractFutures' }, { AssetType: 'CfdOnFutures', ExpiryDate }]
  assert.deepEqual(errorsOf(checkInstrument, { ...without, As }), ['ExpiryDate'])
  assert.deepEqual(errorsOf(checkInstrument, { ...without, As: As.toReversed() }), [])
})

test('rejects a blank alias', () => {
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Aliases: ['Google', ' '] }), ['Aliases[1]'])
})

test('rejects identifiers without a value or type, and ISINs among them', () => {
  const Identifiers = [
    { Type: 'CUSIP', Value: '037833100' },
    { Type: 'Isin', Value: 'US0378331005' },
    { Type: ' - ', Value: '1' },
    { Type: 'Our own', Value: ' ' },
  ]
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Identifiers }), [
    'Identifiers[1].Type',
    'Identifiers[2].Type',
    'Identifiers[3].Value',
  ])
})

test('rejects a blank description', () => {
  const As: InstrumentRecord['As'] = [{ AssetType: 'Stock', Description: ' ' }]
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Description: ' ', As }), [
    'Description',
    'As[0].Description',
  ])
  assert.deepEqual(errorsOf(checkOptionRoot, { ...root, Description: ' ' }), ['Description'])
})

test('rejects an ISIN with a wrong check digit', () => {
  for (const isin of ['US0378331005', 'GB0002634946', 'DE0007164600', 'AU0000XVGZA3'])
    assert.ok(hasCheckDigit(isin), isin)
  for (const isin of ['US0378331006', 'US0373831005']) assert.ok(!hasCheckDigit(isin), isin)
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, Isin: 'US0378331006' }), ['Isin'])
})

test('required fields may be on the record or in the entry of As', () => {
  const { Symbol: _, ...without } = instrument
  assert.deepEqual(errorsOf(checkInstrument, without), ['As[0].Symbol'])
  assert.deepEqual(errorsOf(checkInstrument, { ...without, As: [{ AssetType: 'Stock', Symbol: 'S' }] }), [])
})

test('rejects repeated asset types and option types in As', () => {
  const As: InstrumentRecord['As'] = [{ AssetType: 'Stock' }, { AssetType: 'Stock' }, { AssetType: 'StockOption' }]
  assert.deepEqual(errorsOf(checkInstrument, { ...instrument, As }), ['As[1].AssetType', 'As[2].AssetType'])
})

test('rejects a root without required fields, and repeated expiries, terms and Uics', () => {
  const { ExchangeId: _, ...without } = root
  assert.deepEqual(errorsOf(checkOptionRoot, without), ['ExchangeId'])
  const [series] = root.Series
  const Series = [
    {
      Expiry: '2027-01-15',
      Options: [
        { ...option, Uic: 1 },
        { ...option, Uic: 2 },
      ],
    },
    { Expiry: '2027-01-15', LastTradeDate: '2026-12-31T23:59:60Z', Options: series?.Options ?? [] },
  ]
  assert.deepEqual(errorsOf(checkOptionRoot, { ...root, Series }), [
    'Series[0].Options[1]',
    'Series[1].Expiry',
    'Series[1].LastTradeDate',
    'Series[1].Options[0].Uic',
  ])
})
