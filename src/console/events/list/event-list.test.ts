import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import { agendaOf, coveredUntil } from './agenda.ts'
import { type EventList, eventListBody } from './event-list.ts'
import { parseFilters } from './filters.ts'

const now = Temporal.Instant.from('2026-11-15T12:00:00Z')

const event = (EventId: string, deadline: string | undefined, more: Partial<Event> = {}): Event =>
  ({
    EventId,
    Uic: 1,
    AssetType: 'Stock',
    CorporateActionType: 'Voluntary',
    EventType: { Code: 'TEND', Name: 'Tender Offer' },
    EventState: 'Confirmed',
    EventStatus: 'Active',
    ...(deadline === undefined
      ? { Electable: 'NotElectable' }
      : {
          Electable: 'Electable',
          ElectionStatus: 'NotElected',
          Options: [{ OptionId: '1', Deadline: { Date: deadline } }],
        }),
    ...more,
  }) as Event
const dated = (EventId: string, day: string): Event => event(EventId, undefined, { Ex: { Date: day } })

const body = (query: string, more: Partial<EventList>): string => {
  const values = new URLSearchParams(query)
  const filters = parseFilters((name) => values.getAll(name))
  const form = { action: '/console/events', filters, choices: {}, top: undefined, hasPages: true }
  const list = { form, errors: [], reader: { now, zone: 'UTC' }, acceptsElections: true, agenda: { events: [] } }
  return eventListBody({ ...list, ...more }).toString()
}
const paged = (events: readonly Event[], more: object = {}): Partial<EventList> => ({
  page: { events, count: events.length, next: undefined, isFirst: true, ...more },
})

const agenda = [
  dated('ahead', '2026-11-20'),
  event('late', '2026-12-02T08:30:00Z'),
  dated('under way', '2026-11-10'),
  event('soon', '2026-11-15T12:00:01Z', { ElectionStatus: 'PartialElected', Ex: { Date: '2026-11-01' } }),
  dated('today', '2026-11-15T00:00:00Z'),
  event('withdrawn', '2026-11-20T08:30:00Z', { EventState: 'Withdrawn', Ex: { Date: '2026-11-18' } }),
  event('undated', undefined),
  dated('unset', '9999-12-31'),
  { ...dated('announced', '2026-08-18'), EventStatus: 'Upcoming' } as Event,
]
const ids = (events: readonly Event[]) => events.map(({ EventId }) => EventId)

test('decisions come first, then what is under way, a line for today, and what is ahead', () => {
  const { decide, underWay, ahead } = agendaOf([...agenda, ...agenda.slice(0, 1)], now)
  assert.deepEqual(ids(decide), ['soon', 'late'])
  assert.deepEqual(ids(underWay), ['under way'])
  assert.deepEqual(ids(ahead), ['announced', 'today', 'withdrawn', 'ahead', 'undated', 'unset'])

  const page = body('', { agenda: { events: agenda } })
  assert.match(
    page,
    /Needs your decision.*>2<.*events\/soon".*events\/late".*Under way.*events\/under%20way".*Today, 15 Nov 2026.*events\/today".*events\/ahead"/s,
  )
  assert.match(page, /Withdrawn/)
  assert.doesNotMatch(page, /bank or broker/)
  assert.match(body('', { agenda: { events: agenda }, acceptsElections: false }), /2 · .*to your bank or broker/)
  assert.match(body('', { agenda: { events: agenda.slice(0, 1) } }), /nothing to decide/)
})

test('a list that is cut has no gap: later events are left out, and linked', () => {
  assert.equal(coveredUntil(agenda.slice(0, 1), true), '2026-11-20')
  assert.equal(coveredUntil(agenda, false), undefined)
  assert.equal(coveredUntil([], true), undefined)
  assert.deepEqual(ids(agendaOf(agenda, now, '2026-11-18').ahead), ['announced', 'today', 'withdrawn'])
  const due = Array(201).fill({ event: agenda[1], at: '2026-12-02T08:30:00Z' })
  const decisions = { due, until: '2026-12-16', isComplete: false }
  const cut = body('', { agenda: { events: agenda, until: '2026-11-18', decisions } })
  assert.match(
    cut,
    /201 · deadlines until 16 Dec 2026 · incomplete: there are too many events · the first 200 are shown/,
  )
  assert.equal(cut.match(/events\/late"/g)?.length, 200)
  assert.match(cut, /EventStatus=Active&amp;SortColumn=Date&amp;SortType=Asc.*more events after 18 Nov 2026/s)
})

test('a deadline without a time is a day in UTC, and is open until the day is over', () => {
  const events = [
    event('time', '2026-11-15T20:00:00.000000Z'),
    event('day', '2026-11-15T00:00:00Z'),
    event('midnight', '2026-11-16T00:00:00.000000Z'),
    event('over', '2026-11-14T00:00:00Z', { Options: [{ OptionId: '1', Deadline: { Date: '2026-11-14' } }] }),
  ]
  assert.deepEqual(ids(agendaOf(events, now).decide), ['time', 'day', 'midnight'])
  const page = body('', { agenda: { events }, reader: { now, zone: 'America/New_York' } })
  assert.match(page, />15 Nov UTC<\/time> <span class="quiet">in 12 hours</)
  assert.match(page, />15 Nov, 19:00<\/time> <span class="quiet">in 12 hours</, 'midnight UTC is a time')
  assert.match(page, /Deadline, New York/)
})

test('an empty list explains why and what to do', () => {
  assert.match(body('', {}), /No corporate actions.*EventStatus=Past&amp;IncludeLapsedEvents=true">Show past events/s)
  assert.match(body('Keywords=a', {}), /No upcoming events match.*Keywords=a&amp;.*EventStatus=Past.*">Show past/s)
  assert.match(body('EventStatus=Active&Keywords=a', paged([])), /No events match these filters.*Clear all filters/s)
  assert.doesNotMatch(body('EventStatus=Past', { errors: ['No.'] }), /No events match|Needs your decision/)
})

test('page links keep the filters, and truncated files are announced', () => {
  const events = [event('a', '2026-12-02T08:30:00Z')]
  const page = body('Keywords=a', paged(events, { count: 1_001, next: 'T&1', isFirst: false }))
  assert.match(page, /rel="next" href="\/console\/events\?Keywords=a&amp;\$skiptoken=T%261"/)
  assert.match(page, /Files contain the first 1,000/)
  assert.doesNotMatch(page, /Needs your decision/)
})

test('the headings sort: the sorted one says how, and reverses', () => {
  const events = [dated('a', '2026-12-09')]
  const byDate = body('EventStatus=Past', paged(events))
  assert.match(
    byDate,
    /aria-sort="descending"><a class="sort" href="[^"]*SortColumn=Date&amp;SortType=Asc">Date<.*9 Dec <span class="quiet">ex</s,
  )
  const byName = body('SortColumn=instrumentdescription&SortType=asc', paged(events))
  assert.match(
    byName,
    /aria-sort="ascending"><a class="sort" href="[^"]*SortColumn=InstrumentDescription&amp;SortType=Desc">Instrument/,
  )
  assert.equal(byName.match(/aria-sort/g)?.length, 1)
})
