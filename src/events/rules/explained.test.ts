import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventFacts, stock1 } from '../../../test/support/events/event-facts.ts'
import type { EventFilters } from '../api/schema.ts'
import { ListTrace } from './explained.ts'
import type { EventFacts } from './facts.ts'
import { eventCriteria } from './filters.ts'
import type { Held } from './holdings.ts'
import { baseSelection } from './listing.ts'

const moment = { today: '2026-11-15', nowMs: 0 }

/** What becomes of each event, and the steps. */
function explain(events: readonly Partial<EventFacts>[], filters: Partial<EventFilters> = {}, wasHeld = true) {
  const all = { IncludeLapsedEvents: false, IncludeSubAccounts: false, ...filters }
  const selection = baseSelection(Temporal.PlainDate.from(moment.today), all.IncludeLapsedEvents)
  const criteria = eventCriteria(all, selection)
  const trace = new ListTrace(criteria, moment)
  const held: Held = {
    wasHeld: () => wasHeld,
    applied: ({ eventId }) =>
      eventId === 'unheld' ? undefined : { affected: 1, eligible: 1, size: 1, elected: eventId === 'elected' ? 1 : 0 },
  }
  const facts = events.map((event) => eventFacts(event))
  const listed = trace.match([[stock1, held]], () => facts, criteria, moment).map(({ event }) => event.eventId)
  const steps = trace.steps.map(({ Title, RowsIn, RowsOut, Removed }) => {
    const reasons = Removed?.map(({ Id, Reason }) => `${Id}: ${Reason}`) ?? []
    return [Title, RowsIn, RowsOut, ...reasons]
  })
  return { listed, steps, announced: trace.announced }
}

test('an event is left out because of its date, its state, or because it has lapsed', () => {
  const events: Partial<EventFacts>[] = [
    { eventId: 'a' },
    { eventId: 'undated', keyDate: null },
    { eventId: 'far', keyDate: '2028-01-01' },
    { eventId: 'done', state: 'Complete' },
    { eventId: 'past', status: 'Past' },
  ]
  const { listed, steps } = explain(events)
  assert.deepEqual(listed, ['a'])
  assert.deepEqual(steps, [
    ['Announced events', undefined, 5],
    [
      'Listed events',
      5,
      1,
      'undated: It has no date by which it could be listed.',
      'far: Its key date, 2028-01-01, is more than a year away.',
      'done: It is complete.',
      'past: It has lapsed: it is past and confirmed. IncludeLapsedEvents=true lists it.',
    ],
    ['Holdings', 1, 1],
  ])
  assert.deepEqual(explain(events, { IncludeLapsedEvents: true }).listed, ['a', 'past'])
})

test('a filter that removes an event says what the event has instead', () => {
  const reasons = (event: Partial<EventFacts>, filters: Partial<EventFilters>) =>
    explain([{ ...event, eventId: 'x' }], filters).steps.flatMap(([title, , , reason]) =>
      reason ? [title, reason] : [],
    )
  const range = { FromExDate: '2026-11-16', ToExDate: '2026-11-17' }
  assert.deepEqual(reasons({}, range), ['FromExDate and ToExDate', 'x: It has no ex date.'])
  assert.deepEqual(reasons({ exOn: '2026-11-18' }, { ToExDate: '2026-11-17' }), [
    'ToExDate',
    'x: Its ex date is 2026-11-18.',
  ])
  assert.deepEqual(reasons({ payments: ['2026-11-01', '2026-11-02'] }, { FromPayDate: '2026-11-03' }), [
    'FromPayDate',
    'x: Its pay date is 2026-11-01, 2026-11-02.',
  ])
  assert.deepEqual(reasons({}, { AssetTypes: ['Etf'] }), ['AssetTypes', 'x: Its asset type is Stock.'])
  assert.deepEqual(reasons({}, { CorporateActionTypes: ['Voluntary'] }), [
    'CorporateActionTypes',
    'x: Its corporate action type is Mandatory.',
  ])
  assert.deepEqual(reasons({}, { EventTypes: ['TEND'] }), ['EventTypes', 'x: Its event type is DVCA.'])
  assert.deepEqual(reasons({}, { EventTypes: ['DVCA'] }), [])
  assert.deepEqual(reasons({}, { EventStates: ['Approved'] }), ['EventStates', 'x: Its state is Confirmed.'])
  assert.deepEqual(reasons({}, { EventStatus: 'Upcoming' }), ['EventStatus', 'x: Its status is Active.'])
  assert.deepEqual(reasons({ description: 'Novo' }, { Keywords: 'novo dk' }), [
    'Keywords',
    'x: Its description, ISIN and symbol do not contain "dk".',
  ])
})

test('an event is left out because it was not held, or because of what was elected', () => {
  const electable = { isElectable: true }
  const { listed, steps } = explain(
    [
      { eventId: 'unheld', recordOn: '2026-11-01' },
      { eventId: 'fixed' },
      { ...electable, eventId: 'elected' },
      { ...electable, eventId: 'open' },
    ],
    { ElectionStatuses: ['NotElected'] },
  )
  assert.deepEqual(listed, ['open'])
  assert.deepEqual(steps.slice(2), [
    ['Holdings', 4, 3, 'unheld: It was not held at the end of its record date, 2026-11-01, nor is it held today.'],
    [
      'ElectionStatuses',
      3,
      1,
      'fixed: It is not electable, so it has no election status.',
      'elected: Its election status is Elected.',
    ],
  ])
  const future = explain([{ eventId: 'unheld', recordOn: '2026-11-15' }])
  assert.deepEqual(future.steps[2], ['Holdings', 1, 0, 'unheld: It is not held today.'])
})

test('what was never held is not looked at', () => {
  const { listed, announced, steps } = explain([{ eventId: 'a' }], {}, false)
  assert.deepEqual([listed, announced], [[], 0])
  assert.deepEqual(steps[0], ['Announced events', undefined, 0])
})
