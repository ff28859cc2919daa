import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentRecord } from '../../import/schema.ts'
import { detailsText, ownText, type RowFields, rowsOf, templateKey } from './row-fields.ts'

const names = { Symbol: 'X', Description: 'X', CurrencyCode: 'GBP', ExchangeId: 'X' }

/** The details of a record by asset type, without flags that it does not have. */
function detailsOf(record: Omit<InstrumentRecord, 'Uic'>): Record<string, Record<string, unknown>> {
  const rows = rowsOf({ ...names, Uic: 7, ...record })
  return Object.fromEntries(
    rows.map((row) => {
      const all: Record<string, unknown> = JSON.parse(`{${ownText(row)},${detailsText(row)}}`)
      return [row.AssetType, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== false))]
    }),
  )
}

test('instants are sent in UTC with six digits, and days of issue as midnight', () => {
  const { Stock } = detailsOf({
    As: [{ AssetType: 'Stock' }],
    ExpiryDateTime: '2026-12-18T08:30:00-06:00',
    IssueDate: '2020-05-15',
    IpoDetails: { ListingDate: '2026-12-01T09:00:00+01:00', Denominations: [100, 200], MaxLotSize: 5 },
  })
  assert.equal(Stock?.ExpiryDateTime, '2026-12-18T14:30:00.000000Z')
  assert.equal(Stock?.IssueDate, '2020-05-15T00:00:00Z')
  assert.deepEqual(Stock?.IpoDetails, {
    ListingDate: '2026-12-01T08:00:00.000000Z',
    Denominations: [100, 200],
    MaxLotSize: 5,
  })
})

test('prices are in the currency of the instrument unless the record has another', () => {
  const Format = { Decimals: 2, Format: 'Normal' } as const
  const { Stock, Etf } = detailsOf({
    As: [{ AssetType: 'Stock', PriceCurrency: 'GBX', Format }, { AssetType: 'Etf' }],
  })
  assert.deepEqual([Stock?.PriceCurrency, Stock?.Format], ['GBX', { Decimals: 2, PriceCurrency: 'GBX' }])
  assert.deepEqual([Etf?.PriceCurrency, Etf?.Format], ['GBP', undefined])
})

test('forwards, swaps and options on a currency pair have it as underlying', () => {
  const types = ['FxSpot', 'FxForwards', 'FxSwap', 'FxVanillaOption', 'FxKnockOutOption'] as const
  const pair = detailsOf({ As: types.map((AssetType) => ({ AssetType })) })
  assert.deepEqual(
    types.map((type) => pair[type]?.UnderlyingAssetType),
    [undefined, 'FxSpot', 'FxSpot', 'FxSpot', 'FxSpot'],
  )
  assert.deepEqual(
    rowsOf({ ...names, Uic: 7, As: types.map((AssetType) => ({ AssetType })) }).map((row) => row.UnderlyingUic),
    [undefined, 7, 7, 7, 7],
  )

  const [other] = rowsOf({ ...names, Uic: 7, UnderlyingUic: 8, As: [{ AssetType: 'FxForwards' }] })
  assert.equal(other?.UnderlyingUic, 8)
})

test('a listed security without a primary listing is its own, in every asset type', () => {
  const primaries = (record: Partial<InstrumentRecord> & Pick<InstrumentRecord, 'As'>) =>
    rowsOf({ ...names, Uic: 7, ...record }).map(({ PrimaryListing }) => PrimaryListing)
  const share = [{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }] as const
  assert.deepEqual(primaries({ As: [...share] }), [7, 7])
  assert.deepEqual(primaries({ As: [...share], PrimaryListing: 8 }), [8, 8])
  assert.deepEqual(primaries({ As: [{ AssetType: 'FxSpot' }] }), [undefined])
})

test('only rows with equal template fields share a template', () => {
  const keyOf = (record: Partial<RowFields>) => templateKey({ ...names, AssetType: 'Stock', ...record } as RowFields)
  assert.equal(keyOf({ Description: 'One', Legs: [] }), keyOf({ Description: 'Other' }))
  const keys = [
    keyOf({}),
    keyOf({ LotSizeText: '1' }),
    keyOf({ LotSize: 1 }),
    keyOf({ LotSizeText: '1,TickSize:2' }),
    keyOf({ LotSizeText: '1', TickSize: 2 }),
    keyOf({ StandardAmounts: [1] }),
    keyOf({ StandardAmounts: [1, 2] }),
  ]
  assert.equal(new Set(keys).size, keys.length)
})
