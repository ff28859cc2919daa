import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import type { ServiceProcess } from '../support/service/process.ts'
import { Browser, getRest, obtainTokens, postToken, refresh, signInForCode } from '../support/sign-in.ts'
import { postmasterOf } from './embedded-support.ts'

const browser = new Browser()

const newCode = (service: ServiceProcess) => signInForCode(service.url, undefined, { browser })
const redeem = (service: ServiceProcess, code: string) =>
  postToken(service.url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri })

/** 503 asks to try again; anything else must be a success. */
function assertAnsweredOrAway(status: number, headers: Headers): void {
  assert.ok(status === 200 || status === 503, `answered ${status}`)
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

async function callRest(service: ServiceProcess, token: string): Promise<number> {
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

const statusOf = async ({ url }: ServiceProcess, path: string): Promise<number> => (await fetch(`${url}${path}`)).status

const untilServing = (service: ServiceProcess) =>
  eventually(async () => (await callRest(service, service.token)) === 200 || undefined)

/** kill -9 of PostgreSQL: requests succeed or get 503, and a 503 has no effect. */
export async function surviveKills(service: ServiceProcess, dataDir: string): Promise<void> {
  for (let round = 0; round < 2; round++) {
    const codes: string[] = []
    for (let count = 0; count < 6; count++) codes.push(await newCode(service))
    const sessions = [await obtainTokens(service.url, { browser }), await obtainTokens(service.url, { browser })]
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    const calls = Array.from({ length: 20 }, () => callRest(service, service.token))
    const redeemed = codes.map(async (code) => {
      const { status, headers } = await redeem(service, code).then((answer) => {
        assertAnsweredOrAway(answer.status, answer.headers)
        return answer.status === 503 ? untilAnswered(() => redeem(service, code)) : answer
      })
      return { status, headers }
    })
    const refreshed = sessions.map(({ refresh_token: token }) => untilAnswered(() => refresh(service.url, token)))
    await Promise.all(calls)
    for (const { status } of await Promise.all([...redeemed, ...refreshed])) assert.equal(status, 200)
    await untilServing(service)
  }
  assert.match(service.stderr(), /"msg":"PostgreSQL is running again"/)
}

/** Stops every process of PostgreSQL with SIGSTOP: queries hang, and connections are neither accepted nor refused. */
async function freeze(dataDir: string): Promise<() => void> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const postmaster = Number(lines[0])
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
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

/** A PostgreSQL that hangs: tokens are rejected after the grace period, every wait ends, and the service recovers. */
export async function surviveFreeze(service: ServiceProcess, dataDir: string): Promise<void> {
  const tokens = await obtainTokens(service.url, { browser })
  const code = await newCode(service)
  const thaw = await freeze(dataDir)
  try {
    const underWay = Promise.all([redeem(service, code), refresh(service.url, tokens.refresh_token)])
    await eventually(async () => (await statusOf(service, '/health/ready')) === 503 || undefined)
    assert.equal(await callRest(service, tokens.access_token), 503)
    assert.equal(await statusOf(service, '/health/live'), 200)
    const answers = await underWay
    for (const { status, headers, body } of answers) {
      assertAnsweredOrAway(status, headers)
      assert.equal(body.error, 'temporarily_unavailable')
    }
  } finally {
    thaw()
  }
  await untilServing(service)
  const [redeemed, refreshed] = [
    await untilAnswered(() => redeem(service, code)),
    await untilAnswered(() => refresh(service.url, tokens.refresh_token)),
  ]
  assert.deepEqual([redeemed.status, refreshed.status], [200, 200])
  assert.equal(await callRest(service, refreshed.body.access_token), 200)
}
