import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { checkInstrument } from '../../instruments/import/checks.ts'
import { InstrumentRecord } from '../../instruments/import/schema.ts'
import { sessionsBetween } from '../../instruments/rules/trading-schedule.ts'
import { readDemoFile } from './files.ts'
import type { FuturesTemplate } from './futures.ts'
import { calendarOf } from './market.ts'
import { readDemo } from './read.ts'

const today = Temporal.PlainDate.from('2026-11-15')
const isTemplate = (row: FuturesTemplate | { kind: 'terms' }): row is FuturesTemplate => 'Code' in row
const templates = (await readDemoFile<FuturesTemplate>('templates/futures.ndjson')).filter(isTemplate)
const demo = await readDemo(today)
const { instruments } = demo
const futures = futuresAmong(instruments)

function futuresAmong(records: readonly InstrumentRecord[]): InstrumentRecord[] {
  return records.filter(({ As }) => As[0]?.AssetType === 'ContractFutures')
}

const onDay = async (day: string) => futuresAmong((await readDemo(Temporal.PlainDate.from(day))).instruments)
const contracts = futures.filter((record) => record.ContinuousFuturesUic !== undefined)
const parents = futures.filter((record) => record.BaseIdentifier !== undefined)
const bySymbol = new Map(futures.map((record) => [record.Symbol, record]))

test('every future is a valid record with a unique Uic and symbol, in the range of futures', () => {
  for (const record of futures) {
    assert.ok(Value.Check(InstrumentRecord, record), `${record.Symbol}`)
    checkInstrument(record, (field, reason) => assert.fail(`${record.Symbol} ${field}: ${reason}`))
  }
  assert.equal(new Set(futures.map(({ Uic }) => Uic)).size, futures.length)
  assert.equal(bySymbol.size, futures.length)
  assert.ok(parents.every(({ Uic }) => Uic >= 5000 && Uic < 5100))
  assert.ok(contracts.every(({ Uic }) => Uic >= 5100 && Uic < 7000))
})

test('last trading days are those that the exchanges publish', () => {
  const known = {
    ESZ6: '2026-12-18',
    ESH7: '2027-03-19',
    ESM7: '2027-06-17',
    YMZ7: '2027-12-17',
    CLZ6: '2026-11-20',
    CLF7: '2026-12-21',
    CLG7: '2027-01-20',
    NGZ6: '2026-11-25',
    NGF7: '2026-12-29',
    GCZ6: '2026-12-29',
    GCG7: '2027-02-24',
    SIH7: '2027-03-29',
    HGZ6: '2026-12-29',
    ZCZ6: '2026-12-14',
    ZWH7: '2027-03-12',
    ZSF7: '2027-01-14',
    ZNZ6: '2026-12-21',
    ZNH7: '2027-03-19',
    ZBZ6: '2026-12-21',
    '6EZ6': '2026-12-14',
    '6EH7': '2027-03-15',
    FDAXZ6: '2026-12-18',
    FDAXM7: '2027-06-18',
    FESXH7: '2027-03-19',
    FGBLZ6: '2026-12-08',
    FGBLH7: '2027-03-08',
  }
  for (const [symbol, expiry] of Object.entries(known)) assert.equal(bySymbol.get(symbol)?.ExpiryDate, expiry, symbol)
})

test('an expiring contract stops trading at its own time, or at an early close', () => {
  const stopOf = (symbol: string) => bySymbol.get(symbol)?.As[0]?.ExpiryDateTime
  assert.equal(stopOf('NGZ6'), '2026-11-25T19:30:00Z')
  // The day after Thanksgiving.
  assert.equal(stopOf('NGZ7'), '2027-11-26T18:45:00Z')
})

test('every contract and option series stops trading during a session of its calendar', () => {
  const ends = [
    ...contracts.flatMap((record) => record.As.map(({ ExpiryDateTime }) => ({ record, end: ExpiryDateTime }))),
    ...demo.optionRoots.flatMap((record) => record.Series.map(({ LastTradeDate }) => ({ record, end: LastTradeDate }))),
  ]
  for (const { record, end = '' } of ends) {
    const at = Temporal.Instant.from(end)
    const day = at.toZonedDateTimeISO('UTC').toPlainDate()
    const calendar = { ...calendarOf(demo, record), ...(record.Hours && { Hours: record.Hours }) }
    const sessions = sessionsBetween(calendar, day.subtract({ days: 1 }), day.add({ days: 1 }))
    const last = sessions.find(({ start, end: close }) => start < at.epochMilliseconds && at.epochMilliseconds <= close)
    assert.equal(last?.state, 'AutomatedTrading', `${record.Symbol} ${end}`)
  }
})

test('futures with delivery have a first notice day, cash-settled ones have none', () => {
  const noticeOf = (symbol: string) => bySymbol.get(symbol)?.As[0]?.NoticeDate
  assert.equal(noticeOf('GCG7'), '2027-01-29')
  assert.equal(noticeOf('ZNH7'), '2027-02-26')
  assert.equal(noticeOf('ZCZ6'), '2026-11-30')
  assert.equal(noticeOf('ESZ6'), undefined)
  for (const record of contracts) {
    const [future] = record.As
    const expected = future?.NoticeDate === undefined ? 'CashDelivery' : 'PhysicalDelivery'
    assert.equal(future?.SettlementStyle, expected, `${record.Symbol}`)
  }
})

test('a symbol has the delivery month, which is listed and fits the expiry', () => {
  for (const record of contracts) {
    const template = templates.find(({ Uic }) => Uic === record.ContinuousFuturesUic)
    const [letter = '', digit] = (record.Symbol ?? '').slice(template?.Code.length)
    const month = 'FGHJKMNQUVXZ'.indexOf(letter) + 1
    const expiry = Temporal.PlainDate.from(record.ExpiryDate ?? '')
    assert.ok(template?.Months.includes(letter), `${record.Symbol}`)
    assert.equal(record.Symbol, `${template?.Code}${letter}${digit}`)
    const delivery = ['CL', 'NG'].includes(template?.Code ?? '') ? expiry.add({ months: 1 }) : expiry
    assert.equal(delivery.month, month, `${record.Symbol}`)
    assert.equal(String(delivery.year % 10), digit, `${record.Symbol}`)
  }
})

test('every product has a continuous future that cannot be traded, one expired contract and the listed ones', () => {
  assert.ok(parents.length >= 12)
  for (const parent of parents) {
    assert.equal(parent.DisplayHint, 'Continuous')
    assert.equal(parent.TradingStatus, 'NonTradable')
    assert.equal(parent.As[0]?.AssetType, 'ContractFutures')
    const own = contracts.filter((record) => record.ContinuousFuturesUic === parent.Uic)
    const expired = own.filter((record) => (record.ExpiryDate ?? '') < today.toString())
    assert.equal(expired.length, 1, `${parent.Symbol}`)
    assert.equal(expired[0]?.TradingStatus, 'NonTradable')
    assert.equal(own.length - 1, templates.find(({ Uic }) => Uic === parent.Uic)?.Listed)
  }
})

test('a contract has the same Uic and expiry whenever the demo is loaded', async () => {
  const laterByUic = new Map((await onDay('2027-02-23')).map((record) => [record.Uic, record]))
  const kept = contracts.filter(({ Uic }) => laterByUic.has(Uic))
  assert.ok(kept.length > 100)
  for (const { Uic, Symbol: symbol, ExpiryDate } of kept) {
    assert.equal(laterByUic.get(Uic)?.Symbol, symbol)
    assert.equal(laterByUic.get(Uic)?.ExpiryDate, ExpiryDate, `${symbol}`)
  }
})

test('from the first notice on, positions can only be reduced, and there is no contract for difference', async () => {
  const afterNotice = new Map((await onDay('2026-12-07')).map((record) => [record.Symbol, record]))
  assert.equal(afterNotice.get('GCZ6')?.TradingStatus, 'ReduceOnly')
  assert.deepEqual(
    afterNotice.get('GCZ6')?.As.map(({ AssetType }) => AssetType),
    ['ContractFutures'],
  )
  assert.equal(bySymbol.get('GCZ6')?.TradingStatus, 'Tradable')
  assert.equal(bySymbol.get('GCZ6')?.As[1]?.ExpiryDate, '2026-11-27')
  assert.equal(bySymbol.get('GCZ6')?.As[1]?.UnderlyingUic, bySymbol.get('GCZ6')?.Uic)
})

test('index futures have their index, Treasuries are quoted in fractions, products have the calendar of their group', () => {
  const indexUic = instruments.find((record) => record.Symbol === 'SPX.I')?.Uic
  assert.equal(bySymbol.get('ESZ6')?.UnderlyingUic, indexUic)
  assert.equal(bySymbol.get('ESZ6')?.UnderlyingAssetType, 'StockIndex')
  assert.equal(bySymbol.get('ZNZ6')?.Format?.Format, 'ModernFractions')
  const calendars = ['ZCZ6', 'YMZ6', '6EZ6', 'ZNZ6', 'GCZ6'].map((symbol) => bySymbol.get(symbol)?.CalendarId)
  assert.deepEqual(calendars, ['CBOT_GRAINS', 'CME_EQUITY', 'CME_FX', undefined, undefined])
})

test('prices are multiples of the tick size', () => {
  for (const { Symbol: symbol, ReferencePrice = 0, TickSize = 1 } of futures) {
    const ticks = ReferencePrice / TickSize
    assert.ok(Math.abs(ticks - Math.round(ticks)) < 1e-6, `${symbol}`)
  }
})
