import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, InstrumentSummary } from '../../../instruments/api/schema.ts'
import { type SearchQuery, searchedUic, withUic } from './search.ts'

const query: SearchQuery = {
  Keywords: '1000',
  AssetTypes: [],
  ExchangeId: '',
  Class: '',
  IncludeNonTradable: '',
  $skip: '',
  ByText: '',
}
const details = (AssetType: string, more: object = {}): InstrumentDetails =>
  ({
    Uic: 1000,
    AssetType,
    Symbol: 'AAPL:xnas',
    Description: 'Apple Inc.',
    Exchange: { ExchangeId: 'NASDAQ', Name: 'NASDAQ', CountryCode: 'US' },
    IsComplex: AssetType !== 'Stock',
    ...more,
  }) as InstrumentDetails
const [cfd, stock] = [details('CfdOnStock'), details('Stock')]
const row = (Identifier: number, SummaryType = 'Instrument') => ({ Identifier, SummaryType }) as InstrumentSummary
const rows = (change: Partial<SearchQuery>, Data: InstrumentSummary[] = []) =>
  withUic({ ...query, ...change }, { Data }, [cfd, stock])

test('only a whole number on the first page is a Uic', () => {
  assert.equal(searchedUic(query), '1000')
  for (const Keywords of ['', 'apple', '10 00', '0100', '1.5', '-1', '1234567890'])
    assert.equal(searchedUic({ ...query, Keywords }), undefined, Keywords)
  assert.equal(searchedUic({ ...query, $skip: '25' }), undefined)
  assert.equal(searchedUic({ ...query, ByText: 'true' }), undefined)
})

test('the instrument of the Uic is the only result, in its main asset type, and the others are counted', () => {
  const { Data, __count, byText } = rows({}, [row(7), row(1000), row(1000, 'ContractOptionRoot')])
  assert.deepEqual(
    Data.map(({ Identifier, SummaryType, AssetType }) => [Identifier, SummaryType, AssetType]),
    [[1000, 'Instrument', 'Stock']],
  )
  assert.deepEqual([__count, byText], [1, 2])
  assert.equal(rows({}, [row(7)]).byText, 1)
})

test('filters apply to the instrument of the Uic too', () => {
  const types = (change: Partial<SearchQuery>) => rows(change).Data.map(({ AssetType }) => AssetType)
  assert.deepEqual(types({ AssetTypes: ['CfdOnStock'] }), ['CfdOnStock'])
  assert.deepEqual(types({ AssetTypes: ['Bond'] }), [])
  assert.deepEqual(types({ ExchangeId: 'nasdaq' }), ['Stock'])
  assert.deepEqual(types({ ExchangeId: 'LSE' }), [])
  assert.deepEqual(types({ Class: 'Complex' }), ['CfdOnStock'])
  assert.deepEqual(types({ Class: 'NonComplex' }), ['Stock'])
})
