import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { dayText, epochDay } from '../../core/time/days.ts'
import { takeSteps } from '../../core/time/relative-days.ts'
import { checkOptionRoot } from '../../instruments/import/checks.ts'
import { OptionRootRecord } from '../../instruments/import/schema.ts'
import { expiryClosedDays } from './market.ts'
import { readDemo } from './read.ts'

const today = Temporal.PlainDate.from('2026-11-15')
const { instruments: underlyings, optionRoots: roots, ...markets } = await readDemo(today)
const closed = expiryClosedDays(markets, { ExchangeId: 'CBOE' })
const rootsOn = async (day: string) => (await readDemo(Temporal.PlainDate.from(day))).optionRoots
const thirdFriday = (month: string) => dayText(takeSteps(epochDay(`${month}-01`), '/3fri'))

function rootOf(symbol: string): OptionRootRecord {
  const root = roots.find((candidate) => candidate.Symbol === symbol)
  assert.ok(root, symbol)
  return root
}

const contractsOf = (root: OptionRootRecord) => root.Series.flatMap((series) => series.Options)
const expiriesOf = (symbol: string) => rootOf(symbol).Series.map((series) => series.Expiry)

test('every root is a valid record with a unique id and symbol, and every contract has a unique Uic', () => {
  for (const root of roots) {
    assert.ok(Value.Check(OptionRootRecord, root), `${root.Symbol}`)
    checkOptionRoot(root, (field, reason) => assert.fail(`${root.Symbol} ${field}: ${reason}`))
  }
  const uics = roots.flatMap(contractsOf).map(({ Uic }) => Uic)
  assert.equal(new Set(uics).size, uics.length)
  assert.ok(uics.every((uic) => uic >= 100_000))
  assert.equal(new Set(roots.map((root) => root.OptionRootId)).size, roots.length)
  const taken = new Set(underlyings.map((record) => record.Symbol))
  assert.deepEqual(
    roots.filter((root) => taken.has(root.Symbol)),
    [],
  )
  assert.equal(new Set(roots.map((root) => root.Symbol)).size, roots.length)
})

test('has enough roots of each kind, each with a chain, and at most 40,000 contracts on any day', async () => {
  const countOf = (assetType: string) => roots.filter((root) => root.AssetType === assetType).length
  assert.ok(countOf('StockOption') >= 20)
  assert.ok(countOf('StockIndexOption') >= 5)
  assert.ok(countOf('FuturesOption') >= 4)
  for (const day of ['2026-12-31', '2027-06-18', '2028-02-29']) {
    const all = await rootsOn(day)
    assert.equal(all.length, roots.length, day)
    assert.ok(
      all.every((root) => root.Series.length >= 3),
      day,
    )
    assert.ok(all.flatMap(contractsOf).length <= 40_000, day)
  }
})

test('share options expire on Fridays and on the trading day before a Friday that is a holiday', () => {
  const shares = roots.filter((root) => root.ExchangeId === 'CBOE' && root.AssetType === 'StockOption')
  const singleShares = shares.filter((root) => root.UnderlyingAssetType === 'Stock')
  assert.ok(singleShares.length >= 20)
  for (const root of singleShares) {
    for (const { Expiry } of root.Series) {
      const expiry = Temporal.PlainDate.from(Expiry)
      const fridayIsHoliday = closed.has(epochDay(Expiry) + 1)
      assert.ok(expiry.dayOfWeek === 5 || (expiry.dayOfWeek === 4 && fridayIsHoliday), `${root.Symbol} ${Expiry}`)
    }
  }
})

test('monthlies expire on the third Friday, or the day before if it is Juneteenth', () => {
  const apple = expiriesOf('AAPL:xcbo')
  for (const month of ['2026-11', '2026-12', '2027-01', '2027-03', '2027-06', '2027-12', '2028-01', '2029-01']) {
    const monthly = dayText(takeSteps(epochDay(thirdFriday(month)), '-0b', closed))
    assert.ok(apple.includes(monthly), monthly)
  }
  assert.ok(apple.includes('2027-06-17'))
  assert.ok(!apple.includes('2027-06-18'))
  assert.ok(expiriesOf('SAP:xeur').includes('2027-06-18'))
  for (const { Expiry } of rootOf('SPX:xcbo').Series) {
    const third = thirdFriday(Expiry.slice(0, 7))
    assert.ok(third === Expiry || closed.has(epochDay(third)), Expiry)
  }
})

test('weeklies expire on Thursday in the week of Christmas; index options on every trading day', () => {
  assert.ok(expiriesOf('AAPL:xcbo').includes('2026-12-24'))
  const week = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-23']
  for (const symbol of ['SPXW:xcbo', 'SPY:xcbo']) {
    const expiries = expiriesOf(symbol)
    assert.deepEqual(
      week.filter((day) => !expiries.includes(day)),
      [],
      symbol,
    )
  }
  assert.ok(!expiriesOf('SPXW:xcbo').includes('2026-11-26'))
})

test('a series stops trading at its time in UTC, earlier on a short day, the day before if settled at the opening', () => {
  const lastTrade = (symbol: string, expiry: string) =>
    rootOf(symbol).Series.find((series) => series.Expiry === expiry)?.LastTradeDate
  assert.equal(lastTrade('AAPL:xcbo', '2026-11-20'), '2026-11-20T21:00:00Z')
  assert.equal(lastTrade('AAPL:xcbo', '2026-11-27'), '2026-11-27T18:00:00Z')
  assert.equal(lastTrade('AAPL:xcbo', '2027-06-17'), '2027-06-17T20:00:00Z')
  assert.equal(lastTrade('SPX:xcbo', '2026-12-18'), '2026-12-17T21:15:00Z')
  assert.equal(lastTrade('SPXW:xcbo', '2026-12-18'), '2026-12-18T21:00:00Z')
  assert.equal(lastTrade('ODAX:xeur', '2026-12-18'), '2026-12-18T12:00:00Z')
})

test('volatility options expire on the Wednesday 30 days before a third Friday, a day earlier on holidays', () => {
  const expiries = expiriesOf('VIX:xcbo')
  assert.deepEqual(expiries.slice(0, 3), ['2026-11-18', '2026-12-16', '2027-01-20'])
  assert.ok(expiries.includes('2027-05-18'))
})

test('options on futures expire by their own rules and deliver the future of their month', () => {
  const known: [string, string, string][] = [
    ['ES.O:xcme', '2026-12-18', 'ESZ6'],
    ['EW:xcme', '2026-12-31', 'ESH7'],
    ['LO:xnym', '2026-12-16', 'CLF7'],
    ['LO:xnym', '2027-01-14', 'CLG7'],
    ['OG:xcec', '2026-11-24', 'GCZ6'],
    ['OG:xcec', '2027-01-26', 'GCG7'],
    ['OZN:xcbt', '2026-11-20', 'ZNZ6'],
    ['OZN:xcbt', '2027-02-19', 'ZNH7'],
    ['EUU:xcme', '2026-12-04', '6EZ6'],
  ]
  for (const [symbol, expiry, future] of known) {
    const series = rootOf(symbol).Series.find((candidate) => candidate.Expiry === expiry)
    const uics = new Set(series?.Options.map((option) => option.UnderlyingUic))
    const symbols = [...uics].map((uic) => underlyings.find((record) => record.Uic === uic)?.Symbol)
    assert.deepEqual(symbols, [future], `${symbol} ${expiry}`)
  }
})

test('every strike has a call and a put; strikes are around the price, finer for near expiries', () => {
  for (const root of roots) {
    for (const series of root.Series) {
      const calls = series.Options.filter((option) => option.PutCall === 'Call').map((option) => option.StrikePrice)
      const puts = series.Options.filter((option) => option.PutCall === 'Put').map((option) => option.StrikePrice)
      assert.deepEqual(calls, puts)
      assert.deepEqual(
        calls,
        [...new Set(calls)].sort((one, other) => one - other),
        `${root.Symbol} ${series.Expiry}`,
      )
      const price = underlyings.find(({ Uic }) => Uic === series.Options[0]?.UnderlyingUic)?.ReferencePrice ?? 0
      const quoted = root.Symbol === 'GE1:xcbo' ? price * 0.12 : price
      assert.ok((calls[0] ?? 0) < quoted && quoted < (calls.at(-1) ?? 0), `${root.Symbol} ${series.Expiry}`)
    }
  }
  const finestStep = (series: number) => {
    const strikes =
      rootOf('AAPL:xcbo')
        .Series.at(series)
        ?.Options.map((option) => option.StrikePrice) ?? []
    return Math.min(...strikes.slice(2).map((strike, index) => strike - (strikes[index] ?? 0)))
  }
  assert.ok(finestStep(0) < finestStep(-1))
})

test('a contract has the same Uic whenever the demo is loaded', async () => {
  const later = await rootsOn('2026-11-23')
  const nameOf = (root: OptionRootRecord) =>
    root.Series.flatMap(({ Expiry, Options }) =>
      Options.map(({ Uic, PutCall, StrikePrice }): [number, string] => [
        Uic,
        `${root.Symbol} ${Expiry} ${PutCall} ${StrikePrice}`,
      ]),
    )
  const names = new Map(later.flatMap(nameOf))
  const kept = roots.flatMap(nameOf).filter(([uic]) => names.has(uic))
  assert.ok(kept.length > 20_000)
  for (const [uic, name] of kept) assert.equal(names.get(uic), name)
})

test('the weeklies are grouped with the monthlies of their index', () => {
  const { OptionRootId } = rootOf('SPX:xcbo')
  assert.equal(rootOf('SPXW:xcbo').GroupOptionRootId, OptionRootId)
  assert.equal(rootOf('SPX:xcbo').GroupOptionRootId, OptionRootId)
  const ids = new Set(roots.map((root) => root.OptionRootId))
  for (const { GroupOptionRootId } of roots) assert.ok(GroupOptionRootId === undefined || ids.has(GroupOptionRootId))
})

test('an adjusted root delivers another number of shares and allows no new positions', () => {
  const adjusted = rootOf('GE1:xcbo')
  assert.equal(adjusted.ContractSize, 12)
  assert.equal(adjusted.UnderlyingUic, rootOf('GE:xcbo').UnderlyingUic)
  assert.ok(contractsOf(adjusted).every((option) => option.TradingStatus === 'ReduceOnly'))
})

test('some contracts cannot be opened or traded, one series has expired, some roots support no strategies', () => {
  const statuses = new Set(contractsOf(rootOf('TSLA:xcbo')).map((option) => option.TradingStatus))
  assert.deepEqual(statuses, new Set(['NonTradable', 'Tradable', 'ReduceOnly']))
  const [expired] = rootOf('AAPL:xcbo').Series
  assert.equal(expired?.Expiry, '2026-11-13')
  assert.ok(expired?.Options.every((option) => option.TradingStatus === 'NonTradable'))
  const singleLeg = roots.filter((root) => root.CanParticipateInMultiLegOrder === false)
  assert.ok(singleLeg.length > 0 && singleLeg.length < roots.length / 2)
  assert.ok(singleLeg.every((root) => root.SupportedStrategies === undefined))
})
