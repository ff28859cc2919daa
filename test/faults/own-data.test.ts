import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/database/open.ts'
import { callWith } from '../api/sim/support.ts'
import { demoPassword } from '../support/demo.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { exchange, instrument, lines } from '../support/service/import.ts'
import { emptyDatabase, runCommand, startProcess, temporaryFolder } from '../support/service/process.ts'
import { basic, postToken, signIn, signInForCode } from '../support/sign-in.ts'

const [AppKey, Secret, password] = ['a'.repeat(31).concat('b'), randomBytes(16).toString('hex'), 'a long password']
const redirect_uri = 'http://localhost:5000/mine'
const [ClientKey, UserKey] = ['AAAAAAAAAAAAAAAAAAAAAQ==', 'AAAAAAAAAAAAAAAAAAAAAg==']
const own = lines(
  exchange,
  instrument(1),
  { kind: 'client', ClientKey, ClientId: '1', Name: 'Mine' },
  { kind: 'user', UserKey, Name: 'eve', ClientKey, Password: password },
  { kind: 'accessRight', ClientKey, Level: 'Trade' },
  {
    ...{ kind: 'app', AppKey, ClientKey, Name: 'My app', Flow: 'Code', Levels: { Online: 'Trade', Offline: 'Trade' } },
    RedirectUris: [{ Uri: redirect_uri }],
    Secrets: [{ Secret }],
  },
)

/** Settings of a new database, and how to import into it. */
async function newService() {
  const MASTER_KEY = randomBytes(32).toString('base64')
  for (const [what, secret] of Object.entries({ MASTER_KEY, Secret, password })) noteSecret(what, secret)
  const env = { DATABASE_URL: (await emptyDatabase()).url, MASTER_KEY }
  const load = async (text: string) => {
    const file = join(await temporaryFolder(), 'own.ndjson')
    await writeFile(file, text)
    const { code, stderr } = await runCommand(['import', file], env)
    assert.equal(code, 0, stderr)
  }
  const exported = async () => (await runCommand(['export'], env)).stdout
  return { env, load, exported }
}

test('a reset never removes an operator’s own data, and a start never adds the demo to it', async () => {
  const { env, load, exported } = await newService()
  await (await startProcess({ ...env, DEMO: 'off' })).stop()
  await load(own)
  const before = await exported()

  const service = await startProcess(env)
  assert.doesNotMatch(service.message, /Demo|\bada\b/)
  const params = { response_type: 'code', client_id: AppKey, redirect_uri, state: 's' }
  const code = await signInForCode(service.url, params, { user: 'eve', password })
  const form = { grant_type: 'authorization_code', code, redirect_uri }
  const { body: tokens } = await postToken(service.url, form, basic(AppKey, Secret))
  const call = callWith(service, tokens.access_token)
  const { status, body } = await call<{ ErrorCode: string }>('POST', '/x/v1/reset', { Confirm: 'reset' })
  assert.deepEqual([status, body.ErrorCode], [409, 'NoDemoData'])
  assert.equal((await call('GET', '/port/v1/users/me')).status, 200)
  await assert.rejects(signIn(service.url, params, { user: 'ada', password: demoPassword }))
  await service.stop()

  const command = await runCommand(['reset', '--confirm', 'reset', '--imported'], env)
  assert.equal(command.code, 1)
  assert.match(command.stderr, /^The data of this database is not the demo data/)
  assert.equal(await exported(), before)
})

test('the demo is not loaded into a database that has imported data but no client yet', async () => {
  const { env, load, exported } = await newService()
  await (await startProcess({ ...env, DEMO: 'off' })).stop()
  await load(lines(exchange, instrument(1)))
  const service = await startProcess(env)
  assert.match(service.message, /There is no client yet/)
  await service.stop()
  assert.equal((await exported()).trim().split('\n').length, 2)
})

test('the start message says that the origin of data from an earlier version is unknown, and what to do', async () => {
  const { env } = await newService()
  await (await startProcess(env)).stop()
  const { db, close } = openDatabase({ connectionString: env.DATABASE_URL }, 1)
  await sql`update service set demo_loaded_at = null`.execute(db).finally(close)

  const service = await startProcess({ ...env, SIM_CONTROLS: 'operators' })
  await service.stop()

  assert.equal(service.message.split('An earlier version filled this database').length, 2)
  assert.match(service.message, /refdesk reset --confirm reset --imported/)
  assert.match(service.message, /No user is an operator.*refdesk users operator NAME/)
  const { code, stderr } = await runCommand(['users', 'operator', 'ada'], env)
  assert.equal(code, 0, stderr)
  assert.equal((await runCommand(['reset', '--confirm', 'reset', '--imported'], env)).code, 0)
  const after = await startProcess({ ...env, SIM_CONTROLS: 'operators' })
  await after.stop()
  assert.match(after.message, /Demo users/)
  assert.doesNotMatch(after.message, /earlier version|No user is an operator/)
})
