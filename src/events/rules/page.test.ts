import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, stock1 } from '../../../test/support/events/event-facts.ts'
import type { EventFilters } from '../api/schema.ts'
import type { EventFacts } from './facts.ts'
import { eventCriteria } from './filters.ts'
import type { Applied, Held } from './holdings.ts'
import { baseSelection } from './listing.ts'
import type { ListedEvent } from './order.ts'
import { type EventPage, eventsUpTo, matchingEvents, pageOf } from './page.ts'

const today = '2026-11-15'
const applied = (more: Partial<Applied> = {}): Applied => ({ affected: 1, eligible: 10, size: 10, elected: 0, ...more })

function matching(events: EventFacts[], held: Held, ElectionStatuses?: EventFilters['ElectionStatuses']) {
  const filters = {
    IncludeLapsedEvents: false,
    IncludeSubAccounts: false,
    ...(ElectionStatuses && { ElectionStatuses }),
  }
  const selection = baseSelection(Temporal.PlainDate.from(today), false)
  const criteria = eventCriteria(filters, selection)
  const found = matchingEvents(new Map([[stock1, held]]), (key) => (key === stock1 ? events : []), criteria, {
    today,
    nowMs: 0,
  })
  return found.map(({ event }) => event.eventId)
}

test('an event matches if it passes the filters, applies to a holding and has the election status', () => {
  const events = [
    eventFacts({ eventId: 'late', keyDate: '2030-01-01' }),
    eventFacts({ eventId: 'fixed' }),
    eventFacts({ eventId: 'open', isElectable: true }),
    eventFacts({ eventId: 'elected', isElectable: true }),
    eventFacts({ eventId: 'elsewhere' }),
  ]
  const held: Held = {
    wasHeld: () => true,
    applied: ({ eventId }) =>
      eventId === 'elsewhere' ? undefined : applied({ elected: eventId === 'elected' ? 10 : 0 }),
  }
  assert.deepEqual(matching(events, held), ['fixed', 'open', 'elected'])
  assert.deepEqual(matching(events, held, ['NotElected']), ['open'])
  assert.deepEqual(matching(events, held, ['Elected', 'PartialElected']), ['elected'])
})

const order = { column: 'EventId', type: 'Asc' } as const
const all = ['a', 'b', 'c'].map((eventId): ListedEvent => ({ event: eventFacts({ eventId }), applied: applied() }))
function pageIn(events: readonly ListedEvent[], page: EventPage) {
  const collected = eventsUpTo(page)
  collected.add(events)
  return pageOf(collected, page)
}
const page = (more: object) => {
  const { rows, next } = pageIn(all, { top: 2, skip: 0, order, after: undefined, ...more })
  return [rows.map(({ event }) => event.eventId).join(''), next?.eventId]
}

test('a page has a cursor unless it is the last', () => {
  assert.deepEqual(page({}), ['ab', 'b'])
  assert.deepEqual(page({ skip: 1 }), ['bc', undefined])
  assert.deepEqual(page({ skip: 5 }), ['', undefined])
  assert.deepEqual(page({ top: 0 }), ['', undefined])
  assert.deepEqual(page({ after: { value: 'a', eventId: 'a' } }), ['bc', undefined])
})

test('a page ends after 20,000 accounts, unless the accounts per event are limited', () => {
  const holding = {
    account: { key: '', id: '', elections: new Map(), standing: new Map() },
    amount: 1,
    elected: 0,
    elections: null,
  }
  const many = applied({ affected: 20_000, holdings: Array.from({ length: 20_000 }, () => holding) })
  const events = all.map(({ event }) => ({ event, applied: many }))
  const options = { top: 3, skip: 0, order, after: undefined }
  assert.deepEqual(pageIn(events, options).rows.length, 1)
  assert.equal(pageIn(events, options).next?.eventId, 'a')
  assert.equal(pageIn(events, { ...options, maxAccounts: 20 }).rows.length, 3)
})
