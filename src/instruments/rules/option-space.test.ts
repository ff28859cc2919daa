import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import {
  byStrike,
  contradictsMultiLeg,
  displayExpiry,
  expiryMembers,
  listedSeries,
  monthlyExpiries,
  type OptionFacts,
  type OptionSpaceQuery,
  openedExpiries,
  specificOptions,
} from './option-space.ts'

const today = Temporal.PlainDate.from('2026-06-08')
const seriesOf = (...expiries: string[]) => expiries.map((Expiry) => ({ Expiry }))
const opened = (query: OptionSpaceQuery, ...expiries: string[]) => [...openedExpiries(seriesOf(...expiries), query)]
const withDefaults = (...expiries: string[]) => opened({ OptionSpaceSegment: 'DefaultDates' }, ...expiries)

test('series are listed by expiry, on their last day still, and not when expired', () => {
  const listed = listedSeries(seriesOf('2026-07-17', '2026-06-05', '2026-06-08', '2026-06-12', '2026-06-12'), today)
  assert.deepEqual(
    listed.map(({ Expiry }) => Expiry),
    ['2026-06-08', '2026-06-12', '2026-06-12', '2026-07-17'],
  )
})

test('a monthly is the third Friday of its month, weeklies are none', () => {
  const weeklies = ['2026-07-10', '2026-07-17', '2026-07-24', '2026-08-14', '2026-08-21', '2026-08-28']
  assert.deepEqual(monthlyExpiries(weeklies), ['2026-07-17', '2026-08-21'])
  // The earliest and the latest third Friday there can be.
  const edges = ['2027-01-08', '2027-01-15', '2027-05-14', '2027-05-21', '2027-05-28']
  assert.deepEqual(monthlyExpiries(edges), ['2027-01-15', '2027-05-21'])
})

test('where the third Friday is a holiday the Thursday before is the monthly; else a Thursday is none', () => {
  // 19 June 2026 is Juneteenth; 17 July is an ordinary Friday.
  assert.deepEqual(monthlyExpiries(['2026-06-12', '2026-06-18', '2026-06-26', '2026-07-16', '2026-07-17']), [
    '2026-06-18',
    '2026-07-17',
  ])
})

test('a month without such a day has no monthly', () => {
  assert.deepEqual(monthlyExpiries(['2026-06-26', '2026-06-30', '2026-07-17']), ['2026-07-17'])
})

test('a root that never expires on third Fridays has the last expiry of each month', () => {
  assert.deepEqual(monthlyExpiries(['2026-06-10', '2026-06-24', '2026-07-08', '2026-07-29']), [
    '2026-06-24',
    '2026-07-29',
  ])
})

test('a root with one expiry a month has only monthlies, also when some are third Fridays by chance', () => {
  const crude = ['2026-06-16', '2026-07-16', '2026-08-17']
  assert.deepEqual(monthlyExpiries(crude), crude)
  assert.deepEqual(monthlyExpiries([]), [])
})

test('DefaultDates are the nearest expiry and the next two monthlies', () => {
  const chain = ['2026-06-12', '2026-06-18', '2026-06-26', '2026-07-17', '2026-08-21', '2026-09-18']
  assert.deepEqual(withDefaults(...chain), ['2026-06-12', '2026-06-18', '2026-07-17'])
  assert.deepEqual(withDefaults(...chain.slice(1)), ['2026-06-18', '2026-07-17', '2026-08-21'])
  assert.deepEqual(withDefaults('2026-07-17'), ['2026-07-17'])
  assert.deepEqual(withDefaults(), [])
})

test('None opens nothing and AllDates everything', () => {
  assert.deepEqual(opened({ OptionSpaceSegment: 'None' }, '2026-06-12', '2026-07-17'), [])
  assert.deepEqual(opened({ OptionSpaceSegment: 'AllDates' }, '2026-06-12', '2026-07-17'), ['2026-06-12', '2026-07-17'])
})

const onDates = (...ExpiryDates: string[]): OptionSpaceQuery => ({ OptionSpaceSegment: 'SpecificDates', ExpiryDates })

test('SpecificDates opens by Expiry and, whole months, by DisplayExpiry; dates that are none’s open nothing', () => {
  const chain = ['2026-06-12', '2026-06-18', '2026-07-17']
  assert.deepEqual(opened(onDates('2026-06-18'), ...chain), ['2026-06-18'])
  assert.deepEqual(opened(onDates('2026-06-01'), ...chain), ['2026-06-12', '2026-06-18'])
  assert.deepEqual(opened(onDates('2026-07-17', '2026-06-12', '2026-06-13'), ...chain), ['2026-06-12', '2026-07-17'])
  assert.equal(displayExpiry('2026-06-18'), '2026-06-01')
})

test('SpecificDates takes date-times for the day that they name', () => {
  const texts = ['2026-06-18T00:00:00Z', '2026-06-18T00:00:00.000000Z', '2026-06-18T23:30:00-05:00']
  for (const text of texts) assert.deepEqual(opened(onDates(text), '2026-06-18', '2026-06-19'), ['2026-06-18'])
})

test('SpecificDates without dates, or with what is no date, is refused', () => {
  const refusal = { code: 'ExpiryDatesMustBeSet', status: 400 }
  assert.throws(() => opened({ OptionSpaceSegment: 'SpecificDates' }), refusal)
  assert.throws(() => opened(onDates()), refusal)
  for (const text of ['2026-02-30', '18.06.2026', '2026-06-18T00:00:00', '2026-06-18T25:00:00Z', '2026-6-18', ''])
    assert.throws(
      () => opened(onDates('2026-06-18', text), '2026-06-18'),
      (error: unknown) => error instanceof Problem && error.modelState?.ExpiryDates !== undefined,
    )
})

test('ExpiryDates and UnderlyingUic mean nothing to other segments', () => {
  assert.deepEqual(opened({ ...onDates('nonsense'), OptionSpaceSegment: 'None', UnderlyingUic: 1 }, '2026-06-12'), [])
})

const option = (StrikePrice: number, PutCall: 'Call' | 'Put', members: Partial<OptionFacts> = {}): OptionFacts => ({
  StrikePrice,
  PutCall,
  ...members,
})
const all: OptionSpaceQuery = { OptionSpaceSegment: 'AllDates' }

test('options come by strike, Call before Put', () => {
  const inOrder = [option(-5, 'Put'), option(9.5, 'Call'), option(9.5, 'Put'), option(10, 'Call'), option(100, 'Put')]
  assert.deepEqual(specificOptions(inOrder.toReversed(), all), inOrder)
  assert.equal(byStrike(option(1, 'Put'), option(1, 'Put')), 0)
})

test('UnderlyingUic opens the options on that underlying, of every expiry', () => {
  const query: OptionSpaceQuery = { OptionSpaceSegment: 'UnderlyingUic', UnderlyingUic: 7 }
  const mine = option(1, 'Call', { UnderlyingUic: 7 })
  assert.deepEqual(opened(query, '2026-06-12', '2026-07-17'), ['2026-06-12', '2026-07-17'])
  assert.deepEqual(specificOptions([mine, option(2, 'Call', { UnderlyingUic: 8 }), option(3, 'Call')], query), [mine])
  assert.equal(specificOptions([option(2, 'Call', { UnderlyingUic: 8 })], { ...all, UnderlyingUic: 7 }).length, 1)
  assert.throws(() => opened({ OptionSpaceSegment: 'UnderlyingUic' }), { code: 'UnderlyingUICMustBeSet', status: 400 })
})

test('TradingStatus filters options, NotDefined and nothing do not', () => {
  const options = [
    option(1, 'Call'),
    option(2, 'Call', { TradingStatus: 'Tradable' }),
    option(3, 'Call', { TradingStatus: 'ReduceOnly' }),
  ]
  const strikes = (query: Partial<OptionSpaceQuery>) =>
    specificOptions(options, { ...all, ...query }).map(({ StrikePrice }) => StrikePrice)
  assert.deepEqual(strikes({ TradingStatus: 'Tradable' }), [2])
  assert.deepEqual(strikes({ TradingStatus: 'NonTradable' }), [])
  assert.deepEqual(strikes({ TradingStatus: 'NotDefined' }), [1, 2, 3])
  assert.deepEqual(strikes({}), [1, 2, 3])
})

test('multi-leg support that contradicts the root is told from support that agrees or was not asked for', () => {
  assert.equal(contradictsMultiLeg(undefined, true), false)
  assert.equal(contradictsMultiLeg(true, true), false)
  assert.equal(contradictsMultiLeg(false, undefined), false)
  assert.equal(contradictsMultiLeg(true, undefined), true)
  assert.equal(contradictsMultiLeg(false, true), true)
})

const newYork = { today, timeZone: 'America/New_York', daySuffix: 'T00:00:00Z' }

test('an entry tells its days from today, by the exchange’s calendar', () => {
  // Nine in the evening in New York is the next day in UTC.
  const series = { Expiry: '2026-06-19', LastTradeDate: '2026-06-19T01:00:00Z' }
  assert.deepEqual(expiryMembers(series, newYork), {
    DisplayDaysToExpiry: 11,
    DisplayDaysToLastTradeDate: 10,
    DisplayExpiry: '2026-06-01T00:00:00Z',
    Expiry: '2026-06-19T00:00:00Z',
    LastTradeDate: '2026-06-19T01:00:00.000000Z',
  })
})

test('without a last trade date nothing is told of it, and days are written as the profile does', () => {
  assert.deepEqual(expiryMembers({ Expiry: '2026-06-08' }, { ...newYork, daySuffix: '' }), {
    DisplayDaysToExpiry: 0,
    DisplayExpiry: '2026-06-01',
    Expiry: '2026-06-08',
  })
})
