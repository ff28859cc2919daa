import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../events/api/schema.ts'
import { dueEvents, keyDateOf } from '../labels.ts'
import { answerBody } from './decisions.ts'
import { type EventList, eventListBody } from './event-list.ts'
import { askedFilters } from './filters.ts'

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
  const awaiting = { due: [], isWhole: true }
  const list = { form, events: [], count: 0, next: undefined, isFirstPage: true, awaiting, refused: [], reader }
  return eventListBody({ ...list, ...more }).toString()
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
  const awaiting = { due, isWhole: true }
  const card = body('', { awaiting, events: due.map(({ event }) => event) })
  assert.match(card, /No option is marked as the default.*All 2 that await an answer<.*given to the bank or broker/s)

  const answers = (more: object) => {
    const asked = askedFilters((name) => (name === 'IncludeSubAccounts' ? ['true'] : []))
    const list = { asked, choices: {}, refused: [], reader: { now, zone: 'UTC' }, awaiting: { ...awaiting, ...more } }
    return answerBody(list).toString()
  }
  assert.match(
    answers({}),
    /With clients below.*<strong>2<\/strong> events await an answer.*events\/soon\?.*events\/late\?/s,
  )
  assert.match(answers({ until: '2026-12-16' }), /Deadlines after 16 Dec 2026 are left out/)
  assert.match(answers({ isWhole: false }), /There are more than can be read at once/)
  const many = answers({ due: Array(201).fill(due[0]) })
  assert.match(many, /<strong>201<\/strong>.*The first 200 are shown/)
  assert.equal(many.match(/scope="row"/g)?.length, 200)
  assert.match(answers({ due: [] }), /Nothing awaits an answer.*href="\/console\/events\?IncludeSubAccounts=true"/s)
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
  const page = body('Keywords=a', { events, count: 1_001, next: 'T&1', isFirstPage: false, awaiting: undefined })
  assert.match(page, /rel="next" href="\/console\/events\?Keywords=a&amp;\$skiptoken=T%261"/)
  assert.match(page, /A file has the first 1,000/)
  assert.doesNotMatch(page, /Answer next/)
})

test('a list shows what it is sorted by: the date that an event is known by, or another column', () => {
  const events = [event('a', '2026-12-02T08:30:00Z', { Record: { Date: '2026-12-09' } } as Partial<Event>)]
  assert.match(body('', { events }), /by date, latest first.*Date <span aria-hidden="true">↓.*9 Dec 2026<br>.*record/s)
  const byName = body('SortColumn=instrumentdescription&SortType=asc', { events })
  assert.match(byName, /by instrumentdescription, ascending.*Event <span aria-hidden="true">↑.*>Date<\/th>/s)
  const days = [
    ['announced', { AnnouncedDate: '2026-11-05' }],
    ['payment', { Options: ['04', '03'].map((on) => ({ OptionId: on, Payment: { Date: `2026-11-${on}` } })) }],
    ['record', { Record: { Date: '2026-11-02' } }],
    ['effective', { Effective: { Date: '2026-11-02' } }],
    ['ex', { Ex: { Date: '2026-11-01' } }],
  ] as const
  let told = {}
  for (const [word, more] of days) {
    told = { ...told, ...more }
    assert.equal(keyDateOf(told as Event)?.word, word)
  }
  assert.equal(keyDateOf({ ...told, Ex: {}, Effective: {}, Record: {} } as Event)?.on, '2026-11-03')
  assert.equal(keyDateOf({} as Event), undefined)
})
