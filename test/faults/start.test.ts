import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { noteSecret } from '../support/runner/log-check.ts'
import { testDatabase } from '../support/service/postgres.ts'
import {
  databaseUrl,
  emptyDatabase,
  freePort,
  projectFolder,
  refusedStart,
  startProcess,
} from '../support/service/process.ts'
import { getRest } from '../support/sign-in.ts'
import { query } from './embedded-support.ts'

const newKey = () => {
  const key = randomBytes(32).toString('base64')
  noteSecret('master key', key)
  return key
}

/** Says why on standard error in lines that are all the reasons there are, nothing on standard output, and ends with 1. */
async function assertRefused(env: Record<string, string>, flags: string[], ...reasons: RegExp[]): Promise<void> {
  const { code, stdout, stderr } = await refusedStart(env, flags)
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(lines.length, reasons.length, stderr)
  for (const [index, reason] of reasons.entries()) assert.match(lines[index] ?? '', reason)
  assert.deepEqual([code, stdout], [1, ''])
}

test('reports a port that is in use in one sentence', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, 'localhost', resolve))
  const { port } = taken.address() as { port: number }
  const { url } = await emptyDatabase()
  const env = { PORT: String(port), DATABASE_URL: url, MASTER_KEY: newKey(), DEMO: 'off' }
  try {
    await assertRefused(
      env,
      [],
      new RegExp(`^Port ${port} is in use\\. Stop the other process, or choose another port: `),
    )
    await assertRefused({ ...env, WORKERS: '2' }, [], new RegExp(`^Port ${port} is in use\\. `))
  } finally {
    taken.close()
  }
})

test('reports a database that is unreachable or denies access in one sentence', async () => {
  const { connection } = await emptyDatabase()
  const MASTER_KEY = newKey()
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
  await assertRefused({ DATA_DIR: join(file, 'data') }, [], /is a file, not a folder\. Set DATA_DIR to another path\.$/)
})

test('rejects a database with another key, of another environment, or newer than the code', async () => {
  const database = await testDatabase()
  const DATABASE_URL = databaseUrl(database.connection)
  const MASTER_KEY = newKey()
  const first = await startProcess({ DATABASE_URL, MASTER_KEY, DEMO: 'off' })
  assert.doesNotMatch(first.message, /curl|password/)
  assert.match(first.message, /There is no client yet.*docs\/guides\/deploying\.md/)
  assert.equal((await first.stop()).code, 0)
  const live = { ENVIRONMENT: 'live', PUBLIC_URL: 'https://refdesk.example.com' }
  await Promise.all([
    assertRefused({ DATABASE_URL, MASTER_KEY: newKey() }, [], /^MASTER_KEY is not the key that this database/),
    assertRefused({ DATABASE_URL, MASTER_KEY, ...live }, [], /^This database belongs to ENVIRONMENT=sim/),
  ])
  await query(database, "insert into migration (version, name) values (900, '900_from_tomorrow.sql')")
  await assertRefused(
    { DATABASE_URL, MASTER_KEY },
    [],
    /^The database is newer than this refdesk \(it has 900_from_tomorrow/,
  )
  await database.drop()
})

test('three nodes started at once on an empty database migrate it and load the demo once, and all serve', async () => {
  const { url, connection } = await emptyDatabase()
  const env = { DATABASE_URL: url, MASTER_KEY: newKey(), PUBLIC_URL: 'http://localhost:4700' }
  const nodes = await Promise.all([startProcess(env), startProcess(env), startProcess(env)])
  for (const node of nodes)
    for (const { token } of nodes) {
      const answer = await getRest(node.baseUrl, '/port/v1/users/me', token)
      assert.equal(answer.status, 200)
    }
  assert.equal(nodes.filter((node) => node.stderr().includes('database migrated')).length, 1)
  assert.equal(nodes.filter((node) => node.stderr().includes('demo data loaded')).length, 1)
  const counts = await query(
    { connection },
    'select (select count(*)::int from app where client_key is not null) apps, count(*)::int users from service_user',
  )
  assert.deepEqual(counts, [{ apps: 3, users: 3 }])
  for (const outcome of await Promise.all(nodes.map((node) => node.stop()))) assert.equal(outcome.code, 0)
})

test('logs at LOG_LEVEL, in JSON on standard error; standard output has only the start message', async () => {
  const { url } = await emptyDatabase()
  const env = { DATABASE_URL: url, MASTER_KEY: newKey(), DEMO: 'off' }
  const quiet = await startProcess({ ...env, LOG_LEVEL: 'silent' })
  const talkative = await startProcess({ ...env, LOG_LEVEL: 'debug' })
  for (const node of [quiet, talkative]) assert.equal((await fetch(`${node.baseUrl}/nowhere`)).status, 404)
  const [silent, loud] = await Promise.all([quiet.stop(), talkative.stop()])
  assert.equal(silent.stderr, '')
  assert.equal(silent.stdout, quiet.message)
  assert.equal(loud.stdout, talkative.message)
  const lines = loud.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  assert.ok(lines.some(({ msg }) => msg === 'closing'))
})

test('ending npm start ends the service: SIGTERM reaches it', async () => {
  const { url: DATABASE_URL } = await emptyDatabase()
  const PORT = String(await freePort())
  const env = { ...process.env, DATABASE_URL, MASTER_KEY: newKey(), DEMO: 'off', PORT, LOG_LEVEL: 'silent' }
  const npm = spawn('npm', ['start'], { cwd: projectFolder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  after(() => npm.kill('SIGKILL'))
  const ended = once(npm.stdout, 'close')
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) if (`${chunk}`.includes('is ready')) break
  assert.equal((await fetch(`http://localhost:${PORT}/health/live`)).status, 200)
  npm.stdout.resume()
  npm.kill('SIGTERM')
  await ended
  await assert.rejects(fetch(`http://localhost:${PORT}/health/live`))
})
