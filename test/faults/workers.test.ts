import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hashPassword } from '../../src/core/crypto/passwords.ts'
import { demoPassword } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { testDatabase, usersTemplate } from '../support/service/postgres.ts'
import {
  answeredAtFirst,
  childrenOf,
  databaseUrl,
  manyReadyToSignIn,
  startProcess,
} from '../support/service/process.ts'
import { basic, obtainTokens } from '../support/sign-in.ts'
import { query } from './embedded-support.ts'

const database = await testDatabase(usersTemplate)
after(() => database.drop())
// The template's hash is cheap. With the real one sign-ins are still under way when the first is answered.
await query(database, `update service_user set password_hash = '${await hashPassword(demoPassword)}'`)
const env = { DATABASE_URL: databaseUrl(database.connection), MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const service = await startProcess({ ...env, WORKERS: '2' })

/** Calls on a new connection; returns the status and the node that responded, from the end of X-Correlation. */
async function call(token: string): Promise<{ status: number; node: string }> {
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  const answer = await fetch(`${service.baseUrl}/port/v1/users/me`, { headers })
  await answer.arrayBuffer()
  return { status: answer.status, node: answer.headers.get('x-correlation')?.split('#').at(-1) ?? '' }
}

const calls = (token: string, count = 20) => Promise.all(Array.from({ length: count }, () => call(token)))

test('WORKERS=2 serves with two processes on one port and prints one start message', async () => {
  const answers = await calls(service.token)
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(new Set(answers.map(({ node }) => node)).size, 2)
  assert.equal((await childrenOf(service.pid)).length, 2)
  assert.equal(service.message.match(/is ready\./g)?.length, 1)
})

test('every worker rejects a token that another has revoked', async () => {
  const tokens = await obtainTokens(service.url)
  assert.ok((await calls(tokens.access_token)).every(({ status }) => status === 200))
  const revoked = await fetch(`${service.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token: tokens.refresh_token }),
  })
  assert.equal(revoked.status, 200)
  await eventually(async () => (await calls(tokens.access_token)).every(({ status }) => status === 401) || undefined)
})

test('a killed worker is replaced, and the other serves meanwhile', async () => {
  const before = await childrenOf(service.pid)
  const [killed = 0] = before
  process.kill(killed, 'SIGKILL')
  await eventually(async () => service.stderr().includes('a worker exited and is being replaced') || undefined)
  assert.ok((await calls(service.token)).every(({ status }) => status === 200))
  await eventually(async () => {
    const answers = await calls(service.token, 2)
    return new Set(answers.map(({ node }) => node)).size === 2 || undefined
  })
  const now = await childrenOf(service.pid)
  assert.equal(now.length, 2)
  assert.ok(!now.includes(killed))
})

test('SIGTERM drains every worker: open requests are answered, all processes end, the exit code is 0', async () => {
  const workers = await childrenOf(service.pid)
  const senders = await manyReadyToSignIn(service.url, 20)
  const answers = senders.map((send) => send())
  assert.ok((await answeredAtFirst(answers)) < answers.length, 'no sign-in was open')
  service.kill('SIGTERM')
  for (const answer of await Promise.all(answers)) assert.match(answer.headers.get('location') ?? '', /[?&]code=/)
  const { code, stdout } = await service.ended
  assert.equal(code, 0)
  assert.equal(stdout, service.message)
  for (const worker of workers) assert.throws(() => process.kill(worker, 0), { code: 'ESRCH' })
})
