import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts } from '../../../test/support/events/event-facts.ts'
import { Problem } from '../../core/problem.ts'
import type { EventFilters } from '../api/schema.ts'
import type { EventFacts } from './facts.ts'
import { dayRanges, eventCriteria, keywordsOf, passesFilters } from './filters.ts'
import { baseSelection } from './listing.ts'

const none: EventFilters = { IncludeLapsedEvents: false, IncludeSubAccounts: false }
const open = { from: undefined, to: undefined }

test('a range may be open at either end, or a single day', () => {
  const { Ex, Pay, Record, Deadline } = dayRanges({
    ...none,
    FromExDate: '2026-11-15',
    ToPayDate: '2026-11-16',
    FromRecordDate: '2026-11-17',
    ToRecordDate: '2026-11-17',
  })
  assert.deepEqual(Ex, { from: '2026-11-15', to: undefined })
  assert.deepEqual(Pay, { from: undefined, to: '2026-11-16' })
  assert.deepEqual(Record, { from: '2026-11-17', to: '2026-11-17' })
  assert.deepEqual(Deadline, open)
})

test('rejects all ranges that end before they begin, together', () => {
  const wrong = {
    ...none,
    FromExDate: '2026-11-16',
    ToExDate: '2026-11-15',
    FromDeadlineDate: '2027-01-01',
    ToDeadlineDate: '2026-12-31',
    FromPayDate: '2026-01-01',
    ToPayDate: '2026-01-02',
  }
  assert.throws(
    () => dayRanges(wrong),
    (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual(error.modelState, {
        FromDeadlineDate: ['Must not be after ToDeadlineDate.'],
        FromExDate: ['Must not be after ToExDate.'],
      })
      return true
    },
  )
})

test('splits keywords into unique lower-case words', () => {
  assert.deepEqual(keywordsOf(' Vestas  vestas\tDK '), ['vestas', 'dk'])
  assert.deepEqual(keywordsOf('   '), [])
  assert.deepEqual(keywordsOf(undefined), [])
})

const today = '2026-11-15'
const passes = (event: Partial<EventFacts>, filters: Partial<EventFilters> = {}) => {
  const all = { ...none, ...filters }
  const selection = baseSelection(Temporal.PlainDate.from(today), all.IncludeLapsedEvents)
  return passesFilters(eventFacts(event), eventCriteria(all, selection), today)
}

test('without filters, an event is listed by its key date, state and status', () => {
  assert.equal(passes({}), true)
  assert.equal(passes({ keyDate: null }), false)
  assert.equal(passes({ keyDate: '2025-11-14' }), false)
  assert.equal(passes({ keyDate: '2027-11-16' }), false)
  assert.equal(passes({ state: 'Complete' }), false)
  assert.equal(passes({ status: 'Past' }), false)
  assert.equal(passes({ status: 'Past' }, { IncludeLapsedEvents: true }), true)
  assert.equal(passes({ status: 'Past', state: 'Withdrawn' }), true)
  assert.equal(passes({ state: 'Cancelled' }, { IncludeLapsedEvents: true }), false)
})

test('a range of days contains the day, or any of several; an event without one is outside', () => {
  const range = { FromExDate: '2026-11-16', ToExDate: '2026-11-17' }
  for (const [exOn, isInside] of [
    ['2026-11-15', false],
    ['2026-11-16', true],
    ['2026-11-17', true],
    ['2026-11-18', false],
    [null, false],
  ] as const)
    assert.equal(passes({ exOn }, range), isInside, String(exOn))
  assert.equal(passes({ exOn: '2030-01-01' }, { FromExDate: '2026-11-16' }), true)
  assert.equal(passes({ recordOn: '2020-01-01' }, { ToRecordDate: '2026-11-16' }), true)
  assert.equal(passes({ deadlines: ['2026-11-01', '2026-12-01'] }, { FromDeadlineDate: '2026-12-01' }), true)
  assert.equal(passes({ deadlines: [] }, { FromDeadlineDate: '2026-12-01' }), false)
  assert.equal(passes({ payments: ['2026-12-02'] }, { ToPayDate: '2026-12-01' }), false)
})

test('lists of values and the status of today', () => {
  assert.equal(passes({}, { AssetTypes: ['CfdOnStock', 'Stock'] }), true)
  assert.equal(passes({}, { AssetTypes: ['CfdOnStock'] }), false)
  assert.equal(passes({}, { CorporateActionTypes: ['Voluntary'] }), false)
  assert.equal(passes({}, { EventTypes: ['TEND'] }), false)
  assert.equal(passes({}, { EventStates: ['Approved'] }), false)
  assert.equal(passes({ startsOn: '2026-11-16' }, { EventStatus: 'Upcoming' }), true)
  assert.equal(passes({ startsOn: '2026-11-15' }, { EventStatus: 'Upcoming' }), false)
})

test('all keywords must be in the description, ISIN or symbol, in any case and none across two of them', () => {
  const names = { description: 'Novo Nordisk B', isin: 'DK0062498333', symbol: null }
  assert.equal(passes(names, { Keywords: 'NORD dk006' }), true)
  assert.equal(passes(names, { Keywords: 'nord xcse' }), false)
  assert.equal(passes(names, { Keywords: 'bdk' }), false)
  assert.equal(passes({}, { Keywords: 'null' }), false)
})
