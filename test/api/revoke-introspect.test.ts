import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deactivateApp, deleteSecret } from '../../src/apps/store/changes.ts'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { FixedClock } from '../support/clock.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile, startService } from '../support/service/service.ts'
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
const second = await startService({ besides: service })
after(() => second.close())
const { url, baseUrl } = service
const { db } = service.node.context
const browser = new Browser()
const newTokens = () => obtainTokens(url, { browser })
const otherKey = demoApps.find((app) => app.Flow === 'PKCE')?.AppKey ?? ''
const opens = async (accessToken: string) => (await getRest(baseUrl, '/port/v1/users/me', accessToken)).status === 200

/** Calls as the demo app, or as another one without a secret. */
async function call(path: string, form: Record<string, string>, clientId?: string) {
  const headers: Record<string, string> = clientId === undefined ? { authorization: basic() } : {}
  const body = new URLSearchParams({ ...form, ...(clientId === undefined ? {} : { client_id: clientId }) })
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('pragma'), 'no-cache')
  const text = await response.text()
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

describe('/revoke', () => {
  for (const kind of ['refresh_token', 'access_token'] as const)
    for (const hint of [undefined, 'refresh_token', 'access_token', 'unheard'])
      test(`of the app’s own ${kind} ends its session and no other, whatever the hint (${hint})`, async () => {
        const [tokens, bystander] = [await newTokens(), await newTokens()]
        const { body: fresh } = await refresh(url, tokens.refresh_token)
        const form = { token: fresh[kind], ...(hint && { token_type_hint: hint }) }
        assert.equal((await call('/revoke', form)).status, 200)
        assert.deepEqual([await opens(tokens.access_token), await opens(fresh.access_token)], [false, false])
        assert.equal((await refresh(url, fresh.refresh_token)).body.error, 'invalid_grant')
        assert.equal(await opens(bystander.access_token), true)
      })

  test('of an unknown, malformed or already revoked token returns 200', async () => {
    const { refresh_token } = await newTokens()
    for (const token of ['unknown', 'a.b.c', `${'x'.repeat(500)}.y.z`, refresh_token, refresh_token])
      assert.equal((await call('/revoke', { token })).status, 200)
  })

  test("of another app's token returns 400 invalid_request and ends nothing", async () => {
    const tokens = await newTokens()
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const { status, body } = await call('/revoke', { token }, otherKey)
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
    }
    assert.equal(await opens(tokens.access_token), true)
    assert.equal((await refresh(url, tokens.refresh_token)).status, 200)
  })

  test('without a token returns 400 invalid_request', async () => {
    const { status, body } = await call('/revoke', { token: '' })
    assert.deepEqual([status, body.error], [400, 'invalid_request'])
  })

  test('of an expired access token still ends its session', async () => {
    const tokens = await newTokens()
    clock.advance(1300)
    assert.equal((await call('/revoke', { token: tokens.access_token })).status, 200)
    assert.equal((await refresh(url, tokens.refresh_token)).body.error, 'invalid_grant')
  })
})

describe('/introspect', () => {
  test('returns the state of the app’s own access token', async () => {
    const { body } = await call('/introspect', { token: (await newTokens()).access_token })
    assert.deepEqual(
      [body.active, body.token_type, body.client_id, body.sub, body.iss],
      [true, 'Bearer', demoApp.AppKey, demoKey('user ada'), url],
    )
    assert.equal(body.exp, clock.now().epochMilliseconds / 1000 + 1200)
  })

  test('returns the state of the app’s own refresh token', async () => {
    const { body } = await call('/introspect', { token: (await newTokens()).refresh_token })
    assert.deepEqual([body.active, body.client_id, body.sub], [true, demoApp.AppKey, demoKey('user ada')])
    assert.equal(body.exp, clock.now().epochMilliseconds / 1000 + 3600)
  })

  const inactive = async (token: string, clientId?: string) => {
    const { status, body } = await call('/introspect', { token }, clientId)
    assert.deepEqual([status, body], [200, { active: false }])
  }

  test('of everything else returns only {"active": false}', async () => {
    const tokens = await newTokens()
    const [head, claims, signature] = tokens.access_token.split('.')
    for (const token of ['unknown', 'a.b.c', `${head}.${claims}.`, `${head}.${signature}.${claims}`])
      await inactive(token)
    await inactive(tokens.access_token, otherKey)
    await inactive(tokens.refresh_token, otherKey)
  })

  test('reports a spent refresh token and the tokens of an ended session as inactive', async () => {
    const tokens = await newTokens()
    const { body: fresh } = await refresh(url, tokens.refresh_token)
    await inactive(tokens.refresh_token)
    await call('/revoke', { token: fresh.refresh_token })
    await inactive(fresh.access_token)
    await inactive(fresh.refresh_token)
  })

  test('reports expired tokens as inactive', async () => {
    const tokens = await newTokens()
    clock.advance(1200)
    await inactive(tokens.access_token)
    assert.equal((await call('/introspect', { token: tokens.refresh_token })).body.active, true)
    clock.advance(2400)
    await inactive(tokens.refresh_token)
  })

  test('without a token returns 400 invalid_request', async () =>
    assert.equal((await call('/introspect', { token: '' })).body.error, 'invalid_request'))
})

/** Two nodes: what ends sessions and access tokens ends them on both (§4.12). */
async function statusesOf(accessToken: string): Promise<number[]> {
  const statuses: number[] = []
  for (const { node, baseUrl: at } of [service, second]) {
    await node.context.feed.poll()
    statuses.push((await getRest(at, '/port/v1/users/me', accessToken)).status)
  }
  return statuses
}

/** A new app with a session that both nodes have seen. */
async function session(user: string) {
  const app = { AppKey: randomHex(), Secret: randomHex() }
  noteSecret('secret', app.Secret)
  const record = { ...app, ClientKey: demoKey('client ada'), Name: 'Own', Description: '', IsTradingEnabled: true }
  await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
  const credentials = basic(app.AppKey, app.Secret)
  const code = await signInForCode(url, { ...codeRequest, client_id: app.AppKey }, { user })
  const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
  const { body } = await postToken(url, form, credentials)
  assert.deepEqual(await statusesOf(body.access_token), [200, 200])
  const renew = async () =>
    (await postToken(url, { grant_type: 'refresh_token', refresh_token: body.refresh_token }, credentials)).body.error
  return { ...app, tokens: body, renew }
}

test('a second node revokes and introspects the sessions of the first', async () => {
  const tokens = await obtainTokens(url)
  assert.deepEqual(await statusesOf(tokens.access_token), [200, 200])
  const body = new URLSearchParams({ token: tokens.refresh_token })
  await fetch(`${second.url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body })
  assert.deepEqual(await statusesOf(tokens.access_token), [401, 401])
})

test('a node that starts later knows the sessions ended before', async () => {
  const browser = new Browser()
  const [ended, living] = [await obtainTokens(url, { browser }), await obtainTokens(url, { browser })]
  const body = new URLSearchParams({ token: ended.access_token })
  await fetch(`${url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body })
  const third = await startService({ besides: service })
  const statuses = []
  for (const { access_token } of [ended, living])
    statuses.push((await getRest(third.baseUrl, '/port/v1/users/me', access_token)).status)
  await third.close()
  assert.deepEqual(statuses, [401, 200])
})

test('signing out everywhere on one node applies to the other', async () => {
  const { access_token } = await obtainTokens(url)
  const headers = { authorization: `Bearer ${access_token}` }
  assert.equal((await fetch(`${baseUrl}/x/v1/sessions`, { method: 'DELETE', headers })).status, 204)
  assert.deepEqual(await statusesOf(access_token), [401, 401])
})

test('deactivating an app ends its sessions and access tokens', async () => {
  const { AppKey, tokens, renew } = await session('ada')
  await db.transaction().execute((trx) => deactivateApp(trx, AppKey, service.clock.now()))
  assert.deepEqual(await statusesOf(tokens.access_token), [401, 401])
  assert.equal(await renew(), 'invalid_client')
})

test('deleting the last valid secret of an app ends its sessions and access tokens', async () => {
  const { AppKey, tokens, renew } = await session('ada')
  const secrets = await db.selectFrom('app_secret').select('secret_id').where('app_key', '=', AppKey).execute()
  for (const { secret_id } of secrets)
    await db.transaction().execute((trx) => deleteSecret(trx, AppKey, secret_id, service.clock.now()))
  assert.deepEqual(await statusesOf(tokens.access_token), [401, 401])
  assert.equal(await renew(), 'invalid_client')
})

test('disabling a user ends their sessions and access tokens, and no others', async () => {
  const [{ tokens, renew }, bystander] = [await session('bo'), await session('ada')]
  await setUserDisabled(service.node.context, 'bo', true, () => undefined)
  assert.deepEqual(await statusesOf(tokens.access_token), [401, 401])
  assert.equal(await renew(), 'invalid_grant')
  assert.deepEqual(await statusesOf(bystander.tokens.access_token), [200, 200])
})

test('disabling an unknown user says how to list users', async () => {
  await assert.rejects(
    setUserDisabled(service.node.context, 'boo', true, () => undefined),
    { message: 'There is no user boo. List the users with: refdesk users list' },
  )
})
