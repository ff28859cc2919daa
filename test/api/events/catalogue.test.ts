import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { wireProfiles } from '../../../src/core/wire-profile.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { EventCatalogue } from '../../../src/events/catalogue/catalogue.ts'
import { DocumentCache } from '../../../src/events/catalogue/documents.ts'
import {
  accountKeys,
  event,
  eventService,
  importRecords,
  path,
  position,
  stocks,
} from '../../support/events/event-service.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { startService } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const { service, list, ids } = await eventService({
  positions: [position(accountKeys.ada, 1, 10), position(accountKeys.ada, 2, 20)],
  events: [event('first', 1), event('second', 2)],
})
const { access_token } = await obtainTokens(service.url, { user: 'ada' })
const second = await startService({ besides: service })
after(() => second.close())

type Listed = { EventId: string; DisplayAndFormat: { Description: string } }
const listedBySecond = async () =>
  ((await (await getRest(second.baseUrl, path, access_token)).json()) as { Data: Listed[] }).Data

/** A catalogue of its own, which follows no change feed. */
async function catalogueOn(connections = 2, documents = new DocumentCache()) {
  const { db, close } = openDatabase(service.database.connection, connections)
  const warnings: object[] = []
  const log = { info: () => {}, warn: (detail: object) => void warnings.push(detail) }
  return {
    db,
    close,
    warnings,
    catalogue: await EventCatalogue.start({ db, profile: wireProfiles.off, log, documents }),
  }
}

test('what was imported before a request is in its response, on every node (operation 7)', async () => {
  await importRecords(service, [{ kind: 'event', ...event('third', 1) }])
  assert.deepEqual(
    (await listedBySecond()).map(({ EventId }) => EventId),
    ['first', 'second', 'third'],
  )
  assert.deepEqual(await ids(), ['first', 'second', 'third'])

  await importRecords(service, [{ kind: 'event', EventId: 'third', delete: true }])
  assert.deepEqual(
    (await listedBySecond()).map(({ EventId }) => EventId),
    ['first', 'second'],
  )
  assert.equal((await getRest(second.baseUrl, `${path}/third`, access_token)).status, 404)

  await importRecords(service, [{ kind: 'event', ...event('third', 2) }])
  assert.equal((await getRest(second.baseUrl, `${path}/third`, access_token)).status, 200)
  await importRecords(service, [{ kind: 'event', EventId: 'third', delete: true }])
})

test('an event shows the new name of its instrument (operation 7)', async () => {
  const [stock] = stocks
  await importRecords(service, [{ ...stock, Description: 'Renamed A/S' }])
  assert.equal((await listedBySecond())[0]?.DisplayAndFormat.Description, 'Renamed A/S')
  assert.deepEqual(await ids('Keywords=renamed'), ['first'])
})

test('an import that changes no event leaves the revision as it is', async () => {
  const revision = async () => service.node.events.revisions.events
  await list()
  const before = await revision()
  const { counts } = await importTexts(service.database.connection, {
    'same.ndjson': lines({ kind: 'event', ...event('first', 1) }),
  })
  assert.deepEqual(counts, { event: { unchanged: 1 } })
  await list()
  assert.equal(await revision(), before)
})

test('a document that is newer than the event in memory is not served with it', async () => {
  const { catalogue, close } = await catalogueOn(2, new DocumentCache(1))
  after(close)
  const stale = catalogue.find('first') ?? assert.fail()
  assert.equal((await catalogue.documentsOf([stale]))?.length, 1)
  await importRecords(service, [{ kind: 'event', ...event('first', 1, { EventState: 'Approved' }) }])

  assert.equal(await catalogue.documentsOf([stale]), undefined)

  const fresh = catalogue.find('first') ?? assert.fail()
  assert.equal(fresh.state, 'Approved')
  const [document] = (await catalogue.documentsOf([fresh])) ?? assert.fail()
  assert.match(String(document?.head), /"EventState":"Approved"/)
})

test('after a restore, which repeats revisions with other data, all events are read again', async () => {
  const { catalogue, db, close } = await catalogueOn()
  after(close)
  await sql`update event set state = 'Withdrawn' where event_id = 'second'`.execute(db)
  // As a restored database: the same revision, another identity.
  await sql`update event_data set revision = revision`.execute(db)
  const { events, reference } = catalogue.revisions

  await catalogue.reached({ events: events + 1, reference })

  assert.equal(catalogue.find('second')?.state, 'Withdrawn')
})

test('after a failover that lost events, and counted on since, all events are read again', async () => {
  await importRecords(service, [{ kind: 'event', ...event('lost', 1) }])
  const { catalogue, db, close } = await catalogueOn()
  after(close)
  assert.ok(catalogue.find('lost'))
  // As another server that never had it: no trace of a deletion, a higher revision, and another past.
  await sql`delete from event where event_id = 'lost'`.execute(db)
  await sql`update event_data set revision = revision`.execute(db)
  await sql`update event_data set revision = revision + 1`.execute(db)
  const { events, reference } = catalogue.revisions

  await catalogue.reached({ events: events + 1, reference })

  assert.equal(catalogue.find('lost'), undefined)
})

test('without the database the events that are known are served on', async () => {
  const { catalogue, close, warnings } = await catalogueOn()
  await close()
  const { events, reference } = catalogue.revisions

  await catalogue.reached({ events: events + 1, reference })

  assert.equal(warnings.length, 1)
  assert.equal(catalogue.find('first')?.uic, 1)
})
