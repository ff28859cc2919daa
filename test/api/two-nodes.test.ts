import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { rotateKeys } from '../../src/auth/commands/keys.ts'
import { setOperator } from '../../src/auth/commands/users.ts'
import { randomHex, sha256 } from '../../src/core/crypto/keys.ts'
import { announce } from '../../src/database/changes.ts'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { importClient } from '../support/http/import-client.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { lines } from '../support/service/import.ts'
import { masterKey, serviceForFile, type TestService } from '../support/service/service.ts'
import { Browser, basic, getRest, obtainTokens, postToken, readForm, refresh } from '../support/sign-in.ts'

const one = await serviceForFile()
const two = await serviceForFile({ besides: one })
const { db } = one.node.context

async function statusOf(node: TestService, token: string): Promise<number> {
  const answer = await getRest(node.baseUrl, '/port/v1/users/me', token)
  await answer.arrayBuffer()
  return answer.status
}

/** Waits until it is so; the loop has an end, the wait no promised length. */
const until = (isSo: () => Promise<boolean>) => eventually(async () => (await isSo()) || undefined)

/** A token that the other node has verified and cached. */
async function knownToken(browser = new Browser()) {
  const tokens = await obtainTokens(one.url, { browser })
  assert.equal(await statusOf(two, tokens.access_token), 200)
  return tokens
}

const revoke = (token: string) =>
  fetch(`${one.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token }),
  })

test('a token from one node works on the other, and so does its refresh token', async () => {
  const tokens = await knownToken()
  const { status, body } = await refresh(two.url, tokens.refresh_token)
  assert.equal(status, 200)
  assert.equal(await statusOf(one, body.access_token), 200)
})

test('an access token revoked on one node stops working there immediately, and on the other when it is notified', async () => {
  const tokens = await knownToken()
  assert.equal((await revoke(tokens.access_token)).status, 200)
  assert.equal(await statusOf(one, tokens.access_token), 401)
  await until(async () => (await statusOf(two, tokens.access_token)) === 401)
})

test('signing out everywhere on one node ends the user’s sessions on the other, and no others', async () => {
  const [first, second] = [await knownToken(), await knownToken()]
  const other = await obtainTokens(one.url, { user: 'cy' })
  const answer = await fetch(`${one.baseUrl}/x/v1/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${first.access_token}` },
  })
  assert.equal(answer.status, 204)
  for (const { access_token } of [first, second]) {
    assert.equal(await statusOf(one, access_token), 401)
    await until(async () => (await statusOf(two, access_token)) === 401)
  }
  assert.equal(await statusOf(two, other.access_token), 200)
})

test('logging out on one node ends the sessions of that browser on the other, but not of other browsers', async () => {
  const browser = new Browser()
  const [mine, elsewhere] = [await knownToken(browser), await knownToken()]
  const page = await browser.fetch(`${one.url}/logout`)
  const { action, formToken } = await readForm(page)
  const answer = await browser.fetch(new URL(action, one.url).href, {
    method: 'POST',
    body: new URLSearchParams({ form_token: formToken }),
  })
  assert.equal(answer.status, 200)
  await until(async () => (await statusOf(two, mine.access_token)) === 401)
  assert.equal(await statusOf(two, elsewhere.access_token), 200)
})

test('a revocation arrives by polling when notifications are cut off', async () => {
  const tokens = await knownToken()
  const { rows } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
  assert.equal(rows.filter(({ ended }) => ended).length, 2)
  assert.equal((await revoke(tokens.refresh_token)).status, 200)
  await until(async () => (await statusOf(two, tokens.access_token)) === 401)
  await until(async () => (await listeners()) === 2)
})

async function listeners(): Promise<number> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and query = 'listen refdesk_change'`.execute(db)
  return rows.length
}

test('a key rotated on one node is published and accepted by the other; tokens of the previous key stay valid', async () => {
  const before = await knownToken()
  const connection = one.database.connection
  await rotateKeys({ connection, masterKey, clock: one.clock }, false, () => undefined)
  const fresh = await eventually(async () => {
    const tokens = await obtainTokens(one.url)
    return kidOf(tokens.access_token) === kidOf(before.access_token) ? undefined : tokens
  })
  assert.equal(await statusOf(two, fresh.access_token), 200)
  assert.equal(await statusOf(two, before.access_token), 200)
  await until(async () => {
    const { keys } = (await (await fetch(`${two.url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    return keys.some(({ kid }) => kid === kidOf(fresh.access_token)) && keys.length === 3
  })
})

test('a leaked key deleted on one node is rejected by the other', async () => {
  const before = await knownToken()
  const connection = one.database.connection
  await rotateKeys({ connection, masterKey, clock: one.clock }, true, () => undefined)
  for (const node of [one, two]) await until(async () => (await statusOf(node, before.access_token)) === 401)
  assert.equal(await statusOf(two, (await refreshed(before.refresh_token)).access_token), 200)
})

async function refreshed(token: string) {
  const { status, body } = await refresh(one.url, token)
  assert.equal(status, 200)
  return body
}

const kidOf = (token: string): string | undefined => decodeProtectedHeader(token).kid

/** The error for a missing code: invalid_grant only if the app was authenticated. */
async function errorOf(node: TestService, secret: string): Promise<string | undefined> {
  const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: 'http://localhost' }
  return (await postToken(node.url, form, basic(demoApp.AppKey, secret))).body.error
}

async function changeApp(change: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await change.execute(trx)
    await announce(trx, [{ topic: 'app', key: demoApp.AppKey }])
  })
}

test('deactivating and reactivating an app applies to every node', async () => {
  for (const node of [one, two]) assert.equal(await errorOf(node, demoApp.Secret), 'invalid_grant')
  await changeApp(sql`update app set is_active = false where app_key = ${demoApp.AppKey}`)
  for (const node of [one, two]) await until(async () => (await errorOf(node, demoApp.Secret)) === 'invalid_client')
  await changeApp(sql`update app set is_active = true where app_key = ${demoApp.AppKey}`)
  await sql`delete from failed_attempt`.execute(db)
  for (const node of [one, two]) await until(async () => (await errorOf(node, demoApp.Secret)) === 'invalid_grant')
})

test('a changed secret applies to every node', async () => {
  const fresh = randomHex()
  noteSecret('secret', fresh)
  const hashes = [sha256(fresh), sha256(demoApp.Secret)]
  await changeApp(sql`update app_secret set secret_sha256 = ${hashes[0]} where app_key = ${demoApp.AppKey}`)
  for (const node of [one, two]) {
    await until(async () => (await errorOf(node, fresh)) === 'invalid_grant')
    assert.equal(await errorOf(node, demoApp.Secret), 'invalid_client')
  }
  await changeApp(sql`update app_secret set secret_sha256 = ${hashes[1]} where app_key = ${demoApp.AppKey}`)
  for (const node of [one, two]) await until(async () => (await errorOf(node, demoApp.Secret)) === 'invalid_grant')
})

const limit = 20
const limited = { RATE_LIMITS: 'on', RATE_LIMIT_SESSION_MINUTE: String(limit) }

/** Two separate nodes with a small limit, and requests to them in one session. */
async function limitedNodes() {
  const first = await serviceForFile({ env: limited })
  const second = await serviceForFile({ env: limited, besides: first })
  const { access_token: token } = await obtainTokens(first.url)
  const isAdmitted = async (node: TestService): Promise<boolean> => {
    const status = await statusOf(node, token)
    assert.ok(status === 200 || status === 429)
    return status === 200
  }
  const admittedUntilFull = async (node: TestService): Promise<number> => {
    let count = 0
    while (await isAdmitted(node)) count++
    return count
  }
  const sharedCount = async (window: number) => {
    const counts = await first.node.context.db.selectFrom('rate_count').selectAll().execute()
    const ofWindow = counts.filter((row) => row.key.startsWith('Session/') && Number(row.window_start) === window)
    return ofWindow.reduce((sum, { count }) => sum + count, 0)
  }
  return { first, second, isAdmitted, admittedUntilFull, sharedCount }
}

const thisMinute = (): number => Math.floor(Temporal.Now.instant().epochMilliseconds / 60_000) * 60_000

test('two nodes share the limit, and exceed it only until they have exchanged their counts', async () => {
  const { first, second, isAdmitted, admittedUntilFull, sharedCount } = await limitedNodes()
  const isCounted = (window: number, count: number) =>
    until(async () => window !== thisMinute() || (await sharedCount(window)) === count)
  const run = async (window: number): Promise<number[]> => {
    for (let count = 0; count < limit / 2; count++) await isAdmitted(first)
    await isCounted(window, limit / 2)
    // A node reads the shared count when it writes its own.
    await isAdmitted(second)
    await isCounted(window, limit / 2 + 1)
    const more = await admittedUntilFull(second)
    await isCounted(window, limit)
    await isAdmitted(first)
    await isCounted(window, limit + 1)
    return [more, await admittedUntilFull(first)]
  }
  // Windows start with the minute: a run that crosses into the next one starts again.
  let [window, admitted] = [0, [0]]
  while (window !== thisMinute()) {
    window = thisMinute()
    admitted = await run(window)
  }
  assert.deepEqual(admitted, [limit / 2 - 1, 0])
})

test('files sent to one node are applied by the other and undone by the first, and both serve the result', async () => {
  await setOperator(one.node.context, 'ada', true, () => {})
  const { access_token } = await obtainTokens(one.url)
  const [first, second] = [one, two].map(({ baseUrl }) => importClient(`${baseUrl}/x/v1/imports`, access_token))
  assert.ok(first && second)
  const hours = { TimeZone: 'Europe/Copenhagen', Hours: [] }
  const exchange = { kind: 'exchange', ExchangeId: 'TWO', Name: 'Two', CountryCode: 'DK', ...hours }
  const served = async (status: number) => {
    for (const { baseUrl } of [one, two])
      await until(async () => (await getRest(baseUrl, '/x/v1/holidays/TWO', access_token)).status === status)
  }

  const { ImportId } = await first.sendAndCheck({ 'two.ndjson': lines(exchange) })
  const applied = await second.settled(
    (await second.call('POST', `${two.baseUrl}/x/v1/imports/${ImportId}/apply`)).body,
  )
  assert.equal(applied.State, 'Applied')
  await served(200)
  const undo = await first.call('POST', `${one.baseUrl}/x/v1/runs/${applied.Run}/undo`)
  const checked = await second.settled(undo.body)
  const undone = await first.call('POST', `${one.baseUrl}/x/v1/imports/${checked.ImportId}/apply`)
  assert.equal((await second.settled(undone.body)).State, 'Applied')
  await served(404)
})
