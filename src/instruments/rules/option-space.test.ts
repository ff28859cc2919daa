import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay } from '../../core/time/days.ts'
import {
  defaultExpiry,
  expiryMembers,
  isSelected,
  listedSeries,
  type OptionFacts,
  type OptionSpaceQuery,
  selectedExpiries,
  selectsAll,
  strikeNearTheMoney,
  supportsMultiLeg,
  withSegment,
} from './option-space.ts'

const today = epochDay('2026-06-08')
const seriesOf = (...days: string[]) => days.map((day) => ({ expiry: epochDay(day) }))
const opened = (query: OptionSpaceQuery, ...expiries: string[]) =>
  [...selectedExpiries(seriesOf(...expiries), query)].map(dayText)
const withDefaults = (...expiries: string[]) => opened({ OptionSpaceSegment: 'DefaultDates' }, ...expiries)

test('lists series by expiry, including those that expire today', () => {
  const series = seriesOf('2026-07-17', '2026-06-05', '2026-06-08', '2026-06-12', '2026-06-12')
  const sorted = series.toSorted((a, b) => a.expiry - b.expiry)
  for (const each of [series, sorted])
    assert.deepEqual(
      listedSeries(each, today).map(({ expiry }) => dayText(expiry)),
      ['2026-06-08', '2026-06-12', '2026-06-12', '2026-07-17'],
    )
})

test('DefaultDates selects the nearest expiry and the next two monthly ones', () => {
  const chain = ['2026-06-12', '2026-06-18', '2026-06-26', '2026-07-17', '2026-08-21', '2026-09-18']
  assert.deepEqual(withDefaults(...chain), ['2026-06-12', '2026-06-18', '2026-07-17'])
  assert.deepEqual(withDefaults(...chain.slice(1)), ['2026-06-18', '2026-07-17', '2026-08-21'])
  assert.deepEqual(withDefaults('2026-07-17'), ['2026-07-17'])
  assert.deepEqual(withDefaults(), [])
})

test('the default expiry is the nearest monthly more than a week away, else the last one', () => {
  const chain = ['2026-06-12', '2026-06-18', '2026-06-26', '2026-07-17'].map(epochDay)
  const on = (day: string, expiries = chain) => dayText(defaultExpiry(expiries, epochDay(day)) ?? 0)
  assert.equal(on('2026-06-10'), '2026-06-18')
  assert.equal(on('2026-06-11'), '2026-07-17')
  assert.equal(on('2026-07-13'), '2026-07-17')
  assert.equal(defaultExpiry([], today), undefined)
})

test('the strike near the money is the nearest to the price, or the middle one without a price among them', () => {
  const strikes = [90, 95, 100, 110]
  assert.deepEqual(
    [92.4, 92.5, 104.9, 105.1, 90, 110].map((price) => strikeNearTheMoney(strikes, price)),
    [90, 90, 100, 110, 90, 110],
  )
  assert.deepEqual(
    [89, 111, Number.NaN].map((price) => strikeNearTheMoney(strikes, price)),
    [95, 95, 95],
  )
  assert.equal(strikeNearTheMoney([100], Number.NaN), 100)
  assert.equal(strikeNearTheMoney([], 100), undefined)
})

test('None selects nothing, AllDates everything', () => {
  assert.deepEqual(opened({ OptionSpaceSegment: 'None' }, '2026-06-12', '2026-07-17'), [])
  assert.deepEqual(opened({ OptionSpaceSegment: 'AllDates' }, '2026-06-12', '2026-07-17'), ['2026-06-12', '2026-07-17'])
})

const onDates = (...ExpiryDates: string[]): OptionSpaceQuery => ({ OptionSpaceSegment: 'SpecificDates', ExpiryDates })

test('SpecificDates selects by Expiry, or a whole month by DisplayExpiry; other dates select nothing', () => {
  const chain = ['2026-06-12', '2026-06-18', '2026-07-17']
  assert.deepEqual(opened(onDates('2026-06-18'), ...chain), ['2026-06-18'])
  assert.deepEqual(opened(onDates('2026-06-01'), ...chain), ['2026-06-12', '2026-06-18'])
  assert.deepEqual(opened(onDates('2026-07-17', '2026-06-12', '2026-06-13'), ...chain), ['2026-06-12', '2026-07-17'])
})

test('SpecificDates requires dates', () => {
  assert.throws(() => opened({ OptionSpaceSegment: 'SpecificDates' }), { code: 'ExpiryDatesMustBeSet', status: 400 })
})

test('other segments ignore ExpiryDates and UnderlyingUic', () => {
  assert.deepEqual(opened({ ...onDates('2026-06-12'), OptionSpaceSegment: 'None', UnderlyingUic: 1 }, '2026-06-12'), [])
})

test('without a segment, ExpiryDates mean SpecificDates, and no dates the default of the wire profile', () => {
  const segmentOf = (query: Parameters<typeof withSegment>[0]) => withSegment(query, 'DefaultDates').OptionSpaceSegment
  assert.equal(segmentOf({}), 'DefaultDates')
  assert.equal(segmentOf({ ExpiryDates: ['2026-06-12'] }), 'SpecificDates')
  assert.equal(segmentOf({ ExpiryDates: ['2026-06-12'], OptionSpaceSegment: 'AllDates' }), 'AllDates')
  assert.equal(segmentOf({ UnderlyingUic: 7 }), 'DefaultDates')
})

const all: OptionSpaceQuery = { OptionSpaceSegment: 'AllDates' }

test('UnderlyingUic selects the options on that underlying, of every expiry', () => {
  const query: OptionSpaceQuery = { OptionSpaceSegment: 'UnderlyingUic', UnderlyingUic: 7 }
  assert.deepEqual(opened(query, '2026-06-12', '2026-07-17'), ['2026-06-12', '2026-07-17'])
  const options: OptionFacts[] = [{ UnderlyingUic: 7 }, { UnderlyingUic: 8 }, {}]
  assert.deepEqual(
    options.map((option) => isSelected(option, query)),
    [true, false, false],
  )
  assert.equal(isSelected({ UnderlyingUic: 8 }, { ...all, UnderlyingUic: 7 }), true)
  assert.throws(() => opened({ OptionSpaceSegment: 'UnderlyingUic' }), { code: 'UnderlyingUICMustBeSet', status: 400 })
})

test('TradingStatus filters options, except NotDefined', () => {
  const options: OptionFacts[] = [{}, { TradingStatus: 'Tradable' }, { TradingStatus: 'ReduceOnly' }]
  const asked = (query: Partial<OptionSpaceQuery>) => options.map((option) => isSelected(option, { ...all, ...query }))
  assert.deepEqual(asked({ TradingStatus: 'Tradable' }), [false, true, false])
  assert.deepEqual(asked({ TradingStatus: 'NonTradable' }), [false, false, false])
  assert.deepEqual(asked({ TradingStatus: 'NotDefined' }), [true, true, true])
  assert.deepEqual(asked({}), [true, true, true])
})

test('a query selects all options unless it has a status or an underlying', () => {
  assert.ok(selectsAll(all))
  assert.ok(selectsAll({ ...all, TradingStatus: 'NotDefined', UnderlyingUic: 7 }))
  assert.ok(!selectsAll({ ...all, TradingStatus: 'Tradable' }))
  assert.ok(!selectsAll({ OptionSpaceSegment: 'UnderlyingUic', UnderlyingUic: 7 }))
})

test('a root must support multi-leg orders as requested', () => {
  assert.equal(supportsMultiLeg(true, undefined), true)
  assert.equal(supportsMultiLeg(true, true), true)
  assert.equal(supportsMultiLeg(undefined, false), true)
  assert.equal(supportsMultiLeg(undefined, true), false)
  assert.equal(supportsMultiLeg(true, false), false)
})

test('days to expiry are counted in the time zone of the exchange', () => {
  const lastTrade = { day: epochDay('2026-06-18'), text: '2026-06-19T01:00:00.000000Z' }
  assert.deepEqual(expiryMembers({ expiry: epochDay('2026-06-19'), lastTrade }, { today, daySuffix: 'T00:00:00Z' }), {
    DisplayDaysToExpiry: 11,
    DisplayDaysToLastTradeDate: 10,
    DisplayExpiry: '2026-06-01T00:00:00Z',
    Expiry: '2026-06-19T00:00:00Z',
    LastTradeDate: '2026-06-19T01:00:00.000000Z',
  })
})

test('omits an unknown last trade date, and writes days as the wire profile says', () => {
  assert.deepEqual(expiryMembers({ expiry: today }, { today, daySuffix: '' }), {
    DisplayDaysToExpiry: 0,
    DisplayExpiry: '2026-06-01',
    Expiry: '2026-06-08',
  })
})
