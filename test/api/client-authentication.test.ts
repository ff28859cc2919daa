import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Flow } from '../../src/core/app.ts'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { FixedClock } from '../support/clock.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { basic, postToken } from '../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00Z')
const service = await serviceForFile({ clock })
const { url } = service
const { db, feed } = service.node.context
const keyOf = (flow: Flow) => demoApps.find((app) => app.Flow === flow)?.AppKey ?? ''
const { AppKey, Secret } = demoApp

/** An authenticated app gets as far as the grant: invalid_grant for an unknown code. */
const grant = { grant_type: 'authorization_code', code: 'unknown', redirect_uri: demoRedirectUri }
const accepted = async (form: Record<string, string>, authorization: string | null) =>
  assert.equal((await postToken(url, { ...grant, ...form }, authorization)).body.error, 'invalid_grant')

async function addApp(validity?: { from: string; until: string }, isActive = true) {
  const app = { AppKey: randomHex(), Secret: randomHex() }
  noteSecret('secret', app.Secret)
  const record = { ...app, ClientKey: demoKey('client ada'), Name: 'Own', Description: '', IsTradingEnabled: true }
  await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
  if (validity)
    await db
      .updateTable('app_secret')
      .set({ valid_from: validity.from, valid_until: validity.until })
      .where('app_key', '=', app.AppKey)
      .execute()
  await db.updateTable('app').set({ is_active: isActive }).where('app_key', '=', app.AppKey).execute()
  await feed.poll()
  return app
}

describe('an app authenticates', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const cases: [string, Record<string, string>, string | null][] = [
    ['by Basic', {}, basic()],
    ['by Basic, the scheme in any case', {}, basic().replace('Basic', 'bAsIc')],
    ['by Basic with the same client_id beside it', { client_id: AppKey }, basic()],
    ['by Basic with an empty client_secret beside it', { client_secret: '' }, basic()],
    [
      'by Basic, form-encoded (RFC 6749 §2.3.1)',
      {},
      `Basic ${encoded(`%${AppKey.charCodeAt(0).toString(16)}${AppKey.slice(1)}:${Secret}`)}`,
    ],
    ['by client_id and client_secret in the body', { client_id: AppKey, client_secret: Secret }, null],
    ['by client_id alone when it is a PKCE app', { client_id: keyOf('PKCE') }, null],
  ]
  for (const [name, form, authorization] of cases) test(name, () => accepted(form, authorization))

  test('by client_id alone if it is an implicit app', async () =>
    assert.equal(
      (await postToken(url, { ...grant, client_id: keyOf('Implicit') }, null)).body.error,
      'unauthorized_client',
    ))

  test('by each of two valid secrets', async () => {
    const app = await addApp()
    const second = randomHex()
    noteSecret('secret', second)
    const record = {
      AppKey: app.AppKey,
      Secret: second,
      ClientKey: demoKey('client ada'),
      Name: 'Own',
      Description: '',
    }
    await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [], IsTradingEnabled: true }, clock.now())
    await feed.poll()
    for (const secret of [app.Secret, second]) await accepted({}, basic(app.AppKey, secret))
  })
})

test('a secret is valid from ValidFrom until just before ValidUntil', async () => {
  const app = await addApp({ from: '2026-11-16T09:00:10Z', until: '2026-11-16T09:00:20Z' })
  const errorNow = async () => (await postToken(url, grant, basic(app.AppKey, app.Secret))).body.error
  assert.equal(await errorNow(), 'invalid_client')
  clock.advance(10)
  assert.equal(await errorNow(), 'invalid_grant')
  clock.advance(9)
  assert.equal(await errorNow(), 'invalid_grant')
  clock.advance(1)
  assert.equal(await errorNow(), 'invalid_client')
})

test('every cause of invalid_client with credentials is 401 with the same body', async () => {
  const past = await addApp({ from: '2020-01-01T00:00:00Z', until: '2021-01-01T00:00:00Z' })
  const future = await addApp({ from: '2030-01-01T00:00:00Z', until: '2031-01-01T00:00:00Z' })
  const inactive = await addApp(undefined, false)
  const answers = await Promise.all([
    postToken(url, grant, basic('f'.repeat(32), Secret)),
    postToken(url, grant, basic(AppKey, 'wrong')),
    postToken(url, grant, basic(AppKey, Secret.toUpperCase())),
    postToken(url, grant, basic(AppKey, '')),
    postToken(url, grant, basic(past.AppKey, past.Secret)),
    postToken(url, grant, basic(future.AppKey, future.Secret)),
    postToken(url, grant, basic(inactive.AppKey, inactive.Secret)),
    postToken(url, grant, basic(keyOf('PKCE'), 'a secret it cannot have')),
    postToken(url, { ...grant, client_id: keyOf('PKCE'), client_secret: 'x' }, null),
    postToken(url, { ...grant, client_id: keyOf('Implicit'), client_secret: 'x' }, null),
    postToken(url, { ...grant, client_id: AppKey }, null),
    postToken(url, { ...grant, client_id: '__proto__' }, null),
    postToken(url, { ...grant, client_id: '\0' }, null),
    postToken(url, grant, basic('\0', '\0')),
  ])
  const [first] = answers
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.deepEqual(body, first?.body)
  }
})

test('a call without readable credentials is 401 invalid_client and says what to send', async () => {
  const answers = await Promise.all([
    postToken(url, { ...grant, client_secret: Secret }, null),
    postToken(url, grant, null),
    postToken(url, grant, 'Basic'),
    postToken(url, grant, 'Basic %%%'),
    postToken(url, grant, `Basic ${Buffer.from('no colon').toString('base64')}`),
  ])
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.match(
      String(body.error_description),
      /Send key and secret of the app by HTTP Basic or as client_id and client_secret/,
    )
  }
})

test('sends WWW-Authenticate: Basic after Basic or no credentials, but not for credentials in the body', async () => {
  const challengeOf = async (form: Record<string, string>, authorization: string | null) =>
    (await postToken(url, { ...grant, ...form }, authorization)).headers.get('www-authenticate')
  assert.match((await challengeOf({}, basic(AppKey, 'wrong'))) ?? '', /^Basic /)
  assert.match((await challengeOf({}, 'Basic %%%')) ?? '', /^Basic /)
  assert.match((await challengeOf({}, null)) ?? '', /^Basic /)
  assert.equal(await challengeOf({ client_id: AppKey, client_secret: 'wrong' }, null), null)
  assert.equal(await challengeOf({ client_id: AppKey }, null), null)
})

test('/revoke and /introspect authenticate apps like /token', async () => {
  for (const path of ['/revoke', '/introspect'])
    for (const [authorization, more, status] of [
      [basic(), {}, 200],
      [undefined, { client_id: AppKey, client_secret: Secret }, 200],
      [undefined, { client_id: keyOf('PKCE') }, 200],
      [undefined, { client_id: keyOf('Implicit') }, 200],
      [undefined, {}, 401],
      [undefined, { client_id: AppKey }, 401],
      [basic(AppKey, 'wrong'), {}, 401],
      [basic(), { client_secret: Secret }, 400],
    ] as [string | undefined, Record<string, string>, number][]) {
      const body = new URLSearchParams({ token: 'unknown', ...more })
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        body,
        headers: authorization ? { authorization } : {},
      })
      assert.equal(response.status, status, `${path} ${JSON.stringify(more)}`)
      assert.equal(response.headers.get('cache-control'), 'no-store')
    }
})
