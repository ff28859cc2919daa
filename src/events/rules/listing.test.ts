import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseSelection, eventStatus, searchedStates } from './listing.ts'

const day = (text: string) => Temporal.PlainDate.from(text)

test('§4.2: listed are events within one year of today, on both sides and with the borders', () => {
  const { from, to } = baseSelection(day('2026-11-15'), false)
  assert.deepEqual([from, to], ['2025-11-15', '2027-11-15'])
})

test('a year around a leap day ends on the last day of February', () => {
  const { from, to } = baseSelection(day('2028-02-29'), false)
  assert.deepEqual([from, to], ['2027-02-28', '2029-02-28'])
})

test('§4.2: neither Cancelled nor Complete events are listed; of the lapsed ones nobody hears who has not asked', () => {
  const { states, lapsedStates, includesLapsed } = baseSelection(day('2026-11-15'), false)
  assert.deepEqual(states, ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn'])
  assert.deepEqual(lapsedStates.toSorted(), ['Cancelled', 'Confirmed', 'Preliminary'])
  assert.equal(includesLapsed, false)
  assert.equal(baseSelection(day('2026-11-15'), true).includesLapsed, true)
})

test('§4.2: operation 8 looks where it is told, else where nothing is over', () => {
  assert.deepEqual(searchedStates(['Complete']), ['Complete'])
  assert.deepEqual(searchedStates(undefined), ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn'])
})

test('the status is what the data says, whatever the dates', () => {
  assert.equal(eventStatus({ status: 'Active', startsOn: '2027-01-01', endsOn: '2027-02-01' }, '2026-11-15'), 'Active')
})

test('without it the dates decide: Upcoming before the first, Past after the last, Active between and without any', () => {
  const on = (today: string, startsOn: string | null, endsOn: string | null) =>
    eventStatus({ status: null, startsOn, endsOn }, today)
  assert.equal(on('2026-11-14', '2026-11-15', '2026-11-20'), 'Upcoming')
  assert.equal(on('2026-11-15', '2026-11-15', '2026-11-20'), 'Active')
  assert.equal(on('2026-11-20', '2026-11-15', '2026-11-20'), 'Active')
  assert.equal(on('2026-11-21', '2026-11-15', '2026-11-20'), 'Past')
  assert.equal(on('2026-11-15', null, '2026-11-14'), 'Past')
  assert.equal(on('2026-11-15', '2026-11-14', null), 'Active')
  assert.equal(on('2026-11-15', null, null), 'Active')
})
