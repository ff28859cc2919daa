import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentRecord } from '../../instruments/import/schema.ts'
import { readDemo } from './read.ts'

const demo = await readDemo(Temporal.PlainDate.from('2026-11-13'))
const instruments = demo.instruments.filter(({ As }) => As[0]?.AssetType !== 'ContractFutures')

test('reference prices are multiples of the tick size', () => {
  for (const { Symbol: symbol = '', ReferencePrice = 0, TickSize = 1, As } of instruments) {
    if (/^(Fx|Bond)/.test(As[0]?.AssetType ?? '')) continue
    const ticks = ReferencePrice / TickSize
    assert.ok(ReferencePrice > 0 && Math.abs(ticks - Math.round(ticks)) < 1e-6, `${symbol} ${ReferencePrice}`)
  }
})

test('London is quoted in pence and Johannesburg in cents, unless a fund is dealt in another currency', () => {
  const priced = (symbol: string) => {
    const { CurrencyCode, PriceCurrency } = instruments.find((record) => record.Symbol === symbol) ?? {}
    return [CurrencyCode, PriceCurrency]
  }
  assert.deepEqual(priced('SHEL:xlon'), ['GBP', 'GBX'])
  assert.deepEqual(priced('CPI:xjse'), ['ZAR', 'ZAC'])
  assert.deepEqual(priced('CSPX:xlon'), ['USD', undefined])
  assert.deepEqual(priced('SHELL:xams'), ['EUR', undefined])
})

/** The tick at a price; a price on a bound is in the range above it. */
function tickAt({ TickSizeScheme }: InstrumentRecord, price: number): number | undefined {
  return (
    TickSizeScheme?.Elements?.find(({ HighPrice }) => price < HighPrice)?.TickSize ?? TickSizeScheme?.DefaultTickSize
  )
}

test('tick sizes follow the table of Commission Delegated Regulation (EU) 2017/588', () => {
  const ticks = (symbol: string, prices: number[]) => {
    const share = instruments.find((record) => record.Symbol === symbol)
    assert.ok(share)
    return prices.map((price) => tickAt(share, price))
  }
  assert.deepEqual(
    ticks('SAP:xetr', [0.05, 0.6, 1.5, 15, 150, 1500, 60_000]),
    [0.0001, 0.0001, 0.0002, 0.002, 0.02, 0.2, 10],
  )
  assert.deepEqual(ticks('IBE:xmad', [0.6, 1, 15, 60_000]), [0.0002, 0.0005, 0.005, 20])
})

test('the tick size is that of the reference price', () => {
  for (const record of instruments)
    if (record.TickSizeScheme)
      assert.equal(tickAt(record, record.ReferencePrice ?? 0), record.TickSize, `${record.Symbol}`)
})

test('currency pairs settle on the second day, or the next, and have no fixed value dates', () => {
  const daysOf = (symbol: string) => instruments.find((record) => record.Symbol === symbol)?.SpotDays
  assert.deepEqual(['EURUSD', 'USDCAD', 'XAUUSD', 'BTCUSD'].map(daysOf), [2, 1, 2, undefined])
  assert.ok(instruments.every((record) => !('FxForwardMinForwardDate' in record)))
})
