import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import { dueEvents } from '../../../events/rules/status/status.ts'
import { decisionsBody } from './decisions.ts'
import { type EventList, eventListBody } from './event-list.ts'
import { parseFilters } from './filters.ts'

const now = Temporal.Instant.from('2026-11-15T12:00:00Z')

const event = (EventId: string, deadline: string, more: Partial<Event> = {}): Event =>
  ({
    EventId,
    Uic: 1,
    AssetType: 'Stock',
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND', Name: 'Tender Offer' },
    EventState: 'Confirmed',
    EventStatus: 'Active',
    Electable: 'Electable',
    ElectionStatus: 'NotElected',
    Options: [{ OptionId: '1', Deadline: { Date: deadline } }],
    ...more,
  }) as Event

const body = (query: string, more: Partial<EventList>): string => {
  const values = new URLSearchParams(query)
  const filters = parseFilters((name) => values.getAll(name))
  const form = { action: '/console/events', filters, choices: {}, top: undefined, hasOrder: true }
  const reader = { now, zone: 'UTC' }
  const decisions = { due: [], isComplete: true }
  const list = {
    form,
    why: undefined,
    events: [],
    count: 0,
    next: undefined,
    isFirstPage: true,
    decisions,
    errors: [],
    reader,
    acceptsElections: false,
  }
  return eventListBody({ ...list, ...more }).toString()
}

test('lists pending decisions by deadline, without past, elected, cancelled and closed ones', () => {
  const due = dueEvents(
    [
      event('late', '2026-12-02T08:30:00Z'),
      event('past', '2026-11-15T11:59:59Z'),
      event('soon', '2026-11-15T12:00:01Z', { ElectionStatus: 'PartialElected' }),
      event('elected', '2026-11-20T08:30:00Z', { ElectionStatus: 'Elected' }),
      event('off', '2026-11-20T08:30:00Z', { EventState: 'Withdrawn' }),
      event('none', '2026-11-20T08:30:00Z', { Electable: 'NotElectable' }),
      event('shut', '2026-11-20T08:30:00Z', {
        Options: [{ OptionId: '1', OptionStatus: 'Cancelled', Deadline: { Date: '2026-11-20T08:30:00Z' } }],
      }),
      event('unset', '9999-12-31T00:00:00Z'),
    ],
    now,
  )
  assert.deepEqual(
    due.map(({ event }) => event.EventId),
    ['soon', 'late'],
  )
  const decisions = { due, isComplete: true }
  const card = body('', { decisions, events: due.map(({ event }) => event) })
  assert.match(card, /No option is marked as the default.*All 2 pending decisions<.*to your bank or broker/s)

  const page = (more: object) => {
    const filters = parseFilters((name) => (name === 'IncludeSubAccounts' ? ['true'] : []))
    const list = {
      filters,
      choices: {},
      errors: [],
      reader: { now, zone: 'UTC' },
      decisions: { ...decisions, ...more },
      acceptsElections: true,
    }
    return decisionsBody(list).toString()
  }
  assert.match(
    page({}),
    /Including sub-clients.*<strong>2<\/strong> pending decisions.*events\/soon\?.*events\/late\?/s,
  )
  assert.match(page({ until: '2026-12-16' }), /Deadlines after 16 Dec 2026 are not included/)
  assert.match(page({ isComplete: false }), /The list is incomplete/)
  const many = page({ due: Array(201).fill(due[0]) })
  assert.match(many, /<strong>201<\/strong>.*Showing the first 200/)
  assert.equal(many.match(/scope="row"/g)?.length, 200)
  assert.match(page({ due: [] }), /No pending decisions.*href="\/console\/events\?IncludeSubAccounts=true"/s)
})

test('a deadline without a time is shown as a day, and is open until the day is over', () => {
  const due = dueEvents(
    [
      event('day', '2026-11-15T00:00:00Z'),
      event('time', '2026-11-15T20:00:00.000000Z'),
      event('over', '2026-11-14T00:00:00Z'),
      event('midnight', '2026-11-16T00:00:00.000000Z'),
    ],
    now,
  )
  assert.deepEqual(
    due.map(({ event }) => event.EventId),
    ['time', 'day', 'midnight'],
  )
  const decisions = { due: due.slice(1), isComplete: true }
  const reader = { now, zone: 'America/New_York' }
  const card = body('', { decisions, events: due.map(({ event }) => event), reader })
  assert.match(
    card,
    /Elect by<\/span> <strong><time [^>]*>15 Nov 2026<\/time><\/strong>\s*<span class="small">end of day UTC, in 12 hours</,
  )
  assert.match(card, /<td[^>]*>15 Nov 2026<br><span class="quiet">in 12 hours, end of day UTC</)
  assert.match(card, /<td[^>]*>15 Nov 2026, 19:00<br><span class="quiet">in 12 hours</, 'midnight UTC is a time')
})

test('an empty list explains why and what to do', () => {
  const nothingHeld = body('SortType=Asc', {})
  assert.match(nothingHeld, /No pending decisions.*No corporate actions/s)
  assert.match(nothingHeld, /href="\/console\/events\?IncludeLapsedEvents=true"/)
  assert.match(body('EventStatus=Past', {}), /No events match these filters.*Clear all filters/s)
  const rejected = body('EventStatus=Past', { errors: ['No.'] })
  assert.doesNotMatch(rejected, /No events match|Needs your decision/)
})

test('page links keep the filters, and truncated files are announced', () => {
  const events = [event('a', '2026-12-02T08:30:00Z')]
  const page = body('Keywords=a', { events, count: 1_001, next: 'T&1', isFirstPage: false, decisions: undefined })
  assert.match(page, /rel="next" href="\/console\/events\?Keywords=a&amp;\$skiptoken=T%261"/)
  assert.match(page, /Files contain the first 1,000/)
  assert.doesNotMatch(page, /Needs your decision/)
})

test('marks the column that the list is sorted by', () => {
  const events = [event('a', '2026-12-02T08:30:00Z', { Record: { Date: '2026-12-09' } } as Partial<Event>)]
  assert.match(body('', { events }), /by date, latest first.*Date <span aria-hidden="true">↓.*9 Dec 2026<br>.*record/s)
  const byName = body('SortColumn=instrumentdescription&SortType=asc', { events })
  assert.match(byName, /by instrumentdescription, ascending.*Event <span aria-hidden="true">↑.*>Date<\/th>/s)
})
