import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../../src/core/clock.ts'
import { restoreSnapshot as restoreIn } from '../../src/sim/snapshots.ts'
import { lockShift, writeShift } from '../../src/sim/store/clock.ts'
import { callWith } from '../api/sim/support.ts'
import { callerWith, makeApp } from '../support/apps.ts'
import { differences, readTables, saveSnapshot } from '../support/database/snapshots.ts'
import { Holder } from '../support/events/electing.ts'
import { eventually } from '../support/eventually.ts'
import { validBodies } from '../support/openapi/operations.ts'
import { exchange, importTexts, instrument, lines } from '../support/service/import.ts'
import { demoLoadedAt } from '../support/service/postgres.ts'
import { databaseUrl, type ServiceProcess, startProcess, temporaryFolder } from '../support/service/process.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const settings = { ACCESS_TOKEN_SECONDS: '86400' }
/** Lives on while another node of its database is killed. */
const service = await serviceForFile({ reference: true, clock: systemClock, env: settings })
const { db, clock, feed } = service.node.context
const { connection } = service.database
// The events of the demo are open on the day it was loaded, for every node.
await db.transaction().execute(async (trx) => {
  await lockShift(trx)
  await writeShift(trx, { offsetMicroseconds: 0, frozenAt: Temporal.Instant.from(demoLoadedAt) })
})
await feed.poll()
const { access_token: token } = await obtainTokens(service.url)
const ada = callWith(service, token)
const elect = () => new Holder(service.baseUrl, token).send(validBodies.electOptions ?? {})
const importMore = () => importTexts(connection, { 'more.ndjson': lines(exchange, instrument(990_002)) })

const watcher = new pg.Client(connection)
watcher.on('error', () => {})
await watcher.connect()
after(() => watcher.end())

/** Until a statement of this text waits for a lock. */
const untilWaiting = (text: string) =>
  eventually(async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ $1`,
      [text],
    )
    return rows.length > 0 || undefined
  })

/** Locks a table until the returned function is called. */
async function hold(table: string, mode: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query(`begin; lock table ${table} in ${mode} mode`)
  return () => holder.end()
}

/** Until no restore holds its tables. */
const untilUnlocked = () =>
  eventually(async () => {
    const { rows } = await watcher.query(
      `select from pg_locks where relation = 'client'::regclass and mode = 'ExclusiveLock'`,
    )
    return rows.length === 0 || undefined
  })

async function startNode(): Promise<ServiceProcess> {
  return startProcess({
    ...settings,
    DATABASE_URL: databaseUrl(connection),
    MASTER_KEY: masterKey.toString('base64'),
    PUBLIC_URL: service.url,
    DATA_DIR: await temporaryFolder(),
  })
}

/** On a busy machine a restore may give up waiting before it is seen. */
async function repeatUntilKilled({ baseUrl, ended }: ServiceProcess): Promise<void> {
  let isKilled = false
  void ended.then(() => {
    isKilled = true
  })
  while (!isKilled) await callWith({ baseUrl }, token)('POST', path).catch(() => sleep(10))
}

type World = Awaited<ReturnType<typeof readTables>>

/** Saves a snapshot, then changes apps, reference data and elections. */
async function changeWorld(): Promise<{ saved: World; changed: World }> {
  await saveSnapshot(ada, 'world')
  const saved = await readTables(db)
  await makeApp(callerWith(service, token), { Name: 'Later' })
  assert.deepEqual((await importMore()).errors, [])
  assert.equal((await elect()).status, 202)
  return { saved, changed: await readTables(db) }
}

/** What callers see of the three changes. */
async function seen(): Promise<boolean[]> {
  const lists = ['/developer/apps', '/ref/v1/instruments?Keywords=S990002', '/x/v1/elections']
  const bodies = await Promise.all(
    lists.map(async (path) => (await ada<{ Data: { Name?: string }[] }>('GET', path)).body),
  )
  const [apps, instruments, elections] = bodies.map(({ Data }) => Data)
  return [apps?.some(({ Name }) => Name === 'Later') ?? false, instruments?.length === 1, (elections?.length ?? 0) > 0]
}
const untilSeen = (isThere: boolean) =>
  eventually(async () => (await seen()).every((one) => one === isThere) || undefined)

const path = '/x/v1/snapshots/world/restore'
/** Repeated, because on a busy machine a restore may give up waiting for a lock. */
const restored = () => eventually(async () => (await ada('POST', path)).status === 200 || undefined)
const others = ({ election: _, event_holding: __, ...tables }: World) => tables

const [first, second] = await Promise.all([startNode(), startNode()])

test('a node that is killed while it restores leaves everything as it was', async (t) => {
  t.after(() => first.kill('SIGKILL'))
  const { saved, changed } = await changeWorld()
  await untilSeen(true)
  const allowAudit = await hold('audit_inbox', 'share')
  // All rows are written when the audit log comes.
  const asking = repeatUntilKilled(first)
  await untilWaiting('^insert into "audit_inbox"')
  first.kill('SIGKILL')
  await first.ended
  await asking
  await allowAudit()
  await untilUnlocked()

  assert.deepEqual(differences(changed, await readTables(db)), [])
  assert.deepEqual(await seen(), [true, true, true])
  await restored()
  assert.deepEqual(differences(saved, await readTables(db)), [])
})

test('a restore whose node is killed after the commit is complete, and the other nodes follow', async (t) => {
  t.after(() => second.kill('SIGKILL'))
  const { saved } = await changeWorld()
  await untilSeen(true)
  // The node reads its keys again before it responds.
  const allowKeys = await hold('signing_key', 'access exclusive')
  const asking = repeatUntilKilled(second)
  await untilWaiting('"signing_key"')
  second.kill('SIGKILL')
  await second.ended
  await asking
  await allowKeys()

  await untilSeen(false)
  assert.deepEqual(differences(saved, await readTables(db)), [])
})

test('a restore waits for an import that is being written, and undoes it', async () => {
  await saveSnapshot(ada, 'world')
  const saved = await readTables(db)
  const allowMerge = await hold('exchange', 'share')
  const importing = importMore()
  await untilWaiting('exchange')
  const restoring = restored()
  await untilWaiting('pg_advisory_xact_lock')
  await allowMerge()

  assert.deepEqual((await importing).errors, [])
  await restoring
  assert.deepEqual(differences(saved, await readTables(db)), [])
  await untilSeen(false)
})

test('a restore waits for an election that is being written, and undoes it', async () => {
  await saveSnapshot(ada, 'world')
  const saved = await readTables(db)
  const allowAudit = await hold('audit_inbox', 'share')
  const electing = elect()
  await untilWaiting('^insert into "audit_inbox"')
  const restoring = restored()
  await untilWaiting('^lock table')
  await allowAudit()

  // 503: it waited for too long, and changed nothing.
  assert.ok([202, 503].includes((await electing).status))
  await restoring
  assert.deepEqual(differences(saved, await readTables(db)), [])
  await untilSeen(false)
})

test('while a restore is being written an import is rejected, and elections of the world before are 409', async (t) => {
  const { saved } = await changeWorld()
  const [isWritten, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.after(() => mayCommit.resolve())
  const restoring = restoreIn({ db, clock, name: 'world', audit: {} }, () => {
    isWritten.resolve()
    return mayCommit.promise
  })
  await isWritten.promise
  await assert.rejects(importMore(), /Another import is running\. This one changed nothing\./)
  const electing = Promise.all([elect(), elect()])
  await untilWaiting('account|election|event')
  mayCommit.resolve()
  await restoring

  const statuses = (await electing).map(({ status }) => status)
  assert.ok(statuses.includes(409) && statuses.every((status) => [202, 409].includes(status)), `${statuses}`)
  const accepted = statuses.filter((status) => status === 202).length
  const now = await readTables(db)
  assert.deepEqual(differences(others(saved), others(now)), [])
  assert.equal((now.election?.length ?? 0) - (saved.election?.length ?? 0), accepted)
  assert.equal((await elect()).status, 202)
  await eventually(async () => `${await seen()}` === 'false,false,true' || undefined)
})
