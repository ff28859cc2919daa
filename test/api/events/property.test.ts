import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Problem } from '../../../src/core/problem.ts'
import { wireProfiles } from '../../../src/core/wire-profile.ts'
import { findEvent, parseEvent, scopeOf } from '../../../src/events/api/list.ts'
import { EventCatalogue } from '../../../src/events/catalogue/catalogue.ts'
import type { EventRecord, PositionRecord } from '../../../src/events/import/schema.ts'
import { searchedStates } from '../../../src/events/rules/listing.ts'
import { removeEvents } from '../../../src/events/store/import.ts'
import { FixedClock } from '../../support/clock.ts'
import {
  accounts,
  clients,
  events,
  filters,
  list,
  listCall,
  maybe,
  mid,
  names,
  other,
  positions,
  some,
  stocks,
  today,
  top,
} from '../../support/events/event-generator.ts'
import { holdingsOf, listedRow, naiveRow, walk } from '../../support/events/event-lists.ts'
import { naiveFind, naiveList, type World } from '../../support/events/event-model.ts'
import { databaseForFile, exchange, importGenerated, importTexts, lines } from '../../support/service/import.ts'

const { db, connection } = await databaseForFile()
const clock = new FixedClock('2026-11-15T22:00:00Z')

const loaded = await importTexts(connection, {
  'world.ndjson': lines(
    exchange,
    ...stocks,
    ...clients.map((client) => ({ kind: 'client', ...client })),
    ...accounts.map((one) => ({ kind: 'account', ...one })),
  ),
})
assert.deepEqual(loaded.errors, [])
const log = { info: () => {}, warn: (detail: object) => assert.fail(JSON.stringify(detail)) }
const catalogue = await EventCatalogue.start({ db, profile: wireProfiles.off, log })
const deps = { db, catalogue, clock }

async function load(world: { positions: PositionRecord[]; events: EventRecord[] }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`delete from position`.execute(trx)
    await removeEvents(trx)
    const records = [
      ...world.positions.map((record) => ({ ...record, kind: 'position' })),
      ...world.events.map((record) => ({ ...record, kind: 'event' })),
    ]
    await importGenerated(trx, records, clock.now())
  })
}

test('for any data and filters, a list equals that of the naive model, in order (operation 7)', async () => {
  let compared = 0
  const property = fc.asyncProperty(
    positions,
    events,
    fc.array(listCall, { minLength: 15, maxLength: 15 }),
    async (held, generated, calls) => {
      const world: World = { today, clients, accounts, names, positions: held, events: generated }
      await load({ positions: held, events: generated })
      for (const one of calls) {
        const expected = naiveList(world, one.caller, { ...one.filters, ...one.order })
        if (!expected) {
          await assert.rejects(walk(deps, one), { code: 'NoResultFound' })
          continue
        }
        const found = await walk(deps, one)
        const subs = one.filters.IncludeSubAccounts
        assert.deepEqual(
          found.events.map((event) => listedRow(event, subs)),
          expected.map((listed) => naiveRow(world, listed, subs)),
        )
        assert.equal(found.total, expected.length)
        compared += expected.length
      }
    },
  )
  await fc.assert(property, { numRuns: 25 })
  // Empty lists would prove nothing.
  assert.ok(compared > 300, `only ${compared} events were compared`)
})

test('for any data, an event is found with the holdings of the naive model (operation 8)', async () => {
  let found = 0
  const states = maybe(list('Approved', 'Cancelled', 'Complete', 'Confirmed'))
  const searched = fc.array(fc.record({ caller: some(top, top, mid, other), filters, states }), {
    minLength: 3,
    maxLength: 3,
  })
  const property = fc.asyncProperty(positions, events, searched, async (held, generated, searches) => {
    const world: World = { today, clients, accounts, names, positions: held, events: generated }
    await load({ positions: held, events: generated })
    for (const { caller, filters: scopeQuery, states: EventStates } of searches) {
      const { ClientKey, AccountKey, IncludeSubAccounts } = scopeQuery
      const query = { IncludeSubAccounts, ...(ClientKey && { ClientKey }), ...(AccountKey && { AccountKey }) }
      const scope = scopeOf({ ClientKey: caller }, query)
      for (const { EventId } of generated) {
        // Keys that the caller may not use give the same error as an unknown event.
        const json = await findEvent(deps, scope, EventId, searchedStates(EventStates)).catch((error) => {
          assert.equal((error as Problem).code, 'NoResultFound')
        })
        const expected = naiveFind(world, caller, EventId, { ...query, ...(EventStates && { EventStates }) })
        const event = json && parseEvent(json)
        const held = IncludeSubAccounts
          ? [event?.AffectedAccounts, event?.EligibleHoldings]
          : event && holdingsOf(event)
        const heldInModel = IncludeSubAccounts ? [expected?.holdings.length, expected?.eligible] : expected?.holdings
        assert.deepEqual([event?.EventId, held], [expected?.EventId, heldInModel])
        if (event) found++
      }
    }
  })
  await fc.assert(property, { numRuns: 10 })
  assert.ok(found > 5, `only ${found} events were found`)
})
