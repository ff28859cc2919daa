import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { isCommitUncertain, isOutage } from '../../../src/core/network/outage.ts'
import { newClient, openDatabase } from '../../../src/database/open.ts'
import { eventually } from '../../support/eventually.ts'
import { startGate } from '../../support/network/gate.ts'
import { temporaryFolder } from '../../support/service/process.ts'
import { startReplicated } from '../../support/service/replicated.ts'

const pair = await startReplicated({ folder: await temporaryFolder() })
after(() => pair.stop())
await pair.query(pair.primary, 'create table note (line text)')

/** Long, so that only a dropped connection ends a wait. */
const patient = { statement_timeout: 240_000, query_timeout: 240_000 }

let opened = 0
/** A pool for one test; the name makes its URL different, so that it knows nothing of earlier tests. */
function open(connectionString: string, options: object = patient) {
  const separator = connectionString.includes('?') ? '&' : '?'
  const database = openDatabase(
    { connectionString: `${connectionString}${separator}application_name=t${++opened}` },
    4,
    options,
  )
  after(database.close)
  const write = (line: string) => database.db.executeQuery(sql`insert into note values (${line})`.compile(database.db))
  return { ...database, write, portOf: () => portOf(database.db) }
}

async function portOf(db: ReturnType<typeof openDatabase>['db']): Promise<number> {
  const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(db)
  return rows[0]?.port ?? 0
}

const both = () => pair.urlOf([pair.replica, pair.primary])

/** Every test begins with a primary and a replica that follows it. */
beforeEach(async () => {
  const streams = "select 1 from pg_stat_replication where state = 'streaming'"
  if ((await pair.query(pair.primary, streams)).length === 0) await pair.rebuild()
})

test('a connection leads to the server that accepts writes, in whatever order they are named', async () => {
  for (const url of [both(), pair.urlOf([pair.primary, pair.replica]), pair.urlOf([pair.replica, pair.primary], '')])
    assert.equal(await open(url).portOf(), pair.primary.port)
  assert.equal(
    await open(pair.urlOf([pair.primary, pair.replica], 'target_session_attrs=standby')).portOf(),
    pair.replica.port,
  )
})

test('a URL of replicas only is an outage, which names the servers and no password', async () => {
  const error = await open(pair.urlOf([pair.replica, pair.replica]))
    .portOf()
    .catch((reason: Error) => reason)
  assert.ok(isOutage(error))
  assert.match(String(error), new RegExp(`127\\.0\\.0\\.1:${pair.replica.port} is read-only`))
  assert.doesNotMatch(String(error), /replicated-test/)
})

test('after the primary is killed and its replica promoted, the pool follows', async () => {
  const { portOf, write } = open(both())
  assert.equal(await portOf(), pair.primary.port)

  await pair.kill(pair.primary, 'SIGKILL')
  await assert.rejects(portOf(), isOutage)
  await pair.promote()

  await eventually(async () => (await portOf()) === pair.primary.port || undefined)
  await write('after the failover')
})

test('a primary that hangs is left when its replica is promoted, and is not used again when it wakes up', async () => {
  const { db, portOf } = open(both())
  assert.equal(await portOf(), pair.primary.port)
  const frozen = pair.primary

  await pair.kill(frozen, 'SIGSTOP')
  const waiting = assert.rejects(sql`select pg_sleep(0)`.execute(db), isOutage)
  await pair.promote()
  await waiting
  await eventually(async () => (await portOf()) === pair.primary.port || undefined)

  await pair.kill(frozen, 'SIGCONT')
  const isAwake = () => pair.query(frozen, 'select not pg_is_in_recovery() as writable')
  assert.deepEqual(await eventually(isAwake), [{ writable: true }])
  assert.equal(await portOf(), pair.primary.port)
  assert.equal(await open(pair.urlOf([frozen, pair.primary])).portOf(), pair.primary.port, 'the newer timeline')
})

test('a server that has become read-only is an outage, and its connections are dropped', async () => {
  const { write, db } = open(pair.urlOf([pair.primary], ''))
  await write('before')
  const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const before = await pidOf()
  const setReadOnly = async (value: string) => {
    await pair.query(pair.primary, `alter system set default_transaction_read_only = ${value}`)
    await pair.query(pair.primary, 'select pg_reload_conf()')
  }

  await setReadOnly('on')
  await eventually(async () => {
    const error = await write('rejected').then(
      () => undefined,
      (reason: Error) => reason,
    )
    if (error) assert.ok(isOutage(error), String(error))
    return error
  })
  const session = new pg.Client({
    connectionString: pair.urlOf([pair.primary], ''),
    options: '-c default_transaction_read_only=off',
  })
  await session.connect()
  await session.query('alter system reset default_transaction_read_only')
  await session.query('select pg_reload_conf()')
  await session.end()

  await eventually(async () => {
    await write('after')
    return true
  })
  assert.notEqual(await pidOf(), before)
})

test('a commit whose wait for the synchronous replica is cancelled is uncertain, although PostgreSQL reports success', async () => {
  const { db, write } = open(pair.urlOf([pair.primary], ''))
  await pair.synchronize(true)
  await pair.kill(pair.replica, 'SIGSTOP')
  const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
  const cancelled = () => eventually(async () => (await pair.query(pair.primary, cancel))[0])
  try {
    const inTransaction = db.transaction().execute((trx) => sql`insert into note values ('unconfirmed')`.execute(trx))
    await Promise.all([assert.rejects(inTransaction, isUncertainOutage), cancelled()])
    await Promise.all([assert.rejects(write('unconfirmed'), isUncertainOutage), cancelled()])
  } finally {
    await pair.kill(pair.replica, 'SIGCONT')
    await pair.synchronize(false)
  }
})

const isUncertainOutage = (error: unknown) => isOutage(error) && isCommitUncertain(error)

test('a connection that the network has lost is dropped, and one that only works long is not', async () => {
  const gate = await startGate(pair.primary)
  after(() => gate.close())
  const { portOf } = open(pair.urlOf([gate], ''))
  const direct = open(pair.urlOf([pair.primary], ''))
  await Promise.all([portOf(), portOf(), portOf()])

  const working = sql`select pg_sleep(6)`.execute(direct.db)
  gate.forgetConnections()
  await assert.rejects(portOf(), isOutage)

  assert.equal(await portOf(), pair.primary.port, 'the others from before are dropped too')
  assert.equal(await portOf(), pair.primary.port)
  await working
})

test('a COPY that the network has lost is an outage, at its beginning, under way or after its session has ended; one whose data arrives is not', async () => {
  await pair.query(pair.primary, 'create table copied (line int)')
  const gate = await startGate(pair.primary)
  after(() => gate.close())
  const connect = async (server: { host: string; port: number }) => {
    const connectionString = `${pair.urlOf([server], '')}?application_name=copy${++opened}`
    const client = newClient({ connectionString }, patient)
    await client.connect()
    after(() => client.end().catch(() => undefined))
    return () => client.query(copyFrom('copy copied from stdin'))
  }
  const copies = async () => (await pair.query(pair.primary, 'select from pg_stat_progress_copy')).length
  const early = await connect(gate)
  const late = (await connect(gate))()
  const steady = (await connect(pair.primary))()
  const rows = setInterval(() => steady.write('1\n'), 200)
  after(() => clearInterval(rows))
  late.write('1\n')
  const ended = (await connect(gate))()
  const endSession = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'copy${opened}'`
  ended.write('1\n')
  await eventually(async () => (await copies()) === 3 || undefined, 'three COPYs under way')

  gate.forgetConnections()
  await pair.query(pair.primary, endSession)
  await Promise.all([late, early(), ended].map((copy) => assert.rejects(finished(copy.end('1\n')), isOutage)))

  clearInterval(rows)
  await finished(steady.end())
  assert.deepEqual(await pair.query(pair.primary, 'select count(*)::int as count from copied'), [
    { count: steady.rowCount },
  ])
})
