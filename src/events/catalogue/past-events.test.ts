import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, stock1 } from '../../../test/support/events/event-facts.ts'
import type { EventFacts } from '../rules/facts.ts'
import { EventIndex } from './event-index.ts'
import { PastEvents } from './past-events.ts'

const state = { events: { revision: 1, identity: 'e' }, reference: { revision: 1, identity: 'r' } }
const row = (more: Partial<EventFacts>) => {
  const { deadlines: _, payments: __, closing: ___, ...facts } = eventFacts(more)
  return { ...facts, deadlines: '', payments: '', options: null }
}
const idsOf = (events: readonly EventFacts[]) => events.map(({ eventId }) => eventId).toSorted()

function setting() {
  const index = new EventIndex(state)
  index.add(['a', 'b', 'c'].map((eventId) => row({ eventId })))
  const past = new PastEvents(index, async () => [])
  index.register(past)
  return { index, past }
}

test('has the events of the index, but for those that were otherwise', () => {
  const { past } = setting()
  past.put('a', undefined)
  past.put('b', eventFacts({ eventId: 'b', state: 'Preliminary' }))
  past.put('gone', eventFacts({ eventId: 'gone' }))

  assert.deepEqual(idsOf(past.eventsOf(stock1)), ['b', 'c', 'gone'])
  assert.deepEqual([past.find('a'), past.find('b')?.state, past.find('x')], [undefined, 'Preliminary', undefined])
  past.put('b', eventFacts({ eventId: 'b', uic: 2 }))
  assert.deepEqual(idsOf(past.eventsOf(stock1)), ['c', 'gone'])
  assert.equal(past.size, 3)
})

test('stays as it is when the index changes', () => {
  const { index, past } = setting()
  past.put('a', eventFacts({ eventId: 'a', state: 'Preliminary' }))

  const changed = ['a', 'c', 'new'].map((eventId) => row({ eventId, state: 'Withdrawn' }))
  index.apply({ changed, removed: ['b'] }, state)

  assert.deepEqual(idsOf(past.eventsOf(stock1)), ['a', 'b', 'c'])
  assert.deepEqual(
    ['a', 'b', 'c', 'new'].map((id) => past.find(id)?.state),
    ['Preliminary', 'Confirmed', 'Confirmed', undefined],
  )
})
