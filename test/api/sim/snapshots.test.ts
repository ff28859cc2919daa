import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { locks } from '../../../src/database/locks.ts'
import { tryImportLock, withOwnConnection } from '../../../src/database/staging/copy.ts'
import { resetCommand } from '../../../src/sim/commands.ts'
import { snapshotCommand } from '../../../src/sim/snapshot-commands.ts'
import { restoreSnapshot as restoreIn } from '../../../src/sim/snapshots.ts'
import { readRevision } from '../../../src/sim/store/reset.ts'
import { keptTables, listTables } from '../../../src/sim/store/snapshot-tables.ts'
import { callerWith, makeApp } from '../../support/apps.ts'
import { differences, readTables, restoreSnapshot, saveSnapshot } from '../../support/database/snapshots.ts'
import { demoApp } from '../../support/demo.ts'
import { Holder } from '../../support/events/electing.ts'
import { eventually } from '../../support/eventually.ts'
import { validBodies } from '../../support/openapi/operations.ts'
import { exchange, exportText, importTexts, instrument, lines } from '../../support/service/import.ts'
import { masterKey, serviceForFile } from '../../support/service/service.ts'
import { obtainTokens, refresh, signInForCode } from '../../support/sign-in.ts'
import { auditLog, callWith, statusOf } from './support.ts'

const service = await serviceForFile({ reference: true, env: { ACCESS_TOKEN_SECONDS: '86400' } })
const other = await serviceForFile({ besides: service, env: { ACCESS_TOKEN_SECONDS: '86400' } })
const { db, clock } = service.node.context
const { connection } = service.database
const tokens = await obtainTokens(service.url)
const ada = callWith(service, tokens.access_token)
const elect = (body: object = validBodies.electOptions ?? {}) =>
  new Holder(service.baseUrl, tokens.access_token).send(body)
const importedApp = { kind: 'app', AppKey: '9b1c'.repeat(8), Name: 'Imported', Flow: 'PKCE', RedirectUris: [] }
const imported = lines(exchange, instrument(990_001), importedApp)

/** Fills the tables that the demo leaves empty. */
async function useEverything(): Promise<void> {
  const app = await makeApp(callerWith(service, tokens.access_token))
  await ada('PUT', `/x/v1/faults/${app.AppKey}`, { Kind: 'Slow', ForSeconds: 86_400 })
  await ada('POST', '/x/v1/calendars', { Name: 'Mine' })
  await ada('POST', '/ca/v2/standinginstructions', validBodies.createStandingInstructions)
  assert.equal((await elect()).status, 202)
  await signInForCode(service.url)
  await refresh(service.url, (await obtainTokens(service.url)).refresh_token)
  const { errors } = await importTexts(connection, { 'more.ndjson': imported })
  assert.deepEqual(errors, [])
  assert.equal((await ada('PUT', '/x/v1/scenarios/tender-offer')).status, 200)
}

const searchOf = async (node = service, token = tokens.access_token, word = 'S990001') =>
  (await callWith(node, token)<{ Data: unknown[] }>('GET', `/ref/v1/instruments?Keywords=${word}`)).body.Data.length

const command = { db, clock, environment: 'sim' }
const quiet = () => {}
const servesAll = (revision: number) =>
  Promise.all(
    [service, other].map(({ node }) =>
      eventually(async () => node.catalogue.current().revision === revision || undefined),
    ),
  )

test('every table is part of a snapshot, or is named as one that stays', async () => {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`.execute(db)
  const parts = (await listTables(db)).map(({ name }) => name)
  assert.deepEqual(
    [...parts, ...keptTables].sort(),
    rows.map(({ name }) => name),
  )
  for (const [table, parent] of [
    ['client', 'account'],
    ['account', 'position'],
    ['app', 'session'],
  ] as const)
    assert.ok(parts.indexOf(table) < parts.indexOf(parent), `${parent} refers to ${table}`)
})

test('a restore brings back every row of every table, on every node', async () => {
  await useEverything()
  await saveSnapshot(ada, 'full')
  const before = await readTables(db)
  for (const [name, rows] of Object.entries(before))
    assert.ok(rows.length > 0, `${name} is empty: fill it in this test`)
  const exported = await exportText(connection)

  for (const { rows } of (await listTables(db)).toReversed()) await sql`delete from ${rows}`.execute(db)
  await sql`update reference_data set revision = revision + 1`.execute(db)
  await sql`update event_data set revision = revision + 1`.execute(db)
  assert.deepEqual(Object.values(await readTables(db)).flat(), [])
  const said: string[] = []
  await snapshotCommand(command, 'restore', 'full', (line) => said.push(line))

  assert.deepEqual(differences(before, await readTables(db)), [])
  assert.equal(await exportText(connection), exported)
  assert.deepEqual(said, [
    'Snapshot full was restored: it is 2026-11-16T12:00Z by the clock of the service. Running nodes follow.',
  ])
  await servesAll(await readRevision(db))
  for (const node of [service, other]) {
    assert.equal(await statusOf(node, tokens.access_token), 200)
    assert.equal(await searchOf(node), 1)
  }
})

test('a restore after a small change keeps the revision of the data, and reads no catalogue again', async () => {
  const before = await readRevision(db)
  await servesAll(before)
  await saveSnapshot(ada, 'small')
  const catalogue = service.node.catalogue.current()
  const app = await makeApp(callerWith(service, tokens.access_token), { Name: 'Later' })
  await ada('PATCH', `/developer/apps/${demoApp.AppKey}`, { Description: 'Changed' })

  const restored = await restoreSnapshot(ada, 'small')

  assert.deepEqual([restored.Name, restored.Revision, restored.IsSessionKept], ['small', before, true])
  assert.ok(service.node.catalogue.current() === catalogue)
  assert.equal((await ada('GET', `/developer/apps/${app.AppKey}`)).status, 404)
  const { body } = await ada<{ Description: string }>('GET', `/developer/apps/${demoApp.AppKey}`)
  assert.notEqual(body.Description, 'Changed')
})

test('rows that refer to a changed one come back with it, also from rows that were saved without a hash', async () => {
  await saveSnapshot(ada, 'referring')
  const state = await readTables(db)
  await sql`update snapshot_row set hash = null`.execute(db)
  await sql`update service_user set fields = '{"Name": "Changed"}'`.execute(db)
  const created = await sql`select from app where created_by is not null`.execute(db)
  assert.ok(created.rows.length > 0, 'the deletion of a user changes these')

  await restoreSnapshot(ada, 'referring')

  assert.deepEqual(differences(state, await readTables(db)), [])
})

test('a restore undoes an import, which nodes follow by a new revision', async () => {
  await saveSnapshot(ada, 'imported')
  const state = await readTables(db)
  const changed = instrument(990_001, { Description: 'Quagga' })
  const added = instrument(990_002, { Symbol: 'ZORILLA:xlon' })
  const { errors } = await importTexts(connection, { 'x.ndjson': lines(changed, added) })
  assert.deepEqual(errors, [])
  await servesAll(await readRevision(db))
  assert.equal(await searchOf(other, tokens.access_token, 'ZORILLA'), 1)

  const { Revision } = await restoreSnapshot(ada, 'imported')

  await servesAll(Revision)
  for (const node of [service, other]) {
    assert.equal(await searchOf(node, tokens.access_token, 'ZORILLA'), 0)
    assert.equal(await searchOf(node, tokens.access_token, 'Quagga'), 0)
    assert.equal(await searchOf(node), 1)
  }
  assert.deepEqual(differences(state, await readTables(db)), [])
  assert.equal((await restoreSnapshot(ada, 'imported')).Revision, Revision, 'nothing differs any more')
})

test('elections are undone; their numbers are not given again', async () => {
  const numbers = async () =>
    (await ada<{ Data: { Number: number }[] }>('GET', '/x/v1/elections')).body.Data.map(({ Number: number }) => number)
  const eventId = (validBodies.electOptions as { EventId: string }).EventId
  const holdings = async (node = service) =>
    JSON.stringify((await callWith(node, tokens.access_token)('GET', `/ca/v2/events/${eventId}`)).body)
  await saveSnapshot(ada, 'elections')
  const [before, seen] = [await numbers(), await holdings()]
  assert.equal((await elect({ ...validBodies.electOptions, Options: [{ OptionId: '003', Amount: 2 }] })).status, 202)
  const undone = (await numbers()).at(-1) ?? 0
  assert.notEqual(await holdings(), seen)

  await restoreSnapshot(ada, 'elections')

  assert.deepEqual(await numbers(), before)
  for (const node of [service, other]) assert.equal(await holdings(node), seen)
  assert.equal((await elect()).status, 202)
  assert.ok(((await numbers()).at(-1) ?? 0) > undone)
})

test('a restore after a reset brings back what the reset removed', async () => {
  await saveSnapshot(ada, 'before-reset')
  const state = await readTables(db)
  await resetCommand({ ...command, masterKey, isDemoOn: true }, { imported: true }, quiet)
  await servesAll(await readRevision(db))
  assert.equal(await searchOf(service, (await obtainTokens(service.url)).access_token), 0)

  await snapshotCommand(command, 'restore', 'before-reset', quiet)

  await servesAll(await readRevision(db))
  assert.deepEqual(differences(state, await readTables(db)), [])
  for (const node of [service, other]) assert.equal(await searchOf(node), 1)
})

test('saves, restores and deletions are in the audit log', async () => {
  const { length } = await auditLog(db)
  await saveSnapshot(ada, 'noted')
  await restoreSnapshot(ada, 'noted')
  assert.equal((await ada('DELETE', '/x/v1/snapshots/noted')).status, 204)
  const noted = (await auditLog(db)).slice(length).filter(({ kind }) => kind.startsWith('Snapshot'))
  assert.deepEqual(
    noted.map(({ kind, app, detail }) => [kind, app, (detail as { name: string }).name]),
    ['SnapshotSaved', 'SnapshotRestored', 'SnapshotDeleted'].map((kind) => [kind, demoApp.AppKey, 'noted']),
  )
})

/** The transactions that wait for the import lock. */
const waiting = async (): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select virtualtransaction as id from pg_locks
    where locktype = 'advisory' and objid = ${sql.lit(locks.import)} and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ id }) => id)
}

test('while an import runs, restores wait one at a time, with a bounded queue, and others are served', async () => {
  await saveSnapshot(ada, 'queued')
  await withOwnConnection(connection, async (importer) => {
    assert.ok(await tryImportLock(importer))
    const rejected: string[] = []
    const restores = Array.from({ length: 30 }, async () => {
      const { status, headers, body } = await ada<{ ErrorCode: string }>('POST', '/x/v1/snapshots/queued/restore')
      if (status === 503) rejected.push(`${body.ErrorCode} ${headers.get('retry-after')}`)
      return status
    })
    await eventually(async () => rejected.length >= 9 || undefined)
    assert.ok((await waiting()).length <= 1)
    assert.deepEqual(new Set(rejected.slice(0, 9)), new Set(['ServiceUnavailable 5']))
    assert.equal((await ada('GET', '/x/v1/snapshots')).status, 200)
    await sql`select pg_advisory_unlock(${sql.lit(locks.import)})`.execute(importer)
    const statuses = await Promise.all(restores)
    assert.ok(statuses.includes(200), statuses.join(' '))
    assert.deepEqual(new Set(statuses), new Set([200, 503]))
  })
})

test('a restore waits for an import in short attempts, however long its connection would wait', async () => {
  await saveSnapshot(ada, 'waiting')
  await withOwnConnection(connection, (importer) =>
    withOwnConnection(connection, async (patient) => {
      assert.ok(await tryImportLock(importer))
      await sql`set lock_timeout = 0`.execute(patient)
      const restoring = restoreIn({ db: patient, clock, name: 'waiting', audit: {} }, async () => {}).catch(quiet)
      const seen = new Set<string>()
      await eventually(
        async () => {
          for (const id of await waiting()) seen.add(id)
          return seen.size > 1 || undefined
        },
        'a second attempt',
        50,
      )
      await sql`select pg_advisory_unlock(${sql.lit(locks.import)})`.execute(importer)
      await restoring
    }),
  )
})
