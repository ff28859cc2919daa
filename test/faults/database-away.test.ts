import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { startProcess, temporaryFolder } from '../support/service/process.ts'
import { Browser, getRest, obtainTokens, postToken, refresh, signInForCode } from '../support/sign-in.ts'
import { postmasterOf } from './embedded-support.ts'

const DATA_DIR = join(await temporaryFolder(), 'data')
const service = await startProcess({ DATA_DIR, REVOCATION_GRACE_SECONDS: '1' })
const browser = new Browser()

const newCode = () => signInForCode(service.url, undefined, { browser })
const redeem = (code: string) =>
  postToken(service.url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })

/** 503 asks to try again; anything else must be a success. */
function assertAnsweredOrAway(status: number, headers: Headers): void {
  assert.ok(status === 200 || status === 503, `answered ${status}`)
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

async function callRest(token: string): Promise<number> {
  const answer = await getRest(service.baseUrl, '/port/v1/users/me', token)
  await answer.arrayBuffer()
  assertAnsweredOrAway(answer.status, answer.headers)
  return answer.status
}

/** Retries while the response says so, as a client should. */
async function untilAnswered<T extends { status: number; headers: Headers }>(ask: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    const answer = await ask()
    return answer.status === 503 ? undefined : answer
  })
}

const statusOf = async (path: string): Promise<number> => (await fetch(`${service.url}${path}`)).status

const untilServing = () => eventually(async () => (await callRest(service.token)) === 200 || undefined)

test('kill -9 of PostgreSQL: requests succeed or get 503, and a 503 has no effect', async () => {
  for (let round = 0; round < 2; round++) {
    const codes = [await newCode(), await newCode(), await newCode(), await newCode(), await newCode(), await newCode()]
    const sessions = [await obtainTokens(service.url, { browser }), await obtainTokens(service.url, { browser })]
    process.kill(await postmasterOf(DATA_DIR), 'SIGKILL')
    const calls = Array.from({ length: 20 }, () => callRest(service.token))
    const redeemed = codes.map(async (code) => {
      const { status, headers } = await redeem(code).then((answer) => {
        assertAnsweredOrAway(answer.status, answer.headers)
        return answer.status === 503 ? untilAnswered(() => redeem(code)) : answer
      })
      return { status, headers }
    })
    const refreshed = sessions.map(({ refresh_token: token }) => untilAnswered(() => refresh(service.url, token)))
    await Promise.all(calls)
    for (const { status } of await Promise.all([...redeemed, ...refreshed])) assert.equal(status, 200)
    await untilServing()
  }
  assert.match(service.stderr(), /"msg":"PostgreSQL is running again"/)
})

/** Every process of PostgreSQL, stopped as they are: what is asked of it is neither answered nor refused. */
async function freeze(): Promise<() => void> {
  const lines = (await readFile(join(DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const postmaster = Number(lines[0])
  const password = (await readFile(join(DATA_DIR, 'postgres.password'), 'utf8')).trim()
  const address = { host: lines[4] ?? '', port: Number(lines[3]) }
  const client = new pg.Client({ ...address, user: 'refdesk', password, database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  process.kill(postmaster, 'SIGSTOP')
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  const pids = [postmaster, ...rows.map(({ pid }) => pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await client.end()
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

test('a PostgreSQL that hangs: tokens are rejected after the grace period, every wait ends, and the service recovers', async () => {
  const tokens = await obtainTokens(service.url, { browser })
  const code = await newCode()
  const thaw = await freeze()
  try {
    const underWay = Promise.all([redeem(code), refresh(service.url, tokens.refresh_token)])
    await eventually(async () => (await statusOf('/health/ready')) === 503 || undefined)
    assert.equal(await callRest(tokens.access_token), 503)
    assert.equal(await statusOf('/health/live'), 200)
    const answers = await underWay
    for (const { status, headers, body } of answers) {
      assertAnsweredOrAway(status, headers)
      assert.equal(body.error, 'temporarily_unavailable')
    }
  } finally {
    thaw()
  }
  await untilServing()
  const [redeemed, refreshed] = [
    await untilAnswered(() => redeem(code)),
    await untilAnswered(() => refresh(service.url, tokens.refresh_token)),
  ]
  assert.deepEqual([redeemed.status, refreshed.status], [200, 200])
  assert.equal(await callRest(refreshed.body.access_token), 200)
  assert.equal((await service.stop()).code, 0)
})
