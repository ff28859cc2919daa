import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { noteSecret } from '../support/runner/log-check.ts'
import { testDatabase } from '../support/service/postgres.ts'
import {
  databaseUrl,
  emptyDatabase,
  failedStart,
  freePort,
  startProcess,
  temporaryFolder,
} from '../support/service/process.ts'
import { getRest } from '../support/sign-in.ts'
import { query } from './embedded-support.ts'

const newKey = () => {
  const key = randomBytes(32).toString('base64')
  noteSecret('master key', key)
  return key
}

/** A database with all tables: only the first start on an empty one creates them. */
const database = await testDatabase()
after(() => database.drop())
const DATABASE_URL = databaseUrl(database.connection)
const MASTER_KEY = newKey()

/** Standard error has these reasons and no others, one per line; standard output is empty, and the exit code is 1. */
async function assertRefused(env: Record<string, string>, flags: string[], ...reasons: RegExp[]): Promise<void> {
  const { code, stdout, stderr } = await failedStart(env, flags)
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(lines.length, reasons.length, stderr)
  for (const [index, reason] of reasons.entries()) assert.match(lines[index] ?? '', reason)
  assert.deepEqual([code, stdout], [1, ''])
}

test('reports a port that is in use in one sentence', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, 'localhost', resolve))
  const { port } = taken.address() as { port: number }
  const env = { PORT: String(port), DATABASE_URL, MASTER_KEY, DEMO: 'off' }
  try {
    await assertRefused(
      env,
      [],
      new RegExp(`^Port ${port} is in use\\. Stop the other process, or choose another port: `),
    )
    await assertRefused({ ...env, WORKERS: '2' }, [], new RegExp(`^Port ${port} is in use\\. `))
    // Noticed before the bundled database is created.
    const DATA_DIR = join(await temporaryFolder(), 'data')
    await assertRefused({ PORT: String(port), DATA_DIR }, [], new RegExp(`^Port ${port} is in use\\. `))
    assert.equal(existsSync(DATA_DIR), false)
  } finally {
    taken.close()
  }
})

test('reports a database that is unreachable or denies access in one sentence', async () => {
  const { connection } = database
  const nowhere = `postgresql://refdesk:a-password@localhost:${await freePort()}/refdesk`
  await Promise.all([
    assertRefused(
      { DATABASE_URL: nowhere, MASTER_KEY },
      [],
      /^PostgreSQL cannot be reached \(.+\)\. Check DATABASE_URL/,
    ),
    assertRefused(
      { DATABASE_URL: databaseUrl({ ...connection, password: 'a wrong password' }), MASTER_KEY },
      [],
      /^PostgreSQL rejected the user or password of DATABASE_URL\./,
    ),
    assertRefused(
      { DATABASE_URL: databaseUrl({ ...connection, database: 'nowhere' }), MASTER_KEY },
      [],
      /^The database in DATABASE_URL does not exist\. Create it: /,
    ),
  ])
})

test('rejects a DATABASE_READ_URL whose database does not exist', async () => {
  const DATABASE_READ_URL = databaseUrl({ ...database.connection, database: 'nowhere' })
  await assertRefused(
    { DATABASE_URL, DATABASE_READ_URL, MASTER_KEY, DEMO: 'off' },
    [],
    /^DATABASE_READ_URL is not a rep/,
  )
})

test('reports all configuration errors at once; a flag wins over its variable', async () => {
  const env = { PORT: '4700', ENVIRONMENT: 'test', DATABASE_URL: 'mysql://x', MASTER_KEY: 'short', LOG_LEVEL: 'loud' }
  await assertRefused(
    env,
    ['--port', 'many', '--public-url=https://example.com/path'],
    /^ENVIRONMENT is "test"; set it to one of: sim, live\.$/,
    /^PORT is "many"; set it to a whole number from 0 to 65535\.$/,
    /^PUBLIC_URL is "https:\/\/example\.com\/path"; set it to an origin/,
    /^DATABASE_URL is not a PostgreSQL URL/,
    /^MASTER_KEY is not 32 bytes in base64/,
    /^LOG_LEVEL is "loud"; set it to one of: /,
  )
})

test('live does not start with demo data, http or a generated key', async () => {
  await assertRefused(
    { ENVIRONMENT: 'live', DEMO: 'on', PUBLIC_URL: 'http://refdesk.example.com' },
    [],
    /^ENVIRONMENT=live requires a MASTER_KEY\./,
    /^ENVIRONMENT=live does not allow demo data\. Set DEMO=off\.$/,
    /^ENVIRONMENT=live requires a PUBLIC_URL that starts with https:\/\//,
  )
})

test('reports an unusable data folder in one sentence', async () => {
  const file = new URL(import.meta.url).pathname
  if (process.platform === 'linux')
    await assertRefused({ DATA_DIR: '/proc/x' }, [], /^\/proc takes no new folders\. Set DATA_DIR to a folder/)
  await assertRefused({ DATA_DIR: join(file, 'data') }, [], /is a file, not a folder\. Set DATA_DIR to another path\.$/)
})

test('LOG_LEVEL=silent: standard output has only the start message, standard error nothing', async () => {
  const service = await startProcess({ DATABASE_URL, MASTER_KEY, DEMO: 'off', LOG_LEVEL: 'silent' })
  assert.doesNotMatch(service.message, /curl|password/)
  assert.match(service.message, /There is no client yet.*docs\/guides\/deploying\.md/)
  assert.equal((await fetch(`${service.baseUrl}/nowhere`)).status, 404)
  assert.deepEqual(await service.stop(), { code: 0, stdout: service.message, stderr: '' })
})

test('rejects a database with another key, of another environment, or newer than the code', async () => {
  const live = { ENVIRONMENT: 'live', PUBLIC_URL: 'https://refdesk.example.com' }
  await Promise.all([
    assertRefused(
      { DATABASE_URL, MASTER_KEY: newKey() },
      [],
      /^This database was created with another master key\. Set MASTER_KEY/,
    ),
    assertRefused({ DATABASE_URL, MASTER_KEY, ...live }, [], /^This database belongs to ENVIRONMENT=sim/),
  ])
  await query(database, "insert into migration (version, name) values (900, '900_from_tomorrow.sql')")
  await assertRefused(
    { DATABASE_URL, MASTER_KEY },
    [],
    /^The database is newer than this refdesk \(it has 900_from_tomorrow/,
  )
})

const empty = await emptyDatabase()
const shared = { DATABASE_URL: empty.url, MASTER_KEY: newKey(), PUBLIC_URL: 'http://localhost:4700' }
const startThree = () =>
  Promise.all([
    startProcess(shared),
    startProcess({ ...shared, LOG_LEVEL: 'debug' }),
    startProcess({ ...shared, HOME: homedir() }, { program: ['npm', 'start'] }),
  ])
let started: ReturnType<typeof startThree> | undefined

/** Started when the first test needs them, after the tests above. */
function threeNodes() {
  started ??= startThree()
  return started
}

test('three nodes started at once on an empty database migrate it and load the demo once, and all serve', async () => {
  const nodes = await threeNodes()
  for (const node of nodes)
    for (const { token } of nodes) {
      const answer = await getRest(node.baseUrl, '/port/v1/users/me', token)
      assert.equal(answer.status, 200)
    }
  assert.equal(nodes.filter((node) => node.stderr().includes('database migrated')).length, 1)
  assert.equal(nodes.filter((node) => node.stderr().includes('demo data loaded')).length, 1)
  const counts = await query(
    empty,
    'select (select count(*)::int from app where client_key is not null) apps, count(*)::int users from service_user',
  )
  assert.deepEqual(counts, [{ apps: 3, users: 3 }])
})

test('ending npm start ends the service: SIGTERM reaches it', async () => {
  const [, , ofNpm] = await threeNodes()
  assert.equal((await fetch(`${ofNpm.url}/health/live`)).status, 200)
  await ofNpm.stop()
  await assert.rejects(fetch(`${ofNpm.url}/health/live`))
})

test('logs in JSON on standard error; standard output has only the start message', async () => {
  const [plain, talkative] = await threeNodes()
  assert.equal((await fetch(`${talkative.baseUrl}/nowhere`)).status, 404)
  const outcomes = await Promise.all([plain.stop(), talkative.stop()])
  assert.deepEqual(
    outcomes.map(({ code }) => code),
    [0, 0],
  )
  const [, loud] = outcomes
  assert.equal(loud.stdout, talkative.message)
  const lines = loud.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  assert.ok(lines.some(({ msg }) => msg === 'closing'))
})
