import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/database/open.ts'
import { toProblem } from '../../src/http/errors.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
after(() => database.drop())

/** A proxy of PostgreSQL that cuts the connection before the given statement is sent, or when its response arrives. */
async function cutting(statement: string, when: 'before' | 'after') {
  const { host = '', port } = database.connection
  const proxy = createServer((client) => {
    const place = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) }
    const server = createConnection(place)
    const cut = () => {
      client.destroy()
      server.destroy()
    }
    let isAsked = false
    client.on('data', (sent) => {
      isAsked ||= sent.toString('latin1').includes(`${statement}\0`)
      if (isAsked && when === 'before') cut()
      else server.write(sent)
    })
    server.on('data', (answer) => (isAsked ? cut() : client.write(answer)))
    for (const end of [client, server]) end.on('error', cut).on('close', cut)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const connection = { ...database.connection, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port }
  const { db, close } = openDatabase(connection, 1)
  return { db, close: () => close().finally(() => proxy.close()) }
}

test('no Retry-After if the response to a commit is lost, because it may be done; any other outage changed nothing', async () => {
  const direct = openDatabase(database.connection, 1)
  after(() => direct.close())
  await sql`create table done (name text)`.execute(direct.db)
  for (const [statement, when, retryAfter, rows] of [
    ['commit', 'after', undefined, 1],
    ['commit', 'before', undefined, 0],
    ['begin', 'after', '1', 0],
  ] as const) {
    await sql`truncate done`.execute(direct.db)
    const { db, close } = await cutting(statement, when)
    const lost = await db
      .transaction()
      .execute((trx) => sql`insert into done values ('it')`.execute(trx))
      .catch((error: unknown) => toProblem(error))
    await close()
    assert.ok('status' in lost, `${when} ${statement} the transaction did not fail`)
    assert.deepEqual([lost.status, lost.headers?.['retry-after']], [503, retryAfter])
    assert.equal((await sql`select * from done`.execute(direct.db)).rows.length, rows)
  }
})

test('no Retry-After if the response to a single statement that writes is lost, because PostgreSQL commits it by itself', async () => {
  const direct = openDatabase(database.connection, 1)
  after(() => direct.close())
  await sql`create table single (name text)`.execute(direct.db)
  for (const [statement, retryAfter, rows] of [
    ["insert into single values ('it')", undefined, 1],
    ['select * from single', '1', 1],
  ] as const) {
    const { db, close } = await cutting(statement, 'after')
    const lost = await sql
      .raw(statement)
      .execute(db)
      .catch((error: unknown) => toProblem(error))
    await close()
    assert.ok('status' in lost, `${statement} did not fail`)
    assert.deepEqual([lost.status, lost.headers?.['retry-after']], [503, retryAfter])
    assert.equal((await sql`select * from single`.execute(direct.db)).rows.length, rows)
  }
})

test('a commit that PostgreSQL rejects is not done', async () => {
  const { db, close } = openDatabase(database.connection, 1)
  await sql`create table later (id int unique deferrable initially deferred)`.execute(db)
  const rejected = await db
    .transaction()
    .execute((trx) => sql`do $$ begin insert into later values (1), (1); end $$`.execute(trx))
    .catch((error: unknown) => error)
  await close()
  assert.equal(toProblem(rejected).status, 500)
})
