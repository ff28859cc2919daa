import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { readConfig } from '../../../src/config.ts'
import { randomHex } from '../../../src/core/crypto/keys.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { claimDatabase } from '../../../src/database/service.ts'
import type { Event } from '../../../src/events/api/schema.ts'
import { startNode } from '../../../src/node.ts'
import { loadDemo } from '../../../src/sim/demo/load.ts'
import { offer } from '../../support/events/electing.ts'
import { accountKeys, event, eventService, path, position } from '../../support/events/event-service.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { administer, template, testDatabase } from '../../support/service/postgres.ts'
import { freePort, databaseUrl as urlOf } from '../../support/service/process.ts'
import { masterKey, startService, type TestService } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const withOptions = (url: string, options: string) => `${url}&options=${encodeURIComponent(options)}`

const { service } = await eventService({
  positions: [position(accountKeys.ada, 1, 10), position(accountKeys.ada, 2, 10), position(accountKeys.ada, 3, 10)],
  events: [event('first', 1), event('second', 2), offer('offer', 3)],
})
const { connection } = service.database
const { access_token } = await obtainTokens(service.url, { user: 'ada' })

async function besides(DATABASE_READ_URL: string, body: (node: TestService) => Promise<void>): Promise<void> {
  const node = await startService({ besides: service, env: { DATABASE_READ_URL } })
  try {
    await body(node)
  } finally {
    await node.close()
  }
}
const statusOf = async (node: TestService, address: string) =>
  (await getRest(node.baseUrl, address, access_token)).status

test('reads positions only from DATABASE_READ_URL (operations 7, 8, 9)', async () => {
  // The same database through a schema that lacks one position and has older revisions, like a lagging replica.
  const { db, close } = openDatabase(connection, 1)
  after(close)
  await sql`create schema behind`.execute(db)
  await sql`create view behind.position as select * from public.position where uic <> 2`.execute(db)
  await sql`create view behind.event_data as select 0::bigint as revision`.execute(db)
  await sql`create view behind.reference_data as select 0::bigint as revision`.execute(db)
  await besides(withOptions(urlOf(connection), '-c search_path=behind,public'), async (node) => {
    const answer = await (await getRest(node.baseUrl, path, access_token)).json()
    assert.deepEqual(
      (answer as { Data: { EventId: string }[] }).Data.map(({ EventId }) => EventId),
      ['first', 'offer'],
    )
    assert.equal(await statusOf(node, `${path}/second`), 404)
    assert.equal(await statusOf(service, `${path}/second`), 200)
  })
})

test('without the replica, events return 503 with Retry-After and everything else works (operations 7, 8, 9)', async () => {
  const away = { ...connection, port: 1 }
  await besides(urlOf(away), async (node) => {
    for (const address of [path, `${path}/first`, `${path}/lookupdata`]) {
      const response = await getRest(node.baseUrl, address, access_token)
      const { ErrorCode } = (await response.json()) as { ErrorCode: string }
      assert.deepEqual([response.status, ErrorCode], [503, 'ServiceUnavailable'])
      assert.ok(response.headers.has('retry-after'))
    }
    assert.equal(await statusOf(node, '/port/v1/clients/me'), 200)
    assert.equal(await statusOf(node, '/ref/v1/instruments'), 200)
    const made = await fetch(`${node.baseUrl}/x/v1/calendars`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(made.status, 201)
    const { pathname } = new URL(made.headers.get('location') ?? '')
    noteSecret('calendar address', /[0-9a-f]{32}/.exec(pathname)?.[0] ?? assert.fail(pathname))
    assert.equal((await fetch(`${node.url}${pathname}`)).status, 503)
    assert.equal((await fetch(`${service.url}${pathname}`)).status, 200)
  })
})

test('rejects the database of another service at start', async () => {
  const other = await testDatabase()
  after(() => other.drop())
  const start = startService({ besides: service, env: { DATABASE_READ_URL: urlOf(other.connection) } })
  await assert.rejects(start, { message: /DATABASE_READ_URL is not a replica/ })
})

test('a server that appears later is read only after it has proved to be a replica', async () => {
  const port = await freePort()
  const later = { ...connection, database: `t_${randomHex()}` }
  const env = { PUBLIC_URL: service.config.publicUrl, DATABASE_READ_URL: urlOf({ ...later, host: 'localhost', port }) }
  const logged: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const node = await startNode({ config: readConfig({}, env), connection, masterKey, clock: service.clock, log })
  after(() => node.close())
  const ask = () =>
    node.server.inject({ url: `/sim/openapi${path}`, headers: { authorization: `Bearer ${access_token}` } })
  const rejects = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const { statusCode, headers } = await ask()
      assert.deepEqual([statusCode, headers['retry-after']], [503, '1'])
    }
  }
  await rejects(1)
  assert.deepEqual(logged, [])

  const { host } = connection
  const server = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${connection.port}` }
    : { host, port: connection.port }
  const way = createServer((near) => {
    const far = connect(server)
    for (const end of [near, far]) end.on('error', () => undefined)
    near.pipe(far).pipe(near)
  }).listen(port, 'localhost')
  after(() => way.close())
  await once(way, 'listening')
  const noReplica =
    'DATABASE_READ_URL is not a replica of the database of this service. Set it to one, or leave it out.'
  // A server without the database; then more connections than the pool has, to a database of no service.
  await rejects(1)
  assert.deepEqual(logged, [noReplica])
  await administer(connection, `create database ${later.database} template ${template}`)
  after(() => administer(connection, `drop database ${later.database} with (force)`))
  await rejects(11)
  assert.deepEqual(logged, [noReplica])

  const { db, close } = openDatabase(later, 2)
  after(close)
  await claimDatabase(db, masterKey, 'sim')
  await loadDemo(db, masterKey, service.clock.now(), { withReference: false })
  const answer = await ask()
  assert.deepEqual([answer.statusCode, answer.json().Data], [200, []])
})

test('a node that has just started shows elections that its replica has not got', async () => {
  const { db, close } = openDatabase(connection, 1)
  after(close)
  const Options = [{ OptionId: '1', Amount: 4 }]
  const made = await fetch(`${service.baseUrl}/ca/v2/elections`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ EventId: 'offer', AccountKey: accountKeys.ada, Options }),
  })
  assert.equal(made.status, 202)
  await sql`create schema before_it`.execute(db)
  await sql`create view before_it.event_holding as select * from public.event_holding where false`.execute(db)
  await sql`create view before_it.election_count as select last - 1 as last from public.election_count`.execute(db)
  await besides(withOptions(urlOf(connection), '-c search_path=before_it,public'), async (node) => {
    const answer = await (await getRest(node.baseUrl, `${path}/offer`, access_token)).json()
    assert.equal((answer as Event).Holdings?.[0]?.ElectedAmount, 4)
  })
})
