import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventState, EventStatus } from '../../../src/events/api/enums.ts'
import { accountKeys, event, eventService, position, today } from '../../support/events/event-service.ts'

/** For each EventState and EventStatus (§7.2): always listed, only with IncludeLapsedEvents, or never. */
const table: Record<EventState, Record<EventStatus, 'always' | 'lapsed' | 'never'>> = {
  Approved: { Upcoming: 'always', Active: 'always', Past: 'always' },
  Cancelled: { Upcoming: 'never', Active: 'never', Past: 'lapsed' },
  Complete: { Upcoming: 'never', Active: 'never', Past: 'never' },
  Confirmed: { Upcoming: 'always', Active: 'always', Past: 'lapsed' },
  Preliminary: { Upcoming: 'always', Active: 'always', Past: 'lapsed' },
  Withdrawn: { Upcoming: 'always', Active: 'always', Past: 'always' },
}
/** Found by operation 8 without EventStates (§7.3). */
const found: Record<EventState, boolean> = {
  Approved: true,
  Cancelled: false,
  Complete: false,
  Confirmed: true,
  Preliminary: true,
  Withdrawn: true,
}
/** Ex dates, and whether they are within one year of today. */
const exDates: [string, boolean][] = [
  ['2025-10-16', false],
  ['2025-12-16', true],
  [today, true],
  ['2027-10-16', true],
  ['2027-12-16', false],
]
const borders: [string, boolean][] = [
  ['2025-11-15', false],
  ['2025-11-16', true],
  ['2027-11-16', true],
  ['2027-11-17', false],
]

const states = Object.keys(table) as EventState[]
const statuses: EventStatus[] = ['Upcoming', 'Active', 'Past']
const cells = states.flatMap((EventState) =>
  statuses.flatMap((EventStatus) =>
    exDates.map(([day, isNear]) => ({
      id: `${EventState} ${EventStatus} ${day}`,
      EventState,
      EventStatus,
      day,
      isNear,
    })),
  ),
)

const { ids, ask, find } = await eventService({
  positions: [position(accountKeys.ada, 1, 10)],
  events: [
    ...cells.map(({ id, EventState, EventStatus, day }) =>
      event(id, 1, { EventState, EventStatus, Ex: { Date: day } }),
    ),
    ...borders.map(([day]) => event(`border ${day}`, 1, { EventState: 'Approved', Ex: { Date: day } })),
    event('no date', 1, { EventState: 'Approved', Ex: { Status: 'Unknown' } }),
  ],
})
const listed = new Set(await ids())
const withLapsed = new Set(await ids('IncludeLapsedEvents=true'))

for (const EventState of states) {
  test(`${EventState} events are listed by their status and ex date, and with IncludeLapsedEvents (operation 7)`, () => {
    for (const { id, EventStatus, isNear } of cells.filter((cell) => cell.EventState === EventState)) {
      const when = table[EventState][EventStatus]
      assert.deepEqual([id, listed.has(id)], [id, isNear && when === 'always'])
      assert.deepEqual([id, withLapsed.has(id)], [id, isNear && when !== 'never'])
    }
  })

  test(`${EventState} events are found for any date, if their state is searched (operation 8)`, async () => {
    const others = states.filter((state) => state !== EventState).join()
    for (const { id, EventStatus } of cells.filter((cell) => cell.EventState === EventState)) {
      const statusFor = async (query: string) => (await ask(`/${encodeURIComponent(id)}?${query}`)).status
      assert.deepEqual([id, await statusFor('')], [id, found[EventState] ? 200 : 404])
      const named = await find(id, `EventStates=${EventState}`)
      assert.deepEqual([named.EventId, named.EventState, named.EventStatus], [id, EventState, EventStatus])
      assert.deepEqual([id, await statusFor(`EventStates=${others}`)], [id, 404])
    }
  })
}

test('the year around today is inclusive; an event without a date is not listed (operation 7)', async () => {
  for (const [day, isNear] of borders) assert.deepEqual([day, listed.has(`border ${day}`)], [day, isNear])
  assert.equal(listed.has('no date'), false)
  assert.equal((await find('no date')).EventId, 'no date')
})
