import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ImportBusy } from '../../../src/data/import/run-import.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { writeElection } from '../../../src/events/store/elections.ts'
import { restoreSnapshot as restoreIn } from '../../../src/sim/snapshots.ts'
import { differences, readTables, restoreSnapshot, saveSnapshot } from '../../support/database/snapshots.ts'
import { offer } from '../../support/events/electing.ts'
import { eventually } from '../../support/eventually.ts'
import { validBodies } from '../../support/openapi/operations.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { importTexts, lines, undoRun } from '../../support/service/import.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { obtainTokens, refresh, signIn } from '../../support/sign-in.ts'
import { callWith, type Response, statusOf } from './support.ts'

const service = await serviceForFile({ reference: true })
const other = await serviceForFile({ besides: service })
const { db, clock } = service.node.context
const { connection } = service.database
const watch = openDatabase(connection, 2)
after(() => watch.close())
const own = await obtainTokens(service.url)
const ada = callWith(service, own.access_token)

const keyOf = (name: string) => `${name.padEnd(21, '0')}A==`
const [ClientKey, AccountKey, UserKey] = [keyOf('zedclient'), keyOf('zedaccount'), keyOf('zeduser')]
const zed = { user: 'zed', password: 'zed-has-a-password' }
noteSecret('password', zed.password)
const zedRecords = lines(
  { kind: 'client', ClientKey, ClientId: '900', Name: 'Zed' },
  { kind: 'account', AccountKey, AccountId: '901', ClientKey, Currency: 'EUR' },
  { kind: 'user', UserKey, Name: zed.user, ClientKey, Password: zed.password },
  { kind: 'position', AccountKey, Uic: 1501, AssetType: 'Stock', Amount: 10 },
  { kind: 'event', ...offer('of-zed', 1501), Holdings: [{ AccountKey }] },
)
const addZed = async () => {
  const { errors, run } = await importTexts(connection, { 'zed.ndjson': zedRecords })
  assert.deepEqual(errors, [])
  return run ?? assert.fail('nothing changed')
}

/** The connections that wait for a lock. */
async function countBlocked(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(watch.db)
  return rows.length
}
const blocked = (count: number) => eventually(async () => (await countBlocked()) >= count || undefined)

/** Sends requests while a restore has written everything and not yet committed: each waits for it. */
async function duringRestore<T>(name: string, requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  const { kept } = await restoreIn({ db: watch.db, clock, name, audit: {} }, async () => {
    // At once, because a request waits at most five seconds for a lock.
    const answers = requests.map((request) => request())
    await blocked(answers.length)
    return answers
  })
  return Promise.all(kept)
}

const codeOf = ({ status, body }: Response<unknown>) => [
  status,
  (body as { ErrorCode?: string } | undefined)?.ErrorCode,
]

test('requests of a user whom a restore removes are rejected after it, and leave nothing', async () => {
  await saveSnapshot(ada, 'without-zed')
  const before = await readTables(db)
  await addZed()
  const tokens = await obtainTokens(service.url, zed)
  const call = callWith(service, tokens.access_token)
  await eventually(async () => (await call('GET', '/ca/v2/events/of-zed')).status === 200 || undefined)
  const electing = { EventId: 'of-zed', AccountKey, Options: [{ OptionId: '1', Amount: 1 }] }

  const answers = await duringRestore('without-zed', [
    async () => codeOf(await call('PUT', '/ca/v2/elections', electing)),
    async () => codeOf(await call('POST', '/x/v1/calendars', { Name: 'Mine' })),
    async () => codeOf(await call('POST', '/developer/apps', { Name: 'Mine', Description: '', Flow: 'PKCE' })),
    async () => codeOf(await call('PUT', '/x/v1/clock', { AdvanceSeconds: 1 })),
    async () => [(await refresh(service.url, tokens.refresh_token)).body.error],
    () =>
      signIn(service.url, undefined, zed).then(
        () => assert.fail('signed in'),
        ({ actual }: assert.AssertionError) => [actual],
      ),
  ])

  assert.deepEqual(answers, [
    [404, 'NoResultFound'],
    ...Array.from({ length: 3 }, () => [401, 'Unauthorized']),
    ['invalid_grant'],
    [401],
  ])
  assert.deepEqual(differences(before, await readTables(db)), [])
})

test('requests of a user whom a restore keeps are carried out once, after it', async () => {
  const tokens = await obtainTokens(service.url)
  await saveSnapshot(ada, 'kept')
  const count = async () => (await sql`select from election`.execute(db)).rows.length
  const before = await count()
  const call = callWith(service, tokens.access_token)

  const [elected, refreshed, signedIn] = await duringRestore<unknown>('kept', [
    async () => (await call('PUT', '/ca/v2/elections', validBodies.electOptions)).status,
    () => refresh(service.url, tokens.refresh_token),
    () => obtainTokens(service.url),
  ])

  assert.deepEqual([elected, await count()], [202, before + 1])
  const { status, body } = refreshed as Awaited<ReturnType<typeof refresh>>
  assert.equal(status, 200)
  for (const { access_token } of [body, signedIn as typeof body]) assert.equal(await statusOf(other, access_token), 200)
})

test('an election under way is finished before a restore, which removes it', async () => {
  await saveSnapshot(ada, 'elected')
  const before = await readTables(db)
  const { EventId = '', AccountKey: accountKey = '' } = validBodies.electOptions as Record<string, string>
  const election = { eventId: EventId, accountKey, elections: { Options: [] }, elected: 0, userKey: 'u', appKey: 'a' }

  const [, restoring] = await watch.db.transaction().execute(async (trx) => {
    await writeElection(trx, { ...election, at: clock.now() })
    const restoring = restoreSnapshot(ada, 'elected')
    await blocked(1)
    return [true, restoring] as const
  })
  await restoring

  assert.deepEqual(differences(before, await readTables(db)), [])
})

test('an undo or an import that begins during a restore is rejected; a snapshot is saved after it', async () => {
  await saveSnapshot(ada, 'restored')
  const before = await readTables(db)
  const run = await addZed()

  await duringRestore('restored', [
    async () => {
      await assert.rejects(undoRun(connection, run), ImportBusy)
      await assert.rejects(importTexts(connection, { 'zed.ndjson': zedRecords }), ImportBusy)
      return saveSnapshot(ada, 'during')
    },
  ])

  assert.deepEqual(differences(before, await readTables(db)), [])
  await addZed()
  await restoreSnapshot(ada, 'during')
  assert.deepEqual(differences(before, await readTables(db)), [])
})

test('a restore that begins during an undo waits for it, and then brings back its own state', async () => {
  await saveSnapshot(ada, 'undone')
  const run = await addZed()
  await saveSnapshot(ada, 'with-zed')
  const before = await readTables(db)
  let restoring: Promise<unknown> | undefined

  const { errors } = await undoRun(connection, run, {
    beforeMerge: async () => {
      restoring = restoreSnapshot(ada, 'with-zed')
      await blocked(1)
    },
  })
  await restoring

  assert.deepEqual(errors, [])
  assert.deepEqual(differences(before, await readTables(db)), [])
  await restoreSnapshot(ada, 'undone')
})

test('of two restores at once on two nodes the second waits, and its state is left', async () => {
  await saveSnapshot(ada, 'second')
  const before = await readTables(db)
  await addZed()
  await saveSnapshot(ada, 'first')

  const [restored] = await duringRestore('first', [() => restoreSnapshot(callWith(other, own.access_token), 'second')])

  assert.equal(restored?.Name, 'second')
  assert.deepEqual(differences(before, await readTables(db)), [])
})
