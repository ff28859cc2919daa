import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import type { Finding } from '../../src/cli/doctor/rules/finding.ts'
import { databaseUrl, emptyDatabase, runCommand, startProcess, temporaryFolder } from '../support/service/process.ts'

const masterKey = '4fd2a97be0135c861b7e39d4a0f5628c'
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** An installation with its own database, on which a service has run. */
async function installation() {
  const { connection, url } = await emptyDatabase()
  const env = { DATABASE_URL: url, MASTER_KEY: base64(masterKey), DATA_DIR: join(await temporaryFolder(), 'data') }
  const service = await startProcess(env)
  await service.stop()
  return { env, connection }
}

const healthy = await installation()

type Report = Readonly<{ problems: number; warnings: number; findings: readonly Finding[] }>

async function examine(env: Record<string, string>): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json'], { PORT: '1', ...env })
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as Report
  assert.equal(code, report.problems > 0 ? 1 : 0)
  return { ...report, code }
}

const problemsOf = ({ findings }: Report): Finding[] => findings.filter(({ state }) => state === 'problem')

test('refdesk doctor finds nothing wrong with a healthy installation', async () => {
  const { code, stdout } = await runCommand(['doctor'], { PORT: '1', ...healthy.env })
  assert.equal(code, 0, stdout)
  const checks = [
    'settings',
    'service',
    'disk',
    'database',
    'schema',
    'clock',
    'master key',
    'signing keys',
    'audit log',
  ]
  for (const check of checks) assert.match(stdout, new RegExp(`^ {2}(ok|skipped|warning) +${check} +\\S`, 'm'))
  // The PostgreSQL of the tests does not wait for the disk, which is worth a warning.
  assert.match(stdout, /fsync is off: .*\n +Set fsync = on in postgresql\.conf\.\n/)
  assert.match(stdout, /\n {2}0 problems, \d warnings?\n/)
})

test('it says whether the service is ready', async (t) => {
  let status = 200
  const server = createServer((_request, response) => response.writeHead(status).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const env = { ...healthy.env, HOST: '127.0.0.1', PORT: String((server.address() as AddressInfo).port) }
  const service = async () => (await examine(env)).findings.find(({ check }) => check === 'service')
  assert.equal((await service())?.state, 'ok')
  status = 503
  assert.match((await service())?.text ?? '', /is not ready \(503\)/)
})

test('sick: settings with errors and typos, which nothing else can be checked with', async () => {
  const report = await examine({ PORT: 'many', DATABSE_URL: 'x', ENVIRONMENT: 'prod' })
  assert.equal(report.problems, 2)
  assert.match(report.findings[0]?.text ?? '', /^ENVIRONMENT is "prod"|^PORT is "many"/)
  assert.ok(report.findings.some(({ text }) => text.startsWith('DATABSE_URL is not a setting')))
})

test('sick: another MASTER_KEY than the one of the database', async () => {
  const [finding, ...more] = problemsOf(await examine({ ...healthy.env, MASTER_KEY: base64(masterKey.toUpperCase()) }))
  assert.deepEqual([finding?.check, more], ['master key', []])
  assert.match(finding?.advice ?? '', /^Set MASTER_KEY to that key, or, .* restore DATA_DIR\/master\.key/)
})

test('sick: another environment than the one of the database', async () => {
  const live = { ENVIRONMENT: 'live', PUBLIC_URL: 'https://refdesk.example.com' }
  const [finding, ...more] = problemsOf(await examine({ ...healthy.env, ...live }))
  assert.deepEqual([finding?.check, more], ['environment', []])
  assert.equal(finding?.advice, 'Set ENVIRONMENT=sim, or use another database.')
})

test('it warns if the node that started last has another PUBLIC_URL', async () => {
  const { findings } = await examine({ ...healthy.env, PUBLIC_URL: 'https://refdesk.example.com' })
  const finding = findings.find(({ check }) => check === 'public URL')
  assert.equal(finding?.state, 'warning')
  assert.match(finding?.text ?? '', /^It is https:\/\/refdesk\.example\.com here, but /)
})

test('sick: a database that cannot be reached', async () => {
  const [finding] = problemsOf(await examine({ ...healthy.env, DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }))
  assert.match(finding?.text ?? '', /^PostgreSQL cannot be reached .* Check DATABASE_URL/)
})

test('sick: a replica that is another database, and one that is none', async () => {
  const empty = await emptyDatabase()
  const [without] = problemsOf(await examine({ ...healthy.env, DATABASE_READ_URL: empty.url }))
  assert.match(without?.text ?? '', /without refdesk’s tables/)
  const report = await examine({ ...healthy.env, DATABASE_READ_URL: healthy.env.DATABASE_URL })
  assert.match(report.findings.find(({ check }) => check === 'replica')?.text ?? '', /is not a replica/)
})

test('sick: a changed entry of the audit log, a key that does not open, a newer schema', async () => {
  const { env, connection } = await installation()
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`alter table audit_log disable trigger all`)
  await client.query(`update audit_log set body = replace(body, 'KeyCreated', 'KeyRetired')`)
  await client.query(`update signing_key set private_sealed = set_byte(private_sealed, 40, 0) || '\\x00'`)
  await client.query(`insert into migration (version, name) values (999, '999_later.sql')`)
  await client.end()
  const found = problemsOf(await examine(env))
  assert.deepEqual(
    found.map(({ check }) => check),
    ['schema', 'signing keys', 'audit log'],
  )
  for (const { text, advice } of found) assert.ok(advice, text)
  assert.match(found[0]?.text ?? '', /999_later\.sql/)
})

test('it changes nothing: a folder without data stays as it is', async () => {
  const DATA_DIR = join(await temporaryFolder(), 'data')
  const report = await examine({ DATA_DIR })
  assert.equal(report.findings.find(({ check }) => check === 'database')?.state, 'skipped')
  const empty = await emptyDatabase()
  await examine({ ...healthy.env, DATABASE_URL: databaseUrl(empty.connection) })
  const client = new pg.Client(empty.connection)
  await client.connect()
  const { rows } = await client.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
  await client.end()
  assert.deepEqual(rows, [{ tables: 0 }])
})

/** Folders are closed to `nobody` if the tests run as root, whom nothing is closed to. */
const other = process.getuid?.() === 0 ? { user: { uid: 65534, gid: 65534 } } : {}

test('sick: a DATA_DIR that this user cannot write to', async () => {
  const folder = await temporaryFolder()
  await chmod(folder, 0o555)
  for (const DATA_DIR of [folder, join(folder, 'data')]) {
    const { code, stdout } = await runCommand(['doctor', '--json'], { PORT: '1', DATA_DIR }, other)
    const [finding] = problemsOf(JSON.parse(stdout) as Report)
    const text = `${DATA_DIR} is not writable. Set DATA_DIR to a folder that this user owns.`
    assert.deepEqual([code, finding?.check, finding?.text], [1, 'data folder', text])
  }
  assert.deepEqual(await readdir(folder), [])
})

test('sick: a DATA_DIR where no folder can be created', { skip: process.platform !== 'linux' }, async () => {
  const [finding] = problemsOf(await examine({ DATA_DIR: '/proc/refdesk' }))
  assert.match(finding?.text ?? '', /^\/proc\/refdesk is not writable\./)
})

test('data of another user is not taken for no data', async () => {
  const folder = await temporaryFolder()
  const DATA_DIR = join(folder, 'data')
  await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
  await chmod(folder, 0o755)
  await chmod(DATA_DIR, process.getuid?.() === 0 ? 0o700 : 0o000)
  const reason = `The data in ${DATA_DIR} belongs to another user. Run this command as that user.`
  const { code, stdout } = await runCommand(['doctor', '--json'], { PORT: '1', DATA_DIR }, other)
  const found = problemsOf(JSON.parse(stdout) as Report).map(({ text }) => text)
  assert.deepEqual([code, found.includes(reason)], [1, true], stdout)
  const users = await runCommand(['users', 'list'], { DATA_DIR }, other)
  assert.deepEqual([users.code, users.stderr], [1, `${reason}\n`])
  await chmod(DATA_DIR, 0o700)
})
