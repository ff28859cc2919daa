import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, stock1 } from '../../../test/support/events/event-facts.ts'
import type { EventFacts } from '../rules/facts.ts'
import { EventIndex, SharedTexts } from './event-index.ts'

const state = (revision: number) => ({
  events: { revision, identity: `e${revision}` },
  reference: { revision: 1, identity: 'r' },
})
const row = (more: Partial<EventFacts> = {}) => {
  const { deadlines, payments, closing: _, ...facts } = eventFacts(more)
  return { ...facts, deadlines: deadlines.join(), payments: payments.join(), options: null }
}
const idsOf = (events: readonly EventFacts[]) => events.map(({ eventId }) => eventId).toSorted()

test('finds events by id and by instrument', () => {
  const index = new EventIndex(state(1))
  index.add([
    row({ eventId: 'a' }),
    row({ eventId: 'b', uic: 2 }),
    row({ eventId: 'c', deadlines: ['2026-12-01', '2026-12-02'] }),
  ])
  assert.deepEqual(index.find('c'), eventFacts({ eventId: 'c', deadlines: ['2026-12-01', '2026-12-02'] }))
  assert.deepEqual(idsOf(index.eventsOf(stock1)), ['a', 'c'])
  assert.deepEqual([index.find('x'), index.eventsOf('Stock 9'), index.size], [undefined, [], 3])
})

test('changes replace, move and remove events; what a request has chosen stays as it was', () => {
  const index = new EventIndex(state(1))
  index.add([row({ eventId: 'a' }), row({ eventId: 'b' }), row({ eventId: 'c' })])
  const [chosen, before] = [index.eventsOf(stock1), index.find('a')]
  const changed = [row({ eventId: 'a', uic: 2, revision: 2 }), row({ eventId: 'c', state: 'Withdrawn', revision: 2 })]

  // c was removed and added again between the two states.
  const gone = index.apply({ changed, removed: ['b', 'c', 'unknown'] }, state(2))

  assert.deepEqual(idsOf(gone), ['a', 'b', 'c'])
  assert.deepEqual(idsOf(index.eventsOf(stock1)), ['c'])
  assert.deepEqual(
    [index.find('c')?.state, index.find('a')?.uic, index.find('b'), index.size],
    ['Withdrawn', 2, undefined, 2],
  )
  assert.equal(index.state.events.revision, 2)
  assert.deepEqual([idsOf(chosen), before?.uic], [['a', 'b', 'c'], 1])
  index.apply({ changed: [], removed: ['c'] }, state(3))
  assert.deepEqual(index.eventsOf(stock1), [])
})

test('equal texts are kept once', () => {
  const texts = new SharedTexts()
  assert.equal(texts.shared(null), null)
  assert.equal(texts.shared('2026'), '2026')
  assert.equal(texts.days('2026-12-01,2026-12-02'), texts.days('2026-12-01,2026-12-02'))
  assert.deepEqual(texts.days(''), [])
})
