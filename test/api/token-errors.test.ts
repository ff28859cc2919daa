import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FixedClock } from '../support/clock.ts'
import { setSpentAgo } from '../support/database/spent-tokens.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { allowConnections } from '../support/service/postgres.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import {
  Browser,
  basic,
  codeRequest,
  getRest,
  obtainTokens,
  postToken,
  refresh,
  signInForCode,
} from '../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00Z')
const service = await serviceForFile({ clock })
const { url, baseUrl } = service
const { db } = service.node.context
const browser = new Browser()

const otherUri = 'https://other.example/callback'
const other = { AppKey: 'a0'.repeat(16), Secret: 'b0'.repeat(16) }
noteSecret('secret', other.Secret)
const otherRecord = {
  ...other,
  ClientKey: demoKey('client ada'),
  Name: 'Other',
  Description: '',
  Flow: 'Code' as const,
}
await importApp(db, masterKey, { ...otherRecord, RedirectUris: [otherUri], IsTradingEnabled: true }, clock.now())
const implicitKey = demoApps.find((app) => app.Flow === 'Implicit')?.AppKey ?? ''

const exchange = (code: string, more: Record<string, string> = {}, authorization?: string) =>
  postToken(url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri, ...more }, authorization)

/** POST /token with a raw body, for what a form cannot express. */
async function post(body: string | URLSearchParams | FormData | undefined, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { authorization: basic(), ...headers }, ...(body !== undefined && { body }) }
  const response = await fetch(`${url}/token`, init)
  return { status: response.status, body: (await response.json()) as { error: string; error_description: string } }
}

const formHeader = { 'content-type': 'application/x-www-form-urlencoded' }
const complete = { grant_type: 'authorization_code', code: 'c', redirect_uri: demoRedirectUri }
const without = (name: string) => new URLSearchParams(Object.entries(complete).filter(([each]) => each !== name))

describe('/token rejects a malformed request with 400 invalid_request', () => {
  const cases: [string, () => ReturnType<typeof post>][] = [
    ['JSON instead of a form', () => post(JSON.stringify(complete), { 'content-type': 'application/json' })],
    ['a form declared as text', () => post(String(without('')), { 'content-type': 'text/plain' })],
    ['an empty body', () => post('', formHeader)],
    ['no body at all', () => post(undefined)],
    ['a repeated parameter', () => post(`${without('')}&code=c`, formHeader)],
    ['a repeated unknown parameter', () => post(`${without('')}&x=1&x=2`, formHeader)],
    ['grant_type missing', () => post(without('grant_type'))],
    ['grant_type empty', () => post(`${without('grant_type')}&grant_type=`, formHeader)],
    ['code missing', () => post(without('code'))],
    ['redirect_uri missing', () => post(without('redirect_uri'))],
    ['refresh_token missing', () => post(new URLSearchParams({ grant_type: 'refresh_token' }))],
    ['client_secret in addition to Basic', () => post(`${without('')}&client_secret=${demoApp.Secret}`, formHeader)],
    ['another client_id in addition to Basic', () => post(`${without('')}&client_id=${other.AppKey}`, formHeader)],
  ]
  for (const [name, send] of cases)
    test(name, async () => {
      const { status, body } = await send()
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
      assert.deepEqual(Object.keys(body), ['error', 'error_description'])
    })
})

test('a request without redirect_uri does not spend the code', async () => {
  const code = await signInForCode(url, codeRequest, { browser })
  assert.equal((await postToken(url, { grant_type: 'authorization_code', code })).body.error, 'invalid_request')
  assert.equal((await exchange(code)).status, 200)
})

for (const path of ['/token', '/revoke', '/introspect'])
  test(`${path} responds to every method but POST with 405 and Allow: POST`, async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${url}${path}`, { method })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method)
      assert.equal(((await response.json()) as { error: string }).error, 'invalid_request')
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
  })

test('responses of /token are never cached, successful or not', async () => {
  const good = await exchange(await signInForCode(url, codeRequest, { browser }))
  const bad = await exchange('unknown')
  for (const { headers } of [good, bad]) {
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('pragma'), 'no-cache')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  }
})

test('an unknown grant type returns unsupported_grant_type', async () => {
  for (const grant_type of ['password', 'client_credentials', 'Authorization_Code', '__proto__']) {
    const { status, body } = await postToken(url, { grant_type })
    assert.deepEqual([status, body.error], [400, 'unsupported_grant_type'], grant_type)
  }
})

test('an implicit app gets unauthorized_client before the grant is checked', async () => {
  for (const grant_type of ['authorization_code', 'refresh_token']) {
    const { status, body } = await postToken(url, { grant_type, client_id: implicitKey }, null)
    assert.deepEqual([status, body.error], [400, 'unauthorized_client'], grant_type)
    assert.match(String(body.error_description), /whose tokens come from \/authorize; send the user there again\.$/)
  }
})

test('checks in this order: form, grant_type, client, grant known, grant allowed, the rest', async () => {
  const wrong = basic(demoApp.AppKey, 'wrong secret')
  const errorOf = async (form: Record<string, string>, authorization: string | null) =>
    (await postToken(url, form, authorization)).body.error
  assert.equal((await post('x=1&x=2', { ...formHeader, authorization: wrong })).body.error, 'invalid_request')
  assert.equal(await errorOf({ code: 'c' }, wrong), 'invalid_request')
  assert.equal(await errorOf({ grant_type: 'unheard' }, wrong), 'invalid_client')
  assert.equal(await errorOf({ grant_type: 'unheard', client_id: implicitKey }, null), 'unsupported_grant_type')
  assert.equal(await errorOf({ grant_type: 'authorization_code' }, wrong), 'invalid_client')
  assert.equal(await errorOf({ grant_type: 'authorization_code', client_id: implicitKey }, null), 'unauthorized_client')
  assert.equal(await errorOf({ grant_type: 'authorization_code' }, basic()), 'invalid_request')
})

describe('a code that does not match is rejected as invalid_grant with one text, and spent', () => {
  const text = exchange('unknown').then(({ body }) => body.error_description)
  const causes: [string, (code: string) => ReturnType<typeof exchange>][] = [
    ["another app's", (code) => exchange(code, { redirect_uri: otherUri }, basic(other.AppKey, other.Secret))],
    ['another redirect_uri', (code) => exchange(code, { redirect_uri: `${demoRedirectUri}/` })],
    ['a verifier without a challenge', (code) => exchange(code, { code_verifier: 'v'.repeat(43) })],
  ]
  for (const [name, send] of causes)
    test(name, async () => {
      const code = await signInForCode(url, codeRequest, { browser })
      const { status, body } = await send(code)
      assert.deepEqual([status, body.error, body.error_description], [400, 'invalid_grant', await text])
      assert.equal((await exchange(code)).body.error, 'invalid_grant', 'the code still works')
    })

  test('a code is valid for exactly 60 seconds', async () => {
    const [first, second] = [
      await signInForCode(url, codeRequest, { browser }),
      await signInForCode(url, codeRequest, { browser }),
    ]
    clock.advance(59)
    assert.equal((await exchange(first)).status, 200)
    clock.advance(1)
    const { status, body } = await exchange(second)
    assert.deepEqual([status, body.error, body.error_description], [400, 'invalid_grant', await text])
  })

  test('of a user who is now disabled', async () => {
    const code = await signInForCode(url, codeRequest, { user: 'bo' })
    const setDisabled = (disabled: boolean) =>
      db.updateTable('service_user').set({ disabled }).where('name', '=', 'bo').execute()
    await setDisabled(true)
    const { status, body } = await exchange(code)
    await setDisabled(false)
    assert.deepEqual([status, body.error, body.error_description], [400, 'invalid_grant', await text])
    assert.equal((await exchange(code)).body.error, 'invalid_grant', 'the code still works')
  })
})

test('a replayed code is rejected, and every token of its session is revoked', async () => {
  const code = await signInForCode(url, codeRequest, { browser })
  const { body: tokens } = await exchange(code)
  const bystander = await obtainTokens(url, { browser })
  const { body: refreshed } = await refresh(url, tokens.refresh_token)
  const { status, body } = await exchange(code)
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  for (const token of [tokens.access_token, refreshed.access_token])
    assert.equal((await getRest(baseUrl, '/port/v1/users/me', token)).status, 401)
  assert.equal((await refresh(url, refreshed.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await getRest(baseUrl, '/port/v1/users/me', bystander.access_token)).status, 200)
})

test('a spent code or refresh token presented by another app ends nothing', async () => {
  const code = await signInForCode(url, codeRequest, { browser })
  const { body: tokens } = await exchange(code)
  const { body: refreshed } = await refresh(url, tokens.refresh_token)
  clock.advance(60)
  await setSpentAgo(db, 60)
  const client_id = demoApps.find((app) => app.Flow === 'PKCE')?.AppKey ?? ''
  const forms = [
    { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri },
    { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
  ]
  for (const form of forms)
    for (const [more, authorization] of [
      [{ client_id }, null],
      [{}, basic(other.AppKey, other.Secret)],
    ] as const) {
      const { status, body } = await postToken(url, { ...form, ...more }, authorization)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
  assert.equal((await getRest(baseUrl, '/port/v1/users/me', refreshed.access_token)).status, 200)
  assert.equal((await refresh(url, refreshed.refresh_token)).status, 200)
})

test('of ten concurrent exchanges of one code at most one succeeds', async () => {
  const code = await signInForCode(url, codeRequest, { browser })
  const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(code)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ body }) => body.error === 'invalid_grant').length, 9)
})

test('during a database outage /token returns 503 with Retry-After and spends nothing', async () => {
  const code = await signInForCode(url, codeRequest, { browser })
  const { connection } = service.database
  await allowConnections(connection, false)
  const away = await exchange(code)
  const page = await browser.fetch(`${url}/authorize?${new URLSearchParams(codeRequest)}`)
  await allowConnections(connection, true)
  assert.deepEqual([away.status, away.body.error], [503, 'temporarily_unavailable'])
  assert.match(away.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match(page.headers.get('location') ?? '', /[?&]error=temporarily_unavailable&/)
  assert.equal((await exchange(code)).status, 200)
})
