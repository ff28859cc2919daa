import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { html } from '../../../http/html/html.ts'
import type { OptionSpace } from '../../../instruments/api/schema.ts'
import { headingOf, nameOf } from '../pages/names.ts'
import { ladder, ladderRows } from './ladder.ts'
import { chainPage } from './option-chain.ts'
import { ladderOf, moneyOf, moneyStrike, strikeText } from './option-chain-series.ts'

const shown = { DisplayDaysToExpiry: 0, DisplayExpiry: '2026-12-01', Expiry: '2026-12-18' }
const root: OptionSpace = {
  OptionRootId: 7,
  AssetType: 'StockOption',
  CurrencyCode: 'USD',
  Description: 'Acme <b>options</b>',
  Exchange: { CountryCode: 'US', ExchangeId: 'CBOE', Name: 'Cboe' },
  Format: { StrikeDecimals: 1 },
  IsTradable: true,
  NonTradableReason: 'None',
  OptionSpace: [shown],
  TradableOn: [],
}
const pageOf = (count: number, price?: number, terms: Partial<OptionSpace> = {}) => {
  const space = { ...root, ...terms }
  const rungs = ladderOf(
    Array.from({ length: count }, (_, index) => ({
      StrikePrice: index + 1,
      PutCall: 'Call',
      Uic: 1000 + index,
      TradingStatus: (['ReduceOnly', 'NotDefined'] as const)[index] ?? 'Tradable',
    })),
  )
  const moneyAt = price === undefined ? undefined : moneyOf(space, price)
  return chainPage({
    why: undefined,
    root: space,
    shown,
    monthly: new Set(),
    rungs,
    tabs: undefined,
    underlying: { Uic: 1, AssetType: 'Stock', name: 'Acme' },
    price,
    moneyAt,
    money: moneyAt === undefined ? undefined : moneyStrike(rungs, moneyAt),
    allStrikes: count,
    range: { from: undefined, to: undefined },
    row: undefined,
    overview: html``,
    zone: 'UTC',
  }).toString()
}
const lines = (page: string) => page.match(/<th scope="row"/g)?.length ?? 0

test('without script a long ladder has pages; the first has the money in its middle', () => {
  const near = pageOf(100, 50)
  assert.equal(lines(near), 31)
  assert.match(near, /Strikes 35–65 of 100/)
  assert.match(near, /row=3">Lower strikes<.*row=65">Higher strikes</)
  assert.match(near, /<tr class="money">/)
  assert.match(pageOf(100), /Strikes 36–66 of 100/)
})

test('a chain of 10,000 contracts is a short page, and all its rows fit in one small answer', () => {
  const rungs = ladderOf(
    Array.from({ length: 10_000 }, (_, index) => ({
      ...{ StrikePrice: 5 + Math.floor(index / 2) / 2, PutCall: index % 2 === 0 ? 'Call' : 'Put' },
      ...{ Uic: 61_000_000 + index, TradingStatus: 'Tradable' as const },
    })),
  )
  const range = { from: undefined, to: undefined }
  const view = { root, expiry: '2026-12-18', caption: '', rungs, moneyAt: 260, money: 260, range, row: undefined }
  const rows = ladderRows(view)
  assert.equal(rows.length, 5_000)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  assert.ok(brotliCompressSync(JSON.stringify(rows), { params }).length < 30 * 1024)
  const page = ladder(view).toString()
  assert.ok(page.split('<tr').length < 50, 'rows in the page')
  assert.match(page, /aria-rowcount="5001"/)
  assert.match(page, /at the money/)
  assert.match(page, /of 5,000/)
})

test('what is in the money is marked on both sides, and only an unusual status is shown', () => {
  const page = pageOf(3, 2)
  assert.equal(lines(page), 3)
  assert.match(page, /<td class="c itm"><bdi class="num copy-value" data-what="Uic">1000</)
  assert.match(page, /<td class="c"><bdi class="num copy-value" data-what="Uic">1002</)
  assert.match(page, /Call 1\.0<\/span><\/a> <span class="tag warn">Reduce only</)
  assert.doesNotMatch(page, /Not defined|>Tradable</)
  assert.match(page, /expires today, by the date at <bdi>Cboe</)
})

test('without a reference price nothing is at the money, and an empty expiry says so', () => {
  const short = pageOf(2)
  assert.match(short, /has no reference price in the currency of the strikes/)
  assert.match(short, />none</)
  assert.doesNotMatch(short, /class="money"|itm|<b>/)
  assert.match(pageOf(0), /No visible options have this expiry/)
})

test('explains where an adjusted contract is at the money, if that is known', () => {
  const terms = { ContractSize: 12, PriceToContractFactor: 100 }
  const adjusted = pageOf(40, 307.2, terms)
  assert.match(adjusted, /delivers 12 units but its strikes are multiplied by 100, so at the money is <strong>36\.864</)
  assert.match(adjusted, />37\.0 <small>at the money</)
  const inPence = pageOf(40, 307.2, { ...terms, PriceCurrency: 'USX' })
  assert.match(inPence, /cannot be compared with these strikes/)
  assert.doesNotMatch(inPence, /<small>at the money</)
})

test('formats strikes with the decimals of the root, and names records without a description', () => {
  assert.deepEqual(
    [6700, 267.5, 0.125].map((strike) => strikeText(root, strike)),
    ['6,700.0', '267.5', '0.125'],
  )
  assert.deepEqual(
    [nameOf({ Symbol: 'ACME:xnas', Uic: 1 }), nameOf({ OptionRootId: 7 })],
    ['ACME:xnas', 'Instrument 7'],
  )
  assert.match(
    String(headingOf({ Description: '\u202Eemca', Symbol: 'ACME:xnas' })),
    /^<bdi>\u202Eemca<\/bdi> <span class="quiet symbol"><bdi class="num copy-value" data-what="symbol">ACME:xnas<\/bdi><\/span>$/,
  )
})
