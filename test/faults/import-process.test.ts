import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { locks } from '../../src/database/locks.ts'
import { exchange, importTexts, instrument, lines } from '../support/service/import.ts'
import { testDatabase } from '../support/service/postgres.ts'
import {
  databaseUrl,
  environment,
  projectFolder,
  runCommand,
  startProcess,
  temporaryFolder,
} from '../support/service/process.ts'

const folder = await temporaryFolder()
const database = await testDatabase()
after(() => database.drop())
const { connection } = database
const env = { DATABASE_URL: databaseUrl(connection), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const watcher = new pg.Client(connection)
watcher.on('error', () => {})
await watcher.connect()
after(() => watcher.end())

/** An import that is to be killed; its standard input stays open. */
function startImport(...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(projectFolder, 'src/cli/cli.ts'), 'import', ...words], {
    env: environment(env),
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  after(() => void child.kill('SIGKILL'))
  return child
}

async function until(question: string, values: unknown[] = []): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const { rows } = await watcher.query<{ holds: boolean }>(`select (${question}) as holds`, values)
    if (rows[0]?.holds) return
    await sleep(20)
  }
  assert.fail(`never true: ${question}`)
}

const lockIsHeld = `exists (select from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and locktype = 'advisory' and objid = $1)`
const rowCounts = async () => {
  const { rows } = await watcher.query(`select (select count(*)::int from instrument) as instruments,
    (select count(*)::int from exchange) as exchanges, (select revision::int from reference_data) as revision`)
  return rows[0]
}
const nothing = { instruments: 0, exchanges: 0, revision: 0 }

const count = 1_000
const many = join(folder, 'many.ndjson')
await writeFile(many, lines(exchange, ...Array.from({ length: count }, (_, index) => instrument(index + 1))))

test('an import that is killed while reading changes nothing; until then no other import runs', async () => {
  const reading = startImport()
  // Far more than a pipe holds: when all is written the import has read most of it, and waits for more.
  const much = lines(exchange, ...Array.from({ length: 5_000 }, (_, index) => instrument(index + 1)))
  await new Promise((resolve) => reading.stdin?.on('error', () => {}).write(much, resolve))
  await until(lockIsHeld, [locks.import])
  // Requests come first.
  assert.equal(getPriority(reading.pid), constants.priority.PRIORITY_BELOW_NORMAL)
  const second = importTexts(connection, { 'f.ndjson': lines(exchange) })
  await assert.rejects(second, /^Error: Another import is running\. This one changed nothing\.$/)
  reading.kill('SIGKILL')
  await until(`not ${lockIsHeld}`, [locks.import])
  assert.deepEqual(await rowCounts(), nothing)
})

test('one Ctrl-C ends an import that waits for input', async () => {
  const waiting = startImport()
  const ended = once(waiting, 'exit')
  await new Promise((resolve) => waiting.stdin?.on('error', () => {}).write(lines(exchange), resolve))
  await until(lockIsHeld, [locks.import])
  waiting.kill('SIGINT')
  assert.deepEqual(await ended, [1, null])
  assert.deepEqual(await rowCounts(), nothing)
})

test('an import that is killed while merging changes nothing, and the next one succeeds', async () => {
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table exchange in share mode')
  const merging = startImport(many)
  await until(`exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query ~ 'exchange')`)
  merging.kill('SIGKILL')
  await holder.query('rollback')
  await holder.end()
  await until(`not ${lockIsHeld}`, [locks.import])
  assert.deepEqual(await rowCounts(), nothing)
  const { code, stdout } = await runCommand(['import', many], env)
  assert.equal(code, 0)
  assert.match(stdout, /^ +added +changed +unchanged +removed\nexchange +1 +0 +0 +0\ninstrument +1000 +0 +0 +0\n/)
  assert.match(
    stdout,
    /The reference data has revision 1\.\nThis was run \d+\. Undo it with: refdesk import --undo \d+\n$/,
  )
  assert.deepEqual(await rowCounts(), { instruments: count, exchanges: 1, revision: 1 })
  const { rows } = await watcher.query(`select body::json -> 'detail' as detail from audit_inbox
    where body::json ->> 'kind' = 'ImportApplied'`)
  const detail = { exchange: '1 added, 0 changed, 0 removed', instrument: `${count} added, 0 changed, 0 removed` }
  assert.deepEqual(rows, [{ detail: { by: 'operator', ...detail } }])
})

test('an import without files fails if standard input is empty', async () => {
  const { code, stdout, stderr } = await runCommand(['import'], env)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^There is nothing to import\. Pass files, or send records to standard input: /m)
})

test('import and export work with and without a running service', async () => {
  const own = { DATA_DIR: join(folder, 'data'), DEMO: 'off' }
  const service = await startProcess(own)
  const input = `${lines(exchange, instrument(1))}{"kind":"instrument","Uic":7,"delete":true}\n`
  const beside = await runCommand(['import', '-'], own, { input })
  assert.equal(beside.code, 0)
  // On a busy machine, lines of progress come first.
  assert.match(
    beside.stderr,
    /^(?:\w+ [^\n]*\n)*Took \d+\.\d s.*\.\nTo see later changes: refdesk changes --since \S+\n$/,
  )
  assert.match(beside.stdout, /^The service at http:\/\/localhost:\d+ serves revision 1\.$/m)
  await service.stop()
  const out = join(folder, 'out.ndjson.gz')
  const without = await runCommand(['export', '--file', out], own)
  assert.deepEqual([without.code, without.stdout], [0, ''])
  assert.equal(gunzipSync(await readFile(out)).toString(), lines(exchange, instrument(1)))
  assert.equal((await stat(out)).mode & 0o777, 0o600)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
})
