import assert from 'node:assert/strict'
import { test } from 'node:test'
import { baseSelection, electionStatus, eventStatus, searchedStates, standingInstructionStatus } from './listing.ts'

const day = (text: string) => Temporal.PlainDate.from(text)

test('§7.2: lists events within one year of today, inclusive', () => {
  const { from, to } = baseSelection(day('2026-11-15'), false)
  assert.deepEqual([from, to], ['2025-11-15', '2027-11-15'])
})

test('a year from a leap day ends on the last day of February', () => {
  const { from, to } = baseSelection(day('2028-02-29'), false)
  assert.deepEqual([from, to], ['2027-02-28', '2029-02-28'])
})

test('§7.2: lists neither Cancelled nor Complete events, and lapsed ones only on request', () => {
  const { states, lapsedStates, includesLapsed } = baseSelection(day('2026-11-15'), false)
  assert.deepEqual(states, ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn'])
  assert.deepEqual(lapsedStates.toSorted(), ['Cancelled', 'Confirmed', 'Preliminary'])
  assert.equal(includesLapsed, false)
  assert.equal(baseSelection(day('2026-11-15'), true).includesLapsed, true)
})

test('§7.3: operation 8 searches the given states, else those that are not over', () => {
  assert.deepEqual(searchedStates(['Complete']), ['Complete'])
  assert.deepEqual(searchedStates(undefined), ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn'])
})

test('§7.5: the status in the data takes precedence over the dates', () => {
  assert.equal(eventStatus({ status: 'Active', startsOn: '2027-01-01', endsOn: '2027-02-01' }, '2026-11-15'), 'Active')
})

test('§7.5: without a status, Upcoming before the first date, Past after the last, else Active', () => {
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

test('only electable events have an election status', () => {
  assert.equal(electionStatus(false, 10, 10), undefined)
})

test('distinguishes no, partial and full elections; more than held is full', () => {
  assert.equal(electionStatus(true, 10, 0), 'NotElected')
  assert.equal(electionStatus(true, 10, 9.999), 'PartialElected')
  assert.equal(electionStatus(true, 10, 10), 'Elected')
  assert.equal(electionStatus(true, 10, 11), 'Elected')
})

test('elections from short positions are negative', () => {
  assert.equal(electionStatus(true, -10, -4), 'PartialElected')
  assert.equal(electionStatus(true, -10, -10), 'Elected')
})

test('a standing instruction is what the data says, else none where one would apply', () => {
  assert.equal(standingInstructionStatus('DVOP', 'Created'), 'Created')
  assert.equal(standingInstructionStatus('DVOP', undefined), 'NotCreated')
  assert.equal(standingInstructionStatus('DRIP', undefined), 'NotCreated')
  assert.equal(standingInstructionStatus('TEND', undefined), undefined)
  assert.equal(standingInstructionStatus('TEND', 'NotCreated'), 'NotCreated')
})

test('with nothing held, any election is full', () => {
  assert.equal(electionStatus(true, 0, 0), 'NotElected')
  assert.equal(electionStatus(true, 0, 5), 'Elected')
})
