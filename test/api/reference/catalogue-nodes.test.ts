import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { announce } from '../../../src/database/changes.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange, importTexts, instrument, lines } from '../../support/service/import.ts'
import { administer } from '../../support/service/postgres.ts'
import { serviceForFile, type TestService } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const one = await serviceForFile()
const two = await serviceForFile({ besides: one })
const { connection } = one.database
const { db } = one.node.context
const { access_token: token } = await obtainTokens(one.url)

async function change(...records: object[]): Promise<number> {
  const { errors } = await importTexts(connection, { 'change.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  return readRevision(db)
}

async function search(node: TestService) {
  const answer = await getRest(node.baseUrl, '/ref/v1/instruments', token)
  assert.equal(answer.status, 200)
  return { etag: answer.headers.get('etag'), text: await answer.text() }
}

async function assertServed(revision: number, description: string): Promise<void> {
  for (const node of [one, two]) await node.node.catalogue.reached(revision)
  const [first, second] = [await search(one), await search(two)]
  assert.deepEqual(first, second)
  assert.match(first.text, new RegExp(`"Description":"${description}"`))
}

const endListeners = () =>
  sql<{ pid: number }>`select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen refdesk_change'`.execute(db)

test('every node follows a change, with the same responses and entity tag', async () => {
  await assertServed(await change(exchange, instrument(1, { Description: 'First' })), 'First')
  await assertServed(await change(instrument(1, { Description: 'Second' })), 'Second')
})

test('a restored database with the same revision has another entity tag', async () => {
  const revision = await change(instrument(1, { Description: 'Before' }))
  await assertServed(revision, 'Before')
  const before = await search(one)
  await db.transaction().execute(async (trx) => {
    await sql`update instrument set document = replace(document::text, 'Before', 'Restored')::json`.execute(trx)
    await sql`update reference_data set revision = ${revision}`.execute(trx)
    await announce(trx, [{ topic: 'reference-data', key: String(revision) }])
  })
  const restored = await eventually(async () => {
    const [first, second] = [await search(one), await search(two)]
    return (first.text !== before.text && second.text === first.text && first) || undefined
  })
  assert.match(restored.text, /"Description":"Restored"/)
  assert.notEqual(restored.etag, before.etag)
})

test('a node without notifications follows changes by polling', async () => {
  assert.equal((await endListeners()).rows.length, 2)
  await assertServed(await change(instrument(1, { Description: 'Polled' })), 'Polled')
})

test('nodes reload when they find that the change feed has a gap', async () => {
  const notified = await change(instrument(1, { Description: 'Notified' }))
  await assertServed(notified, 'Notified')
  // A change that the feed no longer has, as after an hour.
  await db.transaction().execute(async (trx) => {
    await sql`update instrument set revision = ${notified + 1},
      document = replace(document::text, 'Notified', 'Missed')::json`.execute(trx)
    await sql`update reference_data set revision = ${notified + 1}`.execute(trx)
  })
  for (const node of [one, two]) await node.node.context.feed.poll()
  assert.match((await search(one)).text, /"Notified"/)
  await setClockAhead()
  await assertServed(notified + 1, 'Missed')
})

/** Sets the database clock an hour ahead for new connections, and reconnects all. */
async function setClockAhead(): Promise<void> {
  await sql`create schema ahead`.execute(db)
  await sql`create function ahead.clock_timestamp() returns timestamptz language sql volatile
    as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`.execute(db)
  await administer(
    connection,
    `alter database ${connection.database} set search_path = ahead, pg_catalog, public`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${connection.database}'`,
  )
  await eventually(async () => {
    const { rows } = await sql<{ ahead: boolean }>`select clock_timestamp() > now() + '30 minutes' as ahead`.execute(db)
    return rows[0]?.ahead || undefined
  })
}
