import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { eventFacts } from '../../../test/support/events/event-facts.ts'
import { sortColumns } from '../api/enums.ts'
import type { EventFacts } from './facts.ts'
import { type Cursor, compareText, cursorOf, FirstEvents, isTextColumn, type ListedEvent, type Order } from './order.ts'

const listed = (eventId: string, facts: Partial<EventFacts> = {}, eligible = 0, affected = 1): ListedEvent => ({
  event: eventFacts({ eventId, ...facts }),
  applied: { affected, eligible, size: 0, elected: 0 },
})
const idsOf = (events: readonly ListedEvent[]) => events.map(({ event }) => event.eventId)

const events = [
  listed('c', { announcedOn: '2026-01-01', description: 'Zeta', updatedAt: 3 }, 2.5),
  listed('a', { announcedOn: '2025-12-31', description: 'alpha', updatedAt: 1, eventTypeName: 'Tender' }, 1e-45, 7),
  listed('b', { keyDate: null, description: null, updatedAt: 1, corporateActionType: 'Voluntary' }, -3),
]

function inOrder(events: readonly ListedEvent[], order: Order, after?: Cursor, max = Number.POSITIVE_INFINITY) {
  const first = new FirstEvents(order, after, max)
  first.add(events)
  return first.inOrder()
}

test('sorts by every column, ties by EventId ascending in both directions', () => {
  const expected: Record<(typeof sortColumns)[number], string> = {
    AffectedAccounts: 'bca abc',
    AnnouncedDate: 'bac cab',
    CorporateActionType: 'acb bac',
    Date: 'bac acb',
    EligibleHoldings: 'bac cab',
    EventId: 'abc cba',
    EventType: 'bca abc',
    InstrumentDescription: 'bac cab',
    UpdatedDateTime: 'abc cab',
  }
  for (const column of sortColumns) {
    const orders = (['Asc', 'Desc'] as const).map((type) => idsOf(inOrder(events, { column, type })).join(''))
    assert.equal(orders.join(' '), expected[column], column)
  }
})

test('after the cursor of any event come exactly the events behind it', () => {
  for (const column of sortColumns)
    for (const type of ['Asc', 'Desc'] as const) {
      const order: Order = { column, type }
      const all = inOrder(events, order)
      for (const [at, one] of all.entries())
        assert.deepEqual(idsOf(inOrder(events, order, cursorOf(order, one))), idsOf(all.slice(at + 1)), column)
    }
})

test('the first of very many events are those that sorting all of them gives, wherever they are', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => listed(`E${at}`, { updatedAt: (at * 7_919) % 1_000 }))
  for (const type of ['Asc', 'Desc'] as const) {
    const order: Order = { column: 'UpdatedDateTime', type }
    const all = inOrder(many, order)
    const after = cursorOf(order, all[1_234] as ListedEvent)
    for (const [max, start] of [
      [0, undefined],
      [1, undefined],
      [100, undefined],
      [5_000, undefined],
      [100, after],
    ] as const) {
      const first = new FirstEvents(order, start, max)
      first.add(many.slice(0, 1_700))
      first.add(many.slice(1_700))
      const expected = start ? all.slice(1_235) : all
      assert.deepEqual(idsOf(first.inOrder()), idsOf(expected.slice(0, max)))
      assert.equal(first.remaining, expected.length)
    }
  }
})

test('a cursor holds a number without an exponent, or a text of at most 200 characters', () => {
  const order = (column: Order['column']): Order => ({ column, type: 'Asc' })
  const long = listed('x', { description: '𝒳'.repeat(300), keyDate: '2000-01-02' }, 1e-7)
  assert.equal(cursorOf(order('EligibleHoldings'), long).value, '0.0000001')
  assert.equal(cursorOf(order('Date'), long).value, '1')
  assert.equal(cursorOf(order('AnnouncedDate'), long).value, '-10000000')
  assert.equal(cursorOf(order('InstrumentDescription'), long).value, '𝒳'.repeat(200))
  assert.deepEqual(sortColumns.filter(isTextColumn), [
    'CorporateActionType',
    'EventId',
    'EventType',
    'InstrumentDescription',
  ])
})

test('texts sort by code point, as their UTF-8 bytes do', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ue000', '\uffee', '😀', '𝒳') })
  const property = fc.property(text, text, (a, b) => {
    assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)))
  })
  fc.assert(property)
})
