import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currenciesIn, currencyPairs } from './currency-pairs.ts'

test('reads a pair from every form of its symbol', () => {
  for (const symbol of ['EURUSD', 'EUR/USD', 'eurusd', 'EURUSD:fx', 'EUR-USD.x'])
    assert.deepEqual(currenciesIn(symbol), ['EUR', 'USD'], symbol)
  for (const symbol of ['EUR', 'EURUS', 'EURUSDT', 'EURUSD1', 'EU_USDX', 'DOGEUSD', ''])
    assert.equal(currenciesIn(symbol), undefined, symbol)
})

test('lists each pair once, under its first currency, by code', () => {
  const pairs = currencyPairs([
    { Symbol: 'USDJPY', Uic: 4 },
    { Symbol: 'EURUSD', Uic: 1 },
    { Symbol: 'Gold', Uic: 9 },
    { Symbol: 'EURCHF', Uic: 3 },
    { Symbol: 'EUR/USD', Uic: 7 },
    { Symbol: 'CHFEUR', Uic: 5 },
  ])
  assert.deepEqual(pairs, [
    { CurrencyCode: 'CHF', RelatedCurrencies: [{ CurrencyCode: 'EUR', Uic: 5 }] },
    {
      CurrencyCode: 'EUR',
      RelatedCurrencies: [
        { CurrencyCode: 'CHF', Uic: 3 },
        { CurrencyCode: 'USD', Uic: 1 },
        { CurrencyCode: 'USD', Uic: 7 },
      ],
    },
    { CurrencyCode: 'USD', RelatedCurrencies: [{ CurrencyCode: 'JPY', Uic: 4 }] },
  ])
})
