import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { systemClock } from '../../../src/core/clock.ts'
import { randomEntityKey } from '../../../src/core/crypto/keys.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { authenticates, callerWith, firstSecret, makeApp } from '../../support/apps.ts'
import { accountKeys, event, importRecords, path, position, stocks } from '../../support/events/event-service.ts'
import { eventually } from '../../support/eventually.ts'
import { exchange } from '../../support/service/import.ts'
import { temporaryFolder } from '../../support/service/process.ts'
import { startReplicated } from '../../support/service/replicated.ts'
import { fillDatabase, startService, type TestService } from '../../support/service/service.ts'
import { basic, getRest, obtainTokens } from '../../support/sign-in.ts'

const pair = await startReplicated({ folder: await temporaryFolder() })
after(() => pair.stop())
const connectionString = pair.urlOf([pair.primary, pair.replica])
await migrate({ connectionString })
await fillDatabase({ connectionString }, 'sim', systemClock.now(), false)
// The second node names the servers the other way round, and so looks for itself. Both read from any server.
const env = { DATABASE_READ_URL: pair.urlOf([pair.replica, pair.primary], 'target_session_attrs=prefer-standby') }
const first = await startService({ connectionString, env })
const PUBLIC_URL = first.config.publicUrl
const second = await startService({
  connectionString: pair.urlOf([pair.replica, pair.primary]),
  env: { ...env, PUBLIC_URL },
})
const nodes = [first, second]
after(() => Promise.all(nodes.map((node) => node.close())))
await importRecords(first, [exchange, ...stocks, { kind: 'position', ...position(accountKeys.ada, 1, 10) }])

/** Every test begins with a primary and a replica that follows it. */
beforeEach(async () => {
  const streams = "select 1 from pg_stat_replication where state = 'streaming'"
  if ((await pair.query(pair.primary, streams)).length === 0) await pair.rebuild()
})

async function statusOf(node: TestService, address: string, token: string): Promise<number> {
  const answer = await getRest(node.baseUrl, address, token)
  await answer.arrayBuffer()
  assert.ok(answer.status < 500 || (answer.status === 503 && answer.headers.has('retry-after')), String(answer.status))
  return answer.status
}

/** Calls without pause until `until` is resolved; every answer is a success or 503 with Retry-After. */
async function keepCalling(node: TestService, token: string, until: Promise<unknown>): Promise<void> {
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  const addresses = [
    '/port/v1/users/me',
    '/port/v1/accounts/me',
    path,
    '/ref/v1/instruments?Keywords=novo',
    '/developer/apps',
  ]
  while (!isOver) await Promise.all(addresses.map((address) => statusOf(node, address, token)))
}

/** Signs in, writes an app and lists events, at every node. */
async function serveAgain(): Promise<void> {
  for (const node of nodes)
    await eventually(async () => {
      const { access_token } = await obtainTokens(node.url)
      assert.equal(await statusOf(node, path, access_token), 200)
      await makeApp(callerWith(node, access_token))
      return true
    })
}

test('after the primary is killed and the replica promoted, every node serves again by itself', async () => {
  const { access_token } = await obtainTokens(first.url)
  const failover = Promise.withResolvers<void>()
  const calls = nodes.map((node) => keepCalling(node, access_token, failover.promise))
  await pair.kill(pair.primary, 'SIGKILL')
  await pair.promote()
  await serveAgain()
  failover.resolve()
  await Promise.all(calls)
})

test('after the primary hangs and the replica is promoted, every node serves again by itself', async () => {
  const { access_token } = await obtainTokens(first.url)
  const failover = Promise.withResolvers<void>()
  const calls = nodes.map((node) => keepCalling(node, access_token, failover.promise))
  await pair.kill(pair.primary, 'SIGSTOP')
  await pair.promote()
  await serveAgain()
  failover.resolve()
  await Promise.all(calls)
})

test('changes by one node reach the other after a failover', async () => {
  await pair.kill(pair.primary, 'SIGKILL')
  await pair.promote()
  await serveAgain()

  await importRecords(second, [{ kind: 'event', ...event('after the failover', 1) }])
  const { access_token } = await obtainTokens(first.url)
  await eventually(async () => (await statusOf(first, `${path}/after the failover`, access_token)) === 200 || undefined)
})

test('what a failover has lost, no node keeps', async () => {
  const ended = await obtainTokens(first.url)
  const { access_token: token } = await obtainTokens(first.url)
  const kept = await makeApp(callerWith(first, token))
  await pair.detachReplica()

  const lost = await makeApp(callerWith(first, token))
  await revoke(first, ended.refresh_token)
  const account = {
    kind: 'account',
    AccountKey: randomEntityKey(),
    AccountId: 'lost',
    ClientKey: await clientOf(token),
    Currency: 'EUR',
  }
  await importRecords(first, [
    { kind: 'event', ...event('lost', 1) },
    { ...stocks[0], Uic: 77, Symbol: 'LOST:xcse', Description: 'Lost A/S' },
    account,
  ])
  const statesOf = async (node: TestService) => ({
    event: (await statusOf(node, `${path}/lost`, token)) === 200,
    instrument: (await textOf(node, '/ref/v1/instruments?Keywords=lost', token)).includes('Lost A/S'),
    app: await authenticates(node, lost.AppKey, firstSecret(lost).Secret),
    account: (await textOf(node, '/port/v1/accounts/me', token)).includes('"AccountId":"lost"'),
    session: (await statusOf(node, '/port/v1/users/me', ended.access_token)) === 200,
  })
  const all = { event: true, instrument: true, app: true, account: true, session: false }
  for (const node of nodes) await eventually(async () => assert.deepEqual(await statesOf(node), all) ?? true)

  await pair.kill(pair.primary, 'SIGKILL')
  await pair.promote()
  // The new primary counts on: as many revisions as were lost, with other data.
  await serveAgain()
  await importRecords(second, [
    { kind: 'event', ...event('later', 1) },
    { ...stocks[0], Uic: 78, Symbol: 'LATER:xcse' },
  ])

  const none = { event: false, instrument: false, app: false, account: false, session: true }
  for (const node of nodes) {
    await eventually(async () => assert.deepEqual(await statesOf(node), none) ?? true)
    assert.ok(await authenticates(node, kept.AppKey, firstSecret(kept).Secret))
  }
})

async function textOf(node: TestService, address: string, token: string): Promise<string> {
  const answer = await getRest(node.baseUrl, address, token)
  assert.equal(answer.status, 200)
  return answer.text()
}

async function clientOf(token: string): Promise<string> {
  return (JSON.parse(await textOf(first, '/port/v1/clients/me', token)) as { ClientKey: string }).ClientKey
}

async function revoke({ url }: TestService, token: string): Promise<void> {
  const form = { method: 'POST', headers: { authorization: basic() }, body: new URLSearchParams({ token }) }
  assert.equal((await fetch(`${url}/revoke`, form)).status, 200)
}
