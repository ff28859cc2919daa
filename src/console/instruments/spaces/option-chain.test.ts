import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../../http/html/html.ts'
import type { OptionSpace } from '../../../instruments/api/schema.ts'
import { headingOf, nameOf } from '../pages/names.ts'
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
const pageOf = (count: number, price?: number, wantsAllStrikes = false, terms: Partial<OptionSpace> = {}) => {
  const space = { ...root, ...terms }
  const rungs = ladderOf(
    Array.from({ length: count }, (_, index) => ({
      StrikePrice: index + 1,
      PutCall: 'Call',
      Uic: 1000 + index,
      TradingStatus: index === 0 ? 'ReduceOnly' : 'Tradable',
    })),
  )
  const moneyAt = price === undefined ? undefined : moneyOf(space, price)
  return chainPage({
    why: undefined,
    root: space,
    shown,
    monthly: new Set(),
    rungs,
    underlying: { Uic: 1, AssetType: 'Stock', name: 'Acme' },
    price,
    moneyAt,
    money: moneyAt === undefined ? undefined : moneyStrike(rungs, moneyAt),
    wantsAllStrikes,
    overview: html``,
    zone: 'UTC',
  }).toString()
}
const lines = (page: string) => page.match(/<th scope="row"/g)?.length ?? 0

test('shows the part of a long ladder near the money, with a link to all strikes', () => {
  const near = pageOf(100, 50)
  assert.equal(lines(near), 41)
  assert.match(
    near,
    /Showing the 41 strikes nearest the money\. <a href="\/console\/options\/7\?expiry=2026-12-18&amp;strikes=all#money">/,
  )
  assert.match(near, /<tr id="money" class="money">/)
  const all = pageOf(100, 50, true)
  assert.equal(lines(all), 100)
  assert.match(all, /All 100 strikes\. <a href="\/console\/options\/7\?expiry=2026-12-18#money">/)
  assert.match(pageOf(100), /Showing the 41 strikes in the middle\./)
})

test('shows a short ladder in full, and explains an empty one', () => {
  const short = pageOf(2)
  assert.equal(lines(short), 2)
  assert.match(short, /has no reference price in the currency of the strikes/)
  assert.match(short, /1000<\/a> <span class="tag warn">Reduce only</)
  assert.match(short, /1001<\/a><\/td>.*>none</)
  assert.match(short, /Options are tradable unless marked otherwise/)
  assert.doesNotMatch(short, /id="money"|<b>/)
  assert.match(pageOf(0), /No visible options have this expiry/)
})

test('explains where an adjusted contract is at the money, if that is known', () => {
  const terms = { ContractSize: 12, PriceToContractFactor: 100 }
  const adjusted = pageOf(40, 307.2, false, terms)
  assert.match(adjusted, /delivers 12 units but its strikes are multiplied by 100, so at the money is <strong>36\.864</)
  assert.match(adjusted, />37\.0<small>at the money</)
  const inPence = pageOf(40, 307.2, false, { ...terms, PriceCurrency: 'USX' })
  assert.match(inPence, /cannot be compared with these strikes/)
  assert.doesNotMatch(inPence, /#money">Go|<small>at the money</)
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
