import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, InstrumentSummary } from '../../../src/instruments/api/schema.ts'
import { readOk } from '../../support/reference/rest.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)
const read = <Row>(path: string) =>
  readOk<{ Data: Row[] }>(getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada)).then(({ Data }) => Data)

const rowsOf = (assetType: string) =>
  read<InstrumentSummary>(`?AssetTypes=${assetType}&IncludeNonTradable=true&$top=1000`)

test('every listed security names itself or another listing of the same security as its primary listing', async () => {
  for (const assetType of ['Stock', 'Etf', 'Etc', 'Etn', 'Fund', 'Rights', 'CompanyWarrant', 'CfdOnStock']) {
    const rows = await rowsOf(assetType)
    assert.ok(rows.length > 0, assetType)
    const primaries = new Set(rows.map(({ Identifier }) => Identifier))
    for (const { Identifier, PrimaryListing, GroupId, Symbol: symbol } of rows) {
      assert.ok(PrimaryListing !== undefined && primaries.has(PrimaryListing), symbol)
      assert.ok(PrimaryListing === Identifier || GroupId === PrimaryListing, symbol)
    }
  }
  const stocks = new Map((await rowsOf('Stock')).map((row) => [row.Symbol, row]))
  const primaryOf = (symbol: string) => stocks.get(symbol)?.PrimaryListing
  const uicOf = (symbol: string) => stocks.get(symbol)?.Identifier
  assert.equal(primaryOf('AAPL:xnas'), uicOf('AAPL:xnas'))
  assert.equal(primaryOf('TSM:xnys'), uicOf('TSM:xnys'), 'an ADR of a company without another listing here')
  assert.equal(primaryOf('NVO:xnys'), uicOf('NOVO-B:xcse'), 'an ADR of a company that is listed at home')
})

test('details have the same primary listing as search; other instruments have none', async () => {
  const [apple] = await read<InstrumentDetails>('/details?Uics=1000&AssetTypes=Stock')
  assert.equal(apple?.PrimaryListing, 1000)
  for (const assetType of ['FxSpot', 'Bond', 'StockIndex', 'CfdOnIndex', 'MutualFund', 'ContractFutures'])
    for (const row of await rowsOf(assetType)) assert.equal(row.PrimaryListing, undefined, row.Symbol)
})
