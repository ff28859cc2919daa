import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import pg from 'pg'
import { announce } from '../../src/database/changes.ts'
import { CatalogueBuilder } from '../../src/instruments/catalogue/builder.ts'
import { Catalogue } from '../../src/instruments/catalogue/catalogue.ts'
import { eventually } from '../support/eventually.ts'
import { exchange, importTexts, instrument, lines, optionRoot } from '../support/service/import.ts'
import { administer } from '../support/service/postgres.ts'
import { serviceForFile, startService, type TestService } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const started: Worker[] = []
process.on('worker', (thread: Worker) => started.push(thread))
/** The threads of this process that build catalogues. One that has ended has no id. */
const runningThreads = () => started.filter(({ threadId }) => threadId > 0)

const service = await serviceForFile({ env: { REVOCATION_GRACE_SECONDS: '60' } })
const { connection } = service.database
const { catalogue, context } = service.node
const { db } = context
const { access_token: token } = await obtainTokens(service.url)
await importTexts(connection, { 'all.ndjson': lines(exchange, instrument(1), instrument(2), optionRoot(1, [101])) })
await catalogue.reached(1)

/** A change that does not touch the tables that `holdBuilds` locks. Returns its revision. */
function describe(uic: number, description: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { revision } = await trx
      .updateTable('reference_data')
      .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
      .returning('revision')
      .executeTakeFirstOrThrow()
    await sql`update instrument set revision = ${revision}::bigint,
      document = (document::jsonb || jsonb_build_object('Description', ${description}::text))::json
      where uic = ${uic}`.execute(trx)
    await announce(trx, [{ topic: 'reference-data', key: String(revision) }])
    return revision
  })
}

async function descriptionOf(uic: number, on: TestService = service): Promise<string> {
  const answer = await getRest(on.baseUrl, `/ref/v1/instruments/details/${uic}/Stock`, token)
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { Description: string }).Description
}

let release: (() => Promise<void>) | undefined
afterEach(async () => {
  await release?.()
})

/** Blocks every build at the option roots until `release`. */
async function holdBuilds(): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query('lock table option_root in access exclusive mode')
  release = async () => {
    release = undefined
    await client.end()
  }
}

/** The backends of the builds that wait. */
const waitingBuilds = () =>
  eventually(async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%option_root%'`.execute(db)
    return rows.length > 0 ? rows.map(({ pid }) => pid) : undefined
  })

test('changes during a build are served too: the last build has the newest revision', async () => {
  await holdBuilds()
  const first = await describe(1, 'One')
  await waitingBuilds()
  const [second, third] = [await describe(2, 'Two'), await describe(1, 'Three')]
  await context.feed.poll()
  assert.equal(await descriptionOf(1), 'Instrument 1')
  assert.ok(catalogue.current().revision < first)
  await release?.()
  await catalogue.reached(second)
  await catalogue.reached(third)
  assert.deepEqual([await descriptionOf(1), await descriptionOf(2)], ['Three', 'Two'])
  assert.equal(catalogue.current().revision, third)
})

test('a build that loses its connection is repeated; until then the old data is served', async () => {
  await holdBuilds()
  const revision = await describe(1, 'After a lost connection')
  for (const pid of await waitingBuilds()) await sql`select pg_terminate_backend(${pid}::int)`.execute(db)
  assert.equal(await descriptionOf(1), 'Three')
  await release?.()
  await catalogue.reached(revision)
  assert.equal(await descriptionOf(1), 'After a lost connection')
})

test('a thread that crashes during a build is replaced, and the change is served', async () => {
  await holdBuilds()
  const revision = await describe(1, 'After a dead thread')
  await waitingBuilds()
  const [thread, ...others] = runningThreads()
  assert.ok(thread && others.length === 0)
  await thread.terminate()
  assert.equal(await descriptionOf(1), 'After a lost connection')
  await release?.()
  await catalogue.reached(revision)
  assert.equal(await descriptionOf(1), 'After a dead thread')
  assert.equal(runningThreads().length, 1)
  assert.ok(!runningThreads().includes(thread))
})

test('a thread that crashes between builds is replaced at the next change', async () => {
  for (const thread of runningThreads()) await thread.terminate()
  await catalogue.reached(await describe(1, 'After an idle death'))
  assert.equal(await descriptionOf(1), 'After an idle death')
  assert.equal(runningThreads().length, 1)
})

test('if the database goes down during a build, the old data is served until it is back', async () => {
  const name = connection.database
  await holdBuilds()
  const first = await describe(1, 'Away')
  await waitingBuilds()
  await administer(
    connection,
    `alter database ${name} with allow_connections false`,
    // The build first: it would continue when its lock is released.
    `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where datname = '${name}'
      order by wait_event_type = 'Lock' desc nulls last) as backend`,
  )
  try {
    // Long enough that the build is tried, and fails, again.
    for (let count = 0; count < 30; count++) {
      assert.equal(await descriptionOf(1), 'After an idle death')
      await sleep(50)
    }
  } finally {
    await administer(connection, `alter database ${name} with allow_connections true`)
  }
  await release?.()
  await catalogue.reached(first)
  assert.equal(await descriptionOf(1), 'Away')
  const later = await eventually(() => describe(1, 'Back'))
  await catalogue.reached(later)
  assert.equal(await descriptionOf(1), 'Back')
})

test('data that cannot be built is logged once, not served, and does not block later changes', async () => {
  const reasons: string[] = []
  const log = { info: () => {}, warn: (detail: object) => void reasons.push((detail as { reason: string }).reason) }
  const own = await Catalogue.start(new CatalogueBuilder({ db, connection, feed: context.feed, log }))
  try {
    const { revision } = own.current()
    await sql`insert into instrument (uic, asset_types, exchange_ids, symbol, description, document, revision)
      values (3, '{}', '{}', '', '', '{}', 1000000)`.execute(db)
    await describe(1, 'With a bad one')
    await eventually(async () => reasons[0])
    await describe(1, 'With a bad one still')
    assert.equal(own.current().revision, revision)
    await sql`delete from instrument where uic = 3`.execute(db)
    await own.reached(await describe(1, 'Without it'))
    assert.equal(reasons.length, 1)
  } finally {
    await own.stop()
  }
  await eventually(async () => (await descriptionOf(1)) === 'Without it' || undefined)
})

test('follows a database that was restored to an earlier state', async () => {
  await importTexts(connection, { 'new.ndjson': lines(instrument(9)) })
  await eventually(async () => catalogue.current().findInstrument(9))
  const { revision } = catalogue.current()
  await sql`delete from instrument where uic = 9`.execute(db)
  await sql`update reference_data set revision = ${revision - 1}`.execute(db)
  await announce(db, [{ topic: 'reference-data', key: String(revision - 1) }])
  await eventually(async () => catalogue.current().revision === revision - 1 || undefined)
  assert.equal(catalogue.current().findInstrument(9), undefined)
})

test('a node that closes during a build leaves no thread behind', async () => {
  // By now the thread of the whole build before has been replaced.
  await catalogue.reached(await describe(2, 'Seen'))
  const before = new Set(runningThreads())
  const second = await startService({ besides: service })
  await holdBuilds()
  await describe(1, 'Unseen')
  await eventually(async () => (await waitingBuilds()).length === 2 || undefined)
  const added = runningThreads().filter((thread) => !before.has(thread))
  assert.equal(added.length, 1)
  await describe(2, 'Unseen')
  await second.node.context.feed.poll()
  await second.close()
  assert.deepEqual(
    runningThreads().filter((thread) => !before.has(thread)),
    [],
  )
  await release?.()
  await eventually(async () => (await descriptionOf(2)) === 'Unseen' || undefined)
})
