import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wireProfiles } from '../../../src/core/wire-profile.ts'
import { EventCatalogue } from '../../../src/events/catalogue/catalogue.ts'
import { DocumentCache } from '../../../src/events/catalogue/documents.ts'
import type { EventRecord, PositionRecord } from '../../../src/events/import/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import {
  accounts,
  clients,
  events,
  listCall,
  names,
  positions,
  some,
  stocks,
  today,
} from '../../support/events/event-generator.ts'
import { listedRow, naiveRow, walk } from '../../support/events/event-lists.ts'
import { naiveList, type World } from '../../support/events/event-model.ts'
import { databaseForFile, exchange, importGenerated, importTexts, lines } from '../../support/service/import.ts'

const { db, connection } = await databaseForFile()
const clock = new FixedClock('2026-11-15T22:00:00Z')
const log = { info: () => {}, warn: (detail: object) => assert.fail(JSON.stringify(detail)) }

const loaded = await importTexts(connection, {
  'world.ndjson': lines(
    exchange,
    ...stocks,
    ...clients.map((client) => ({ kind: 'client', ...client })),
    ...accounts.map((one) => ({ kind: 'account', ...one })),
  ),
})
assert.deepEqual(loaded.errors, [])

/** Two nodes; one keeps no documents. Both are started before the first import. */
const node = async (documents: DocumentCache) => {
  const catalogue = await EventCatalogue.start({ db, profile: wireProfiles.off, log, documents })
  return { db, catalogue, clock }
}
const nodes = [await node(new DocumentCache()), await node(new DocumentCache(1))]

type Renaming = Readonly<{ Uic: number; Description: string }>
type Step = Readonly<{
  changed: EventRecord[]
  removed: number[]
  held: PositionRecord[]
  renamed: Renaming | undefined
}>

/** What is known, by key: positions and events are only changed by imports, as in a service. */
const known = {
  events: new Map<string, EventRecord>(),
  positions: new Map<string, PositionRecord>(),
  names: new Map(names),
}
const positionKey = ({ AccountKey, Uic, AssetType, From }: PositionRecord) => [AccountKey, Uic, AssetType, From].join()

async function importStep({ changed, removed, held, renamed }: Step): Promise<void> {
  const ids = [...known.events.keys()]
  const kept = new Set(changed.map(({ EventId }) => EventId))
  const gone = new Set(removed.flatMap((at) => ids[at % ids.length] ?? []).filter((id) => !kept.has(id)))
  const stock = renamed && stocks.find(({ Uic }) => Uic === renamed.Uic)
  await db
    .transaction()
    .execute((trx) =>
      importGenerated(
        trx,
        [
          ...(stock ? [{ ...stock, ...renamed, kind: 'instrument' }] : []),
          ...held.map((record) => ({ ...record, kind: 'position' })),
          ...changed.map((record) => ({ ...record, kind: 'event' })),
          ...[...gone].map((EventId) => ({ EventId, kind: 'event', delete: true })),
        ],
        clock.now(),
      ),
    )
  for (const record of changed) known.events.set(record.EventId, record)
  for (const id of gone) known.events.delete(id)
  for (const record of held) known.positions.set(positionKey(record), record)
  if (stock && renamed) known.names.set(renamed.Uic, { Description: renamed.Description, Symbol: stock.Symbol })
}

const step = fc.record({
  changed: events.map((all) => all.slice(0, 6)),
  removed: fc.array(fc.nat(), { maxLength: 3 }),
  held: positions.map((all) => all.slice(0, 8)),
  renamed: fc.option(fc.record({ Uic: some(1, 2, 3), Description: some('Zeta plc', 'alpha AG', 'Omega') }), {
    nil: undefined,
  }),
})
const call = fc.record({ call: listCall, node: some(0, 1) })

test('after every import each node lists what the naive model does: events, positions, names and deletions (operation 7)', async () => {
  let compared = 0
  const run = fc.tuple(step, fc.array(call, { minLength: 6, maxLength: 6 }))
  const property = fc.asyncProperty(fc.array(run, { minLength: 4, maxLength: 4 }), async (runs) => {
    for (const [one, calls] of runs) {
      await importStep(one)
      const world: World = {
        ...{ today, clients, accounts, names: known.names },
        positions: [...known.positions.values()],
        events: [...known.events.values()],
      }
      for (const { call: asked, node: at } of calls) {
        const expected = naiveList(world, asked.caller, { ...asked.filters, ...asked.order })
        const found = walk(nodes[at] ?? assert.fail(), asked)
        if (!expected) {
          await assert.rejects(found, { code: 'NoResultFound' })
          continue
        }
        const subs = asked.filters.IncludeSubAccounts
        assert.deepEqual(
          (await found).events.map((event) => [...listedRow(event, subs), event.DisplayAndFormat?.Description]),
          expected.map((listed) => {
            const { Uic, DisplayAndFormat } = known.events.get(listed.EventId) ?? assert.fail()
            const name = DisplayAndFormat?.Description ?? known.names.get(Uic)?.Description
            return [...naiveRow(world, listed, subs), name]
          }),
        )
        compared += expected.length
      }
    }
  })
  // Every import adds to the data of the one before, so a failure cannot be reduced to fewer.
  await fc.assert(property, { numRuns: 10, endOnFailure: true })
  assert.ok(compared > 200, `only ${compared} events were compared`)
})
