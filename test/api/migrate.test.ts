import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { migrate } from '../../src/database/migrate.ts'
import { query } from '../faults/embedded-support.ts'
import { testDatabase } from '../support/service/postgres.ts'
import { emptyDatabase, projectFolder } from '../support/service/process.ts'

const files = (await readdir(join(projectFolder, 'migrations'))).filter((name) => name.endsWith('.sql')).sort()
const migrated = await testDatabase()
after(() => migrated.drop())

const applied = (database: Parameters<typeof query>[0]) =>
  query(database, 'select name from migration order by version')

test('of nodes that start at once on an empty database one applies every migration, in order, and the others none', async () => {
  const database = await emptyDatabase()
  const results = await Promise.all(Array.from({ length: 5 }, () => migrate(database.connection)))
  assert.deepEqual(
    results.filter((names) => names.length > 0),
    [files],
  )
  assert.deepEqual(
    await applied(database),
    files.map((name) => ({ name })),
  )
})

test('a migrated database stays unchanged', async () => {
  assert.deepEqual(await migrate(migrated.connection), [])
})

test('rejects a database that is newer than the code, names its migrations and leaves it unchanged', async () => {
  const database = await testDatabase()
  await query(database, "insert into migration (version, name) values (900, '900_from_tomorrow.sql')")
  const reason = /newer than this refdesk \(it has 900_from_tomorrow\.sql\)\. Start the version/
  await assert.rejects(migrate(database.connection), { message: reason })
  assert.equal((await applied(database)).length, files.length + 1)
  await database.drop()
})

test('a migration that fails is undone as a whole, names itself, and runs when its obstacle is gone', async () => {
  const database = await emptyDatabase()
  await query(database, 'create table session ()')
  await assert.rejects(migrate(database.connection), /Migration \d{3}_\w+\.sql failed and was undone: .*already exists/)
  const half = await query(database, "select 1 from pg_tables where tablename in ('sign_in', 'consent', 'signing_key')")
  assert.deepEqual(half, [])
  await query(database, 'drop table session')
  await migrate(database.connection)
  assert.equal((await applied(database)).length, files.length)
})

test('a migration that ends in a deadlock is applied again', async () => {
  const database = await emptyDatabase()
  // What a sequence counts stays when a transaction is undone. The first command creates the table of migrations.
  await query(
    database,
    `create sequence commands;
    create function deadlock_once() returns event_trigger language plpgsql as $$
      begin
        if nextval('commands') = 2 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      end $$;
    create event trigger deadlock_once on ddl_command_start execute function deadlock_once();`,
  )
  assert.deepEqual(await migrate(database.connection), files)
})

test('what runs of the version before imported is known: of imports and of their undos, not of what was no import', async () => {
  const database = await testDatabase()
  const before = `drop trigger imported_data_changed on imported_data; drop function note_imported;
    alter table history_run drop column imported; delete from migration where version = 35;`
  await query(database, before)
  await query(
    database,
    `insert into history_run (source, after_seq, last_election, undoes, counts) values
      ('a.ndjson', 0, 0, null, '[{"kind":"instrument","added":2,"changed":1},{"kind":"app","added":1,"changed":0}]'),
      ('undo of run 1', 0, 0, 1, '[{"kind":"instrument","added":0,"changed":1}]'),
      ('undo of run 2', 0, 0, 2, '[{"kind":"instrument","added":2,"changed":1}]'),
      ('refdesk give', 0, 0, null, null),
      ('undo of run 4', 0, 0, 4, '[{"kind":"position","added":0,"changed":1}]')`,
  )

  await migrate(database.connection)

  const known = [{ instrument: 3 }, { instrument: -3 }, { instrument: 3 }, null, null]
  assert.deepEqual(
    await query(database, 'select imported from history_run order by run'),
    known.map((imported) => ({ imported })),
  )
  await database.drop()
})
