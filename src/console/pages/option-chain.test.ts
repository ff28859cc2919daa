import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html.ts'
import type { OptionSpaceAnswer } from '../../instruments/schema.ts'
import { chainPage, nameOf, strikeText } from './option-chain.ts'
import { ladderOf } from './option-chain-series.ts'

const shown = { DisplayDaysToExpiry: 0, DisplayExpiry: '2026-12-01', Expiry: '2026-12-18' }
const root: OptionSpaceAnswer = {
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
const pageOf = (count: number, money?: number, wantsAllStrikes = false) =>
  chainPage({
    root,
    shown,
    monthly: new Set(),
    rungs: ladderOf(
      Array.from({ length: count }, (_, index) => ({
        StrikePrice: index + 1,
        PutCall: 'Call',
        Uic: 1000 + index,
        TradingStatus: index === 0 ? 'ReduceOnly' : 'Tradable',
      })),
    ),
    underlying: { Uic: 1, AssetType: 'Stock', name: 'Acme' },
    price: money,
    money,
    wantsAllStrikes,
    overview: html``,
    zone: 'UTC',
  }).toString()
const lines = (page: string) => page.match(/<th scope="row"/g)?.length ?? 0

test('of a long ladder the part near the money is shown, and all of it by a link and back', () => {
  const near = pageOf(100, 50)
  assert.equal(lines(near), 41)
  assert.match(
    near,
    /The 41 strikes nearest the money\. <a href="\/console\/options\/7\?expiry=2026-12-18&amp;strikes=all#money">/,
  )
  assert.match(near, /<tr id="money" class="money">/)
  const all = pageOf(100, 50, true)
  assert.equal(lines(all), 100)
  assert.match(all, /All 100 strikes\. <a href="\/console\/options\/7\?expiry=2026-12-18#money">/)
  assert.match(pageOf(100), /The 41 strikes in the middle\./)
})

test('a short ladder is whole, says what it does not have, and an empty one what to do', () => {
  const short = pageOf(2)
  assert.equal(lines(short), 2)
  assert.match(short, /has no reference price here/)
  assert.match(short, /Reduce only/)
  assert.match(short, /colspan="2">none</)
  assert.doesNotMatch(short, /id="money"|<b>/)
  assert.match(pageOf(0), /There is no option with this expiry/)
})

test('strikes have the decimals of the root, or as many as they need; a record without a description has a name', () => {
  assert.deepEqual(
    [6700, 267.5, 0.125].map((strike) => strikeText(root, strike)),
    ['6,700.0', '267.5', '0.125'],
  )
  assert.deepEqual(
    [nameOf({ Symbol: 'ACME:xnas', Uic: 1 }), nameOf({ OptionRootId: 7 })],
    ['ACME:xnas', 'Instrument 7'],
  )
})
