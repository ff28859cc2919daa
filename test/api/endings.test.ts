import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endEverything } from '../../src/access/store/sessions.ts'
import { deactivateApp } from '../../src/apps/store/changes.ts'
import { setUserDisabled } from '../../src/auth/commands/users.ts'
import { removeConsent } from '../../src/auth/store/sessions.ts'
import { endSignIn } from '../../src/auth/store/sign-ins.ts'
import { randomHex } from '../../src/core/crypto/keys.ts'
import type { Trx } from '../../src/database/open.ts'
import { demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { registerApp } from '../support/journey.ts'
import { serviceForFile } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  basic,
  codeRequest,
  getRest,
  obtainTokens,
  postToken,
  readForm,
  signIn,
  signInForCode,
} from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
const { db, clock } = service.node.context
const me = '/port/v1/users/me'
const ada = demoKey('user ada')

const opens = async (token: string): Promise<boolean> => (await getRest(baseUrl, me, token)).status === 200

async function signInIdOf(browser: Browser): Promise<string> {
  const rows = await db.selectFrom('sign_in').select('sign_in_id').orderBy('created_at', 'desc').limit(1).execute()
  assert.ok(browser.cookies.has('refdesk_signin'))
  return rows[0]?.sign_in_id ?? ''
}

type Ending = (trx: Trx, appKey: string, signInId: string) => Promise<unknown>
const endings: Record<string, Ending> = {
  'signing out': (trx, _app, signInId) => endSignIn(trx, signInId, clock.now()),
  'signing out everywhere': (trx) => endEverything(trx, ada, 'test', clock.now()),
  'deactivating the app': (trx, appKey) => deactivateApp(trx, appKey, clock.now()),
  'withdrawing the consent': (trx, appKey) => removeConsent(trx, ada, appKey, clock.now()),
}

for (const [name, end] of Object.entries(endings)) {
  test(`${name} before the exchange invalidates the code`, async () => {
    const app = await registerApp(service, 'Code', demoRedirectUri)
    const browser = new Browser()
    const code = await signInForCode(url, { ...codeRequest, client_id: app.AppKey }, { browser })
    const signInId = await signInIdOf(browser)
    await db.transaction().execute((trx) => end(trx, app.AppKey, signInId))
    await service.node.context.feed.poll()
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    const { body } = await postToken(url, form, basic(app.AppKey, app.Secret))
    assert.match(body.error ?? '', /^invalid_(grant|client)$/)
  })

  test(`${name} concurrent with the exchange leaves no session behind`, async () => {
    for (let round = 0; round < 8; round++) {
      const app = await registerApp(service, 'Code', demoRedirectUri)
      const browser = new Browser()
      const code = await signInForCode(url, { ...codeRequest, client_id: app.AppKey }, { browser })
      const signInId = await signInIdOf(browser)
      const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
      const [exchange] = await Promise.all([
        postToken(url, form, basic(app.AppKey, app.Secret)),
        db.transaction().execute((trx) => end(trx, app.AppKey, signInId)),
      ])
      await service.node.context.feed.poll()
      const alive = await db
        .selectFrom('session')
        .select('session_id')
        .where('app_key', '=', app.AppKey)
        .where('ended_at', 'is', null)
        .execute()
      assert.deepEqual(alive, [])
      if (exchange.status === 200) assert.equal(await opens(exchange.body.access_token), false)
    }
  })
}

test('an implicit grant concurrent with signing out leaves no session behind', async () => {
  const app = demoApps.find(({ Flow }) => Flow === 'Implicit')
  assert.ok(app)
  const request = { ...codeRequest, response_type: 'token', client_id: app.AppKey }
  for (let round = 0; round < 8; round++) {
    const browser = new Browser()
    await signIn(url, request, { browser })
    const signInId = await signInIdOf(browser)
    await Promise.all([
      browser.fetch(authorizeUrl(url, request)),
      db.transaction().execute((trx) => endSignIn(trx, signInId, clock.now())),
    ])
    const alive = db.selectFrom('session').select('session_id').where('sign_in_id', '=', signInId)
    assert.deepEqual(await alive.where('ended_at', 'is', null).execute(), [])
  }
})

test('disabling a user concurrent with an exchange leaves no session behind', async () => {
  const bo = demoKey('user bo')
  for (let round = 0; round < 5; round++) {
    const code = await signInForCode(url, codeRequest, { user: 'bo' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    await Promise.all([postToken(url, form), setUserDisabled(service.node.context, 'bo', true, () => undefined)])
    const alive = db.selectFrom('session').select('session_id').where('user_key', '=', bo)
    assert.deepEqual(await alive.where('ended_at', 'is', null).execute(), [])
    await setUserDisabled(service.node.context, 'bo', false, () => undefined)
  }
})

/** Signs in again in a browser that is already signed in. */
async function signInAgain(browser: Browser, user: string): Promise<void> {
  const request = { ...codeRequest, prompt: 'login' }
  const start = await browser.fetch(authorizeUrl(url, request))
  const form = await readForm(await browser.fetch(`${url}${start.headers.get('location')}`))
  const answer = await browser.fetch(new URL(form.action, url).href, {
    method: 'POST',
    body: new URLSearchParams({ form_token: form.formToken, decision: 'allow', user, password: 'refdesk-demo' }),
  })
  assert.equal(answer.status, 302)
}

async function signOut(browser: Browser): Promise<void> {
  const form = await readForm(await browser.fetch(`${url}/logout`))
  const body = new URLSearchParams({ form_token: form.formToken })
  assert.equal((await browser.fetch(`${url}/logout`, { method: 'POST', body })).status, 200)
}

test('signing in again in one browser keeps the sessions, and signing out ends them all', async () => {
  const browser = new Browser()
  const tokens = await obtainTokens(url, { browser })
  const before = new Map(browser.cookies)
  await signInAgain(browser, 'ada')
  assert.equal(await opens(tokens.access_token), true)
  await signOut(browser)
  assert.equal(await opens(tokens.access_token), false)
  const old = new Browser()
  for (const [name, value] of before) old.cookies.set(name, value)
  const answer = await old.fetch(authorizeUrl(url, codeRequest))
  assert.match(answer.headers.get('location') ?? '', /^\/login\?/, 'the replaced cookie opens nothing')
})

test('another user who signs in in the same browser ends the previous user’s sessions there', async () => {
  const browser = new Browser()
  const tokens = await obtainTokens(url, { browser })
  await signInAgain(browser, 'cy')
  assert.equal(await opens(tokens.access_token), false)
})

test('HEAD /authorize grants nothing', async () => {
  const browser = new Browser()
  await obtainTokens(url, { browser })
  const count = () =>
    db
      .selectFrom('authorization_code')
      .select((eb) => eb.fn.countAll<number>().as('codes'))
      .executeTakeFirstOrThrow()
  const before = await count()
  const answer = await browser.fetch(authorizeUrl(url, codeRequest), { method: 'HEAD' })
  assert.equal(answer.status, 405)
  assert.deepEqual(await count(), before)
})

test('rejects tokens with an unknown key id, also many concurrent ones', async () => {
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: randomHex() })).toString('base64url')
  const answers = await Promise.all(Array.from({ length: 30 }, () => opens(`${header}.e30.c2ln`)))
  assert.deepEqual(new Set(answers), new Set([false]))
})
