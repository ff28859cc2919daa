import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContractOptionEntry, OptionSpace, SpecificOption } from '../../../instruments/api/schema.ts'
import {
  chainPath,
  chosenSeries,
  expiryOf,
  firstRung,
  isWithin,
  ladderOf,
  moneyOf,
  moneyStrike,
  parseDay,
  priceAmong,
  underlyingUics,
} from './option-chain-series.ts'

const series = (Expiry: string): ContractOptionEntry => ({
  DisplayDaysToExpiry: 1,
  DisplayExpiry: Expiry,
  Expiry: `${Expiry}T00:00:00Z`,
})
const option = (StrikePrice: number, PutCall: 'Put' | 'Call', Uic: number): SpecificOption => ({
  StrikePrice,
  PutCall,
  Uic,
  TradingStatus: 'Tradable',
})

test('shows the next monthly expiry by default, and the next one after an expired date', () => {
  const space = ['2026-11-27', '2026-12-04', '2026-12-18', '2026-12-24'].map(series)
  const chosen = (expiry?: string) => {
    const found = chosenSeries(space, expiry)
    return found && expiryOf(found)
  }
  assert.equal(chosen(), '2026-12-18')
  assert.equal(chosen('2026-12-04'), '2026-12-04')
  assert.equal(chosen('2026-11-20'), '2026-11-27')
  assert.equal(chosen('2030-01-01'), '2026-12-24')
  assert.equal(chosenSeries([], undefined), undefined)
  assert.deepEqual(
    [parseDay('2026-12-18T00:00:00Z'), parseDay('soon'), parseDay(undefined)],
    ['2026-12-18', undefined, undefined],
  )
})

test('pairs calls and puts by strike, with an extra row for a second call', () => {
  const rungs = ladderOf([
    option(110, 'Call', 5),
    option(100, 'Call', 1),
    option(100, 'Put', 2),
    option(100, 'Call', 3),
  ])
  assert.deepEqual(
    rungs.map(({ strike, call, put }) => [strike, call?.Uic, put?.Uic]),
    [
      [100, 1, 2],
      [100, 3, undefined],
      [110, 5, undefined],
    ],
  )
})

test('marks the strike nearest the price, and shows the part of a long ladder around it', () => {
  const rungs = Array.from({ length: 100 }, (_, index) => ({ strike: index }))
  assert.equal(moneyStrike(rungs, 49.6), 50)
  assert.equal(moneyStrike(rungs, 49.5), 49)
  assert.equal(moneyStrike([], 1), undefined)
  const first = (money?: number, wanted?: number) => firstRung(rungs, money, wanted)
  assert.deepEqual([first(50), first(3), first(98), first()], [35, 0, 69, 35])
  assert.deepEqual([first(50, 0), first(50, 40), first(50, -5), first(50, 500)], [0, 40, 0, 69])
  assert.equal(firstRung(rungs.slice(0, 20), 10, 4), 0, 'a short ladder is one page')
})

test('a range of strikes is inclusive, and links keep it', () => {
  const within = (from?: number, to?: number) => [1, 2, 3].filter((strike) => isWithin({ from, to }, { strike }))
  assert.deepEqual([within(), within(2), within(undefined, 2), within(2, 2)], [[1, 2, 3], [2, 3], [1, 2], [2]])
  assert.equal(chainPath({ OptionRootId: 7 }, '2026-12-18'), '/console/options/7?expiry=2026-12-18')
  assert.equal(
    chainPath({ OptionRootId: 7 }, '2026-12-18', { from: 100, to: undefined }, 31),
    '/console/options/7?expiry=2026-12-18&from=100&row=31',
  )
})

const root: OptionSpace = {
  OptionRootId: 7,
  AssetType: 'StockOption',
  CurrencyCode: 'USD',
  Exchange: { CountryCode: 'US', ExchangeId: 'CBOE', Name: 'Cboe' },
  IsTradable: true,
  NonTradableReason: 'None',
  OptionSpace: [],
  TradableOn: [],
  UnderlyingUic: 1,
}

test('prices a series by its own future, then by the root, and only in the strike currency', () => {
  const own = { ...series('2026-12-18'), SpecificOptions: [{ ...option(100, 'Call', 5), UnderlyingUic: 2 }] }
  assert.deepEqual([underlyingUics(root, own), underlyingUics(root, series('2026-12-18'))], [[2, 1], [1]])
  const price = (Uic: number, ReferencePrice: number, CurrencyCode = 'USD') => ({ Uic, ReferencePrice, CurrencyCode })
  const prices = [price(1, 10), price(2, 2000, 'USX'), price(2, 20)]
  assert.equal(priceAmong([2, 1], prices, 'USD'), 20)
  assert.equal(priceAmong([2, 1], prices.slice(0, 2), 'USD'), 10)
  assert.equal(priceAmong([2, 1], prices, 'EUR'), undefined)
})

test('converts the price for adjusted contracts, but not for futures', () => {
  const adjusted = { ...root, ContractSize: 12, PriceToContractFactor: 100 }
  assert.equal(moneyOf(adjusted, 300), 36)
  assert.equal(moneyOf({ ...adjusted, UnderlyingAssetType: 'ContractFutures' }, 300), 300)
  assert.equal(moneyOf({ ...adjusted, PriceCurrency: 'USX' }, 300), undefined)
  assert.equal(moneyOf({ ...root, ContractSize: 100, PriceToContractFactor: 100, PriceCurrency: 'USX' }, 300), 300)
  assert.deepEqual([moneyOf({ ...root, PriceToContractFactor: 100 }, 300), moneyOf(root, 300)], [300, 300])
})
