import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sha256 } from '../../src/core/crypto/keys.ts'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { claimDatabase } from '../../src/database/service.ts'
import { loadDemo } from '../../src/sim/demo/load.ts'
import { demoApp, demoApps, demoKey, demoPassword, demoUsers } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { lines } from '../support/service/import.ts'
import { emptyDatabase, failedStart, projectFolder, runCommand, temporaryFolder } from '../support/service/process.ts'

const masterKey = randomBytes(32)
const MASTER_KEY = masterKey.toString('base64')
noteSecret('master key', MASTER_KEY)
const { url: DATABASE_URL, connection } = await emptyDatabase()
const env = { DATABASE_URL, MASTER_KEY, ENVIRONMENT: 'live', PUBLIC_URL: 'https://refdesk.example.com' }

/** A live database in which the demo is, as if an earlier version had imported it. */
await migrate(connection)
const { db, close } = openDatabase(connection, 2)
await claimDatabase(db, masterKey, 'live')
await loadDemo(db, masterKey, Temporal.Now.instant(), { withReference: false })
await close()

async function importLines(text: string) {
  const file = join(await temporaryFolder(), 'records.ndjson')
  await writeFile(file, text)
  return runCommand(['import', file], env)
}

test('live does not start with credentials of the demo, and names them', async () => {
  const { code, stderr } = await failedStart(env)
  const [reason = ''] = stderr.split('\n').filter((line) => !line.startsWith('{'))
  assert.equal(code, 1)
  assert.match(reason, /^This live database has credentials that everyone knows from the demo: /)
  for (const { AppKey } of demoApps) assert.ok(reason.includes(`app ${AppKey}`))
  assert.ok(reason.includes(`the demo's secret of app ${demoApp.AppKey}`))
  for (const { Name } of demoUsers) assert.ok(reason.includes(`the demo's password of user ${Name}`))
  assert.ok(!reason.includes(demoPassword) && !reason.includes(demoApp.Secret))
})

test('refdesk doctor finds the credentials of the demo in live', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...env, PORT: '1' })
  assert.equal(code, 1)
  assert.match(
    stdout,
    /problem {3}demo credentials {2}Everyone knows app .*\n +Run: echo '\{"kind":"app",.*"delete":true\}' \|/,
  )
  assert.match(stdout, /user ada with the key of a demo user\.\n +Run: echo '\{"kind":"user",.*"delete":true\}' \|/)
  assert.ok(stdout.includes(`the demo's secret of app ${demoApp.AppKey}`))
})

test('live does not set a password that everyone knows', async () => {
  const { code, stderr } = await runCommand(['users', 'password', 'ada'], env, { input: `${demoPassword}\n` })
  assert.deepEqual([code, stderr], [1, 'Everyone knows this password from the demo. Choose another one.\n'])
})

test('live rejects the files of the demo, and its keys, secrets and passwords in other records', async () => {
  const files = ['clients.ndjson', 'apps.ndjson'].map((name) => join(projectFolder, 'demo', name))
  const { code, stderr } = await runCommand(['import', ...files], env)
  assert.equal(code, 1)
  for (const field of ['AppKey', 'Secrets[0]', 'UserKey', 'Password']) assert.ok(stderr.includes(field), field)

  const ClientKey = demoKey('client ada')
  const user = (number: number, Name: string, more: object) => {
    return { kind: 'user', UserKey: `AAAAAAAAAAAAAAAAAAAA${number}Q==`, Name, ClientKey, ...more }
  }
  const app = { kind: 'app', AppKey: 'e'.repeat(32), ClientKey, Name: 'Mine', Flow: 'Code' }
  const disguised = await importLines(
    lines(
      { ...app, Secrets: [{ SecretSha256: sha256(demoApp.Secret).toString('hex') }] },
      user(1, 'eve', { Password: demoPassword }),
    ),
  )
  assert.equal(disguised.code, 1)
  assert.match(disguised.stderr, /:1 .*Secrets\[0\].*Is the secret of a demo app/)
  assert.match(disguised.stderr, /:2 .*Password.*Is the password of a demo user/)
  const gone = demoUsers.map(({ UserKey }) => ({ kind: 'user', UserKey, delete: true }))
  const hashed = await importLines(lines(...gone, user(2, 'Ada', { PasswordHash: await hashPassword(demoPassword) })))
  assert.equal(hashed.code, 1)
  assert.match(hashed.stderr, /:4 .*PasswordHash.*Is the password of a demo user/)
})

test('live rejects a hash of the demo’s password for a user with a key and a name of its own', async () => {
  const eve = { kind: 'user', UserKey: 'AAAAAAAAAAAAAAAAAAAA3Q==', Name: 'eve', ClientKey: demoKey('client ada') }
  const { code, stderr } = await importLines(lines({ ...eve, PasswordHash: await hashPassword(demoPassword) }))
  assert.equal(code, 1)
  assert.match(stderr, /:1 .*PasswordHash.*Is the password of a demo user/)
})

test('live says that an operator has no effect there', async () => {
  const words = ['users', 'add', 'fay', '--client', '10001', '--operator']
  const { code, stdout, stderr } = await runCommand(words, env, { input: 'a password of her own\n' })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Operators have no more rights than other users in live\.$/m)
})

test('live accepts the deletion of what it rejects', async () => {
  const apps = demoApps.map(({ AppKey }) => ({ kind: 'app', AppKey, delete: true }))
  const users = demoUsers.map(({ UserKey }) => ({ kind: 'user', UserKey, delete: true }))
  const { code, stderr } = await importLines(lines(...apps, ...users))
  assert.equal(code, 0, stderr)
})
