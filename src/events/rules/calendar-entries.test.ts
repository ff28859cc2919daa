import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEvent, anOption } from '../../../test/support/events/event.ts'
import type { Event } from '../api/schema.ts'
import { calendarEntries } from './calendar-entries.ts'

const options = { host: 'desk.example', now: Temporal.Instant.from('2026-11-16T12:00:00Z') }
const entries = (...events: Event[]) => [...calendarEntries(events, options)]
const titles = (event: Event) => entries(event).map(({ at, title }) => `${at} ${title}`)
const instant = (Date: string) => ({ Deadline: { Date } })

test('creates an entry for each date and deadline of an event', () => {
  const event = anEvent({
    Ex: { Date: '2026-12-01T00:00:00Z' },
    Record: { Date: '2026-12-02' },
    Effective: { Date: '2026-12-03T00:00:00Z' },
    Options: [
      anOption('1', 'Cash', { ...instant('2026-11-28T16:00:00.000000Z'), Payment: { Date: '2026-12-20T00:00:00Z' } }),
    ],
  })
  assert.deepEqual(titles(event), [
    '2026-12-01 Ex date: Apple Inc., Tender Offer',
    '2026-12-02 Record date: Apple Inc., Tender Offer',
    '2026-12-03 Effective date: Apple Inc., Tender Offer',
    '2026-11-28T16:00:00.000000Z Deadline: Apple Inc., Tender Offer',
    '2026-12-20 Payment: Apple Inc., Tender Offer',
  ])
  const { Options: _, ...undated } = event
  assert.equal(entries(undated, event, anEvent()).length, 3 + 5)
})

test('a deadline without a time is an all-day entry, with an alarm until the day is over', () => {
  const [entry] = entries(anEvent({ Options: [anOption('1', 'Cash', instant('2026-11-16T00:00:00Z'))] }))
  assert.deepEqual([entry?.at, entry?.hasAlarm], ['2026-11-16', true])
  const [past] = entries(anEvent({ Options: [anOption('1', 'Cash', instant('2026-11-15T00:00:00Z'))] }))
  assert.deepEqual([past?.at, past?.hasAlarm], ['2026-11-15', false])
  const [midnight] = entries(anEvent({ Options: [anOption('1', 'Cash', instant('2026-11-17T00:00:00.000000Z'))] }))
  assert.equal(midnight?.at, '2026-11-17T00:00:00.000000Z')
})

test('creates no entry for an unset date', () => {
  const never = instant('9999-12-31T00:00:00.000000Z')
  assert.deepEqual(titles(anEvent({ Ex: { Status: 'Unknown' }, Record: { Date: '9999-12-31T00:00:00Z' } })), [])
  assert.deepEqual(titles(anEvent({ Options: [anOption('1', 'Cash', never)] })), [])
})

test('options with the same date share an entry; unavailable options have none', () => {
  const event = anEvent({
    Options: [
      anOption('1', 'Cash', instant('2026-11-28T16:00:00.000000Z')),
      anOption('2', 'Securities', instant('2026-11-27T16:00:00.000000Z')),
      anOption('3', 'No action', { ...instant('2026-11-28T16:00:00.000000Z'), IsDefault: true }),
      anOption('4', 'Gone', { ...instant('2026-11-26T16:00:00.000000Z'), OptionStatus: 'Cancelled' }),
      anOption('5', 'Asleep', { ...instant('2026-11-26T16:00:00.000000Z'), OptionStatus: 'Inactive' }),
    ],
  })
  assert.deepEqual(titles(event), [
    '2026-11-28T16:00:00.000000Z Deadline: Apple Inc., Tender Offer (options 1 Cash, 3 No action; default 3)',
    '2026-11-27T16:00:00.000000Z Deadline: Apple Inc., Tender Offer (option 2 Securities; default 3 No action)',
  ])
})

test('an entry keeps its unique id when its date changes', () => {
  const ids = (Date: string) => entries(anEvent({ Ex: { Date }, Options: [anOption('1/x', 'Cash', instant(Date))] }))
  const [before, after] = ['2026-12-01T00:00:00Z', '2026-12-09T00:00:00Z'].map((day) => ids(day).map(({ uid }) => uid))
  assert.deepEqual(before, after)
  assert.deepEqual(before, ['E1/ex@desk.example', 'E1/deadline/1%2Fx@desk.example'])
  const odd = anEvent({ EventId: 'a/ex', Ex: { Date: '2026-12-01' } })
  assert.deepEqual(entries(odd)[0]?.uid, 'a%2Fex/ex@desk.example')
  const half = anEvent({ Options: [anOption('\uD800', 'Cash', instant('2026-12-01T00:00:00Z'))] })
  assert.equal(entries(half)[0]?.uid, 'E1/deadline/%EF%BF%BD@desk.example')
})

test('shows cancelled and preliminary events in the status and the title', () => {
  const status = (EventState: Event['EventState']) =>
    entries(anEvent({ EventState, Ex: { Date: '2026-12-01' } })).map((entry) => `${entry.status} ${entry.title}`)
  assert.deepEqual(status('Confirmed'), ['CONFIRMED Ex date: Apple Inc., Tender Offer'])
  assert.deepEqual(status('Approved'), ['CONFIRMED Ex date: Apple Inc., Tender Offer'])
  assert.deepEqual(status('Preliminary'), ['TENTATIVE Expected: Ex date: Apple Inc., Tender Offer'])
  assert.deepEqual(status('Cancelled'), ['CANCELLED Cancelled: Ex date: Apple Inc., Tender Offer'])
  assert.deepEqual(status('Withdrawn'), ['CANCELLED Withdrawn: Ex date: Apple Inc., Tender Offer'])
})

test('titles a meeting as such, under the same id', () => {
  const meeting = (Code: string) =>
    entries(anEvent({ EventType: { Code }, Ex: { Date: '2026-12-01' }, Effective: { Date: '2026-12-03' } }))
  for (const code of ['BMET', 'CMET', 'MEET', 'OMET', 'XMET'])
    assert.deepEqual(
      meeting(code).map(({ title }) => title),
      [`Ex date: Apple Inc., ${code}`, `Meeting: Apple Inc., ${code}`],
    )
  assert.equal(meeting('MEET')[1]?.uid, 'E1/effective@desk.example')
})

test('announces new securities instead of a payment if no cash is paid', () => {
  const Payment = { Date: '2026-12-20' }
  const securities = anOption('1', 'Securities', {
    Payment,
    SecurityMovements: [{ SecurityMovementType: 'Credit', NewQuantity: 1, OldQuantity: 10 }],
  })
  const cash = anOption('2', 'Cash', { Payment, GrossRate: 1 })
  assert.deepEqual(titles(anEvent({ Options: [securities] })), ['2026-12-20 New securities: Apple Inc., Tender Offer'])
  assert.deepEqual(titles(anEvent({ Options: [securities, cash] })), ['2026-12-20 Payment: Apple Inc., Tender Offer'])
})

test('sets an alarm only for a deadline with a pending decision', () => {
  const ringing = (more: Partial<Event>) =>
    entries(anEvent({ Ex: { Date: '2026-12-01' }, ...more })).flatMap(({ hasAlarm, title }) =>
      hasAlarm ? [title] : [],
    )
  const Options = [anOption('1', 'Cash', instant('2026-11-28T16:00:00.000000Z'))]
  assert.deepEqual(ringing({ Options }), ['Deadline: Apple Inc., Tender Offer'])
  assert.deepEqual(ringing({ Options, ElectionStatus: 'PartialElected' }), ['Deadline: Apple Inc., Tender Offer'])
  assert.deepEqual(ringing({ Options, ElectionStatus: 'Elected' }), [])
  assert.deepEqual(ringing({ Options, Electable: 'NotElectable' }), [])
  assert.deepEqual(ringing({ Options, EventState: 'Withdrawn' }), [])
  const past = anOption('2', 'Early', instant('2026-11-16T11:59:59.000000Z'))
  assert.deepEqual(ringing({ Options: [past] }), [])
  assert.deepEqual(ringing({ Options: [past, ...Options] }), ['Deadline: Apple Inc., Tender Offer (option 1 Cash)'])
})
