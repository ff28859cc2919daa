import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../events/schema.ts'
import { askedFilters } from './event-filters.ts'
import { type EventList, eventListBody } from './event-list.ts'
import { dueEvents } from './event-words.ts'

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
  const asked = askedFilters((name) => values.getAll(name))
  const form = { action: '/console/events', asked, choices: {}, top: undefined, hasOrder: true }
  const reader = { now, zone: 'UTC' }
  const list = { form, events: [], count: 0, next: undefined, isFirstPage: true, due: [], refused: [], reader, ...more }
  return eventListBody(list).toString()
}

test('what is to be answered comes by deadline, without what is past, elected, called off or no longer open', () => {
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
  assert.match(body('', { due, events: due.map(({ event }) => event) }), /No option is marked as the default.*1 more/s)
})

test('an empty list says why, and what to do', () => {
  const nothingHeld = body('SortType=Asc', {})
  assert.match(nothingHeld, /Nothing awaits an answer from you.*Nothing is happening to what you hold/s)
  assert.match(nothingHeld, /href="\/console\/events\?IncludeLapsedEvents=true"/)
  assert.match(body('EventStatus=Past', {}), /No event matches all of these filters.*Clear all filters/s)
  const refused = body('EventStatus=Past', { refused: ['No.'] })
  assert.doesNotMatch(refused, /No event matches|Answer next/)
})

test('pages keep the filters, and a file that cannot hold all says so', () => {
  const events = [event('a', '2026-12-02T08:30:00Z')]
  const page = body('Keywords=a', { events, count: 1_001, next: 'T&1', isFirstPage: false })
  assert.match(page, /rel="next" href="\/console\/events\?Keywords=a&amp;\$skiptoken=T%261"/)
  assert.match(page, /A file has the first 1,000/)
  assert.doesNotMatch(page, /Answer next/)
})
