import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange } from '../../instruments/api/schema.ts'
import { inWindow } from './clock-targets.ts'
import { compareItems, exchangeItem, type Item, type Items, moreLinks, shortName } from './what-changed.ts'

const item = (kind: Item['kind'], id: string, state: string): Item => ({ kind, id, name: `${kind} ${id}`, state })
const byKind = (items: readonly Item[]): Items => Object.groupBy(items, ({ kind }) => kind)

test('what changed is what differs before and after, decisions first', () => {
  const before = [
    item('exchange', 'X', 'Open'),
    item('event', 'a', 'Ex 20 Nov'),
    item('event', 'b', 'Decide by 20 Nov'),
    item('event', 'same', 'Elected'),
    item('event', 'old', 'Paid'),
    item('expiry', '2026-11-20', 'Listed'),
    item('secret', '1', 'Valid'),
  ]
  const after = [
    item('event', 'a', 'Paid'),
    item('event', 'b', 'Default applied'),
    item('event', 'same', 'Elected'),
    item('event', 'new', 'Upcoming'),
    item('secret', '1', 'Ended'),
    item('exchange', 'X', 'Closed'),
  ]
  const [was, is] = [byKind(before), { ...byKind(after), expiry: [] }]
  assert.deepEqual(
    compareItems(was, is).map(({ id, from, to }) => `${id}: ${from} → ${to}`),
    [
      'b: Decide by 20 Nov → Default applied',
      'a: Ex 20 Nov → Paid',
      'old: Paid → No longer in your list',
      'new: Not in your list → Upcoming',
      '2026-11-20: Listed → Expired',
      '1: Valid → Ended',
      'X: Open → Closed',
    ],
  )
  assert.deepEqual(compareItems(was, was), [])
})

test('a kind that could not be read before or after has no changes', () => {
  const event = [item('event', 'a', 'Paid')]
  const exchange = [item('exchange', 'X', 'Open')]
  assert.deepEqual(compareItems({ event, exchange }, { event: undefined, exchange }), [])
  assert.deepEqual(compareItems({ exchange }, { event, exchange }), [])
  assert.equal(compareItems({ event, exchange }, { event: [], exchange }).length, 1)
})

test('a long name ends with an ellipsis, and what is not listed is counted with a link to its list', () => {
  assert.equal(shortName('x'.repeat(70)), 'x'.repeat(70))
  assert.equal(shortName('😀'.repeat(71)), `${'😀'.repeat(69)}…`)
  assert.equal(
    String(moreLinks({ event: 28, expiry: 2, secret: 0, exchange: 1 })),
    '<p class="small quiet">And <a href="/console/events">28 more corporate actions</a>, <a href="/console/instruments?Keywords=AAPL&amp;AssetTypes=StockOption">2 more option expiries</a>, <a href="/console/exchanges">1 more exchange</a>.</p>',
  )
  assert.equal(moreLinks({ event: 0 }), undefined)
})

test('the state of an exchange is that of its current session, in the words of the exchange pages', () => {
  const stateIn = (State: Exchange['ExchangeSessions'][number]['State']) => {
    const session = { StartTime: '2026-11-16T14:30:00Z', EndTime: '2026-11-16T21:00:00Z', State }
    return exchangeItem({ ExchangeId: 'X', Name: 'Exchange', ExchangeSessions: [session] }).state
  }
  assert.deepEqual((['AutomatedTrading', 'Closed', 'PreMarket', 'Break', 'Halt'] as const).map(stateIn), [
    'Open',
    'Closed',
    'Pre-market',
    'Break',
    'Halt',
  ])
  assert.equal(exchangeItem({ ExchangeId: 'X', Name: 'Exchange', ExchangeSessions: [] }).state, 'Unknown')
})

test('targets are ahead, within 60 days, at most twelve, and one per time', () => {
  const now = Temporal.Instant.from('2026-11-15T12:00:00Z')
  const at = (hours: number, name: string) => ({ at: now.add({ hours }), name })
  const targets = [at(48, 'b'), at(24, 'a'), at(24, 'also a'), at(0, 'now'), at(-1, 'past'), at(24 * 60, 'far')]
  assert.deepEqual(
    inWindow(targets, now).map(({ name }) => name),
    ['a and 1 more', 'b'],
  )
  const many = Array.from({ length: 20 }, (_, index) => at(index + 1, String(index)))
  assert.equal(inWindow(many, now).length, 12)
})
