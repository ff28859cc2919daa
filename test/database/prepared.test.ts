import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '../../src/database/open.ts'
import { prepared } from '../../src/database/prepared.ts'
import { StatementNames } from '../../src/database/preparing-client.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase } from '../support/service/postgres.ts'

const database = await testDatabase()
const { db, close } = openDatabase(database.connection, 1)
after(async () => {
  await close()
  await database.drop()
})

const statementsOf = async (on: Db) =>
  (
    await sql<{ statement: string; uses: number }>`select statement, (generic_plans + custom_plans)::int as uses
    from pg_prepared_statements where not from_sql order by prepare_time`.execute(on)
  ).rows

const usesOf = async (on: Db, text: string) =>
  (await statementsOf(on)).filter(({ statement }) => statement.includes(text)).map(({ uses }) => uses)

const findClient = prepared((on, { clientKey }: { clientKey: string }) =>
  on.selectFrom('client').select(['client_id', 'name']).where('client_key', '=', clientKey),
)

test('a statement of the builder is parsed once per connection and takes its values each time', async () => {
  await db.insertInto('client').values({ client_key: 'a', client_id: '1', name: 'Ada' }).execute()
  await db.insertInto('client').values({ client_key: 'b', client_id: '2', name: 'Bo' }).execute()

  assert.deepEqual(await findClient(db, { clientKey: 'a' }), [{ client_id: '1', name: 'Ada' }])
  assert.deepEqual(await findClient(db, { clientKey: 'b' }), [{ client_id: '2', name: 'Bo' }])
  assert.deepEqual(await findClient(db, { clientKey: 'c' }), [])
  await db.transaction().execute(async (trx) => {
    assert.deepEqual(await findClient(trx, { clientKey: 'b' }), [{ client_id: '2', name: 'Bo' }])
  })

  assert.deepEqual(await usesOf(db, '"client"'), [4])
})

test('a raw statement mixes values and constants, and may use a value twice', async () => {
  const add = prepared(
    (_on, { a, b }: { a: number; b: number }) =>
      sql<{ sum: number }>`select ${a}::int + ${b}::int + ${a}::int + ${100}::int as sum`,
  )

  assert.deepEqual(await add(db, { a: 1, b: 10 }), [{ sum: 112 }])
  assert.deepEqual(await add(db, { b: 20, a: 2 }), [{ sum: 124 }])
})

test('other statements are not kept', async () => {
  await db.selectFrom('service_user').select(['name', 'name as again']).where('user_key', '=', 'x').execute()
  assert.deepEqual(await usesOf(db, 'service_user'), [])
})

const backendOf = async (on: Db) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid

test('a new connection prepares its statements again', async () => {
  await findClient(db, { clientKey: 'a' })
  const old = await backendOf(db)
  const other = openDatabase(database.connection, 1)
  await sql`select pg_terminate_backend(${old}::int)`.execute(other.db)
  await other.close()

  // The old connection may still answer, and the pool may learn of its loss only from a statement that fails.
  await eventually(async () => (await backendOf(db)) !== old || undefined, 'a new connection')
  assert.deepEqual(await usesOf(db, '"client"'), [])
  assert.deepEqual(await findClient(db, { clientKey: 'a' }), [{ client_id: '1', name: 'Ada' }])
  assert.deepEqual(await usesOf(db, '"client"'), [1])
})

const readSample = prepared(
  (_on, { id }: { id: number }) => sql<{ value: unknown }>`select value from sample where id = ${id}::int`,
)

test('a statement survives a migration that changes the type of a column', async () => {
  await sql`create table sample (id int, value int)`.execute(db)
  await sql`insert into sample values (1, 7)`.execute(db)
  assert.deepEqual(await readSample(db, { id: 1 }), [{ value: 7 }])

  await sql`alter table sample alter column value type text`.execute(db)

  assert.deepEqual(await readSample(db, { id: 1 }), [{ value: '7' }])
})

test('a transaction in which a statement is outdated fails, and can be repeated', async () => {
  await readSample(db, { id: 1 })
  await sql`alter table sample alter column value type int using value::int`.execute(db)
  const read = () => db.transaction().execute((trx) => readSample(trx, { id: 1 }))

  await assert.rejects(read, /cached plan must not change result type/)
  assert.deepEqual(await read(), [{ value: 7 }])
})

const findGrowing = prepared((_on, { id }: { id: number }) => sql`select id from growing where id = ${id}::int`)

test('a plan that was made for a small table is replaced when the table has grown', async () => {
  const scansSoFar = async (on: Db) =>
    (
      await sql<{ scans: number }>`select seq_scan::int as scans from pg_stat_xact_user_tables
        where relname = 'growing'`.execute(on)
    ).rows[0]?.scans ?? 0
  const scansOf = (count: number) =>
    db.transaction().execute(async (trx) => {
      const before = await scansSoFar(trx)
      for (let done = 0; done < count; done++) await findGrowing(trx, { id: 7 })
      return (await scansSoFar(trx)) - before
    })
  await sql`create table growing (id int primary key)`.execute(db)
  await sql`insert into growing select generate_series(1, 10)`.execute(db)
  await sql`analyze growing`.execute(db)
  assert.equal(await scansOf(10), 10)

  await sql`insert into growing select generate_series(11, 10000)`.execute(db)
  await scansOf(40)

  assert.equal(await scansOf(10), 0)
})

test('the number of statements is limited, and naming one again does not count', () => {
  const names = new StatementNames(2)
  for (const text of ['select 1', 'select 2', 'select 1', 'select 2']) names.add(text)

  assert.throws(() => names.add('select 3'), /More than 2 statements/)
  assert.ok(names.of('select 2'))
  assert.equal(names.of('select 3'), undefined)
})
