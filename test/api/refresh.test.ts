import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { FixedClock } from '../support/clock.ts'
import { holdGracePeriod, setSpentAgo } from '../support/database/spent-tokens.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { Browser, basic, getRest, obtainTokens, postToken, refresh } from '../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00Z')
const sessionSeconds = 20_000
const service = await serviceForFile({
  clock,
  env: { SESSION_SECONDS: String(sessionSeconds), SIGNIN_SECONDS: '2000000' },
})
const { url, baseUrl } = service
const { db, feed } = service.node.context
const browser = new Browser()
const newTokens = () => obtainTokens(url, { browser })
const opens = async (accessToken: string) => (await getRest(baseUrl, '/port/v1/users/me', accessToken)).status === 200

const second = { AppKey: demoApp.AppKey, Secret: randomHex() }
const other = { AppKey: randomHex(), Secret: randomHex() }
for (const app of [second, other]) {
  noteSecret('secret', app.Secret)
  const record = {
    ...app,
    ClientKey: demoKey('client ada'),
    Name: 'Pocket Charts',
    Description: '',
    IsTradingEnabled: true,
  }
  await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
}
await feed.poll()
await holdGracePeriod(db)

describe('a refresh is rejected as invalid_grant with one text', () => {
  const expectRejected = async (answer: ReturnType<typeof refresh>) => {
    const { status, body } = await answer
    const unknown = await refresh(url, '00000000-0000-0000-0000-000000000000')
    assert.deepEqual([status, body], [400, unknown.body])
    assert.equal(body.error, 'invalid_grant')
  }

  test('with an unknown token', async () => {
    await expectRejected(refresh(url, 'no token at all'))
    await expectRejected(refresh(url, '\0'))
  })

  test('after 3600 seconds; each refresh starts another 3600', async () => {
    const tokens = await newTokens()
    clock.advance(3599)
    const { body } = await refresh(url, tokens.refresh_token)
    assert.deepEqual([body.expires_in, body.refresh_token_expires_in], [1200, 3600])
    clock.advance(3599)
    const { body: last } = await refresh(url, body.refresh_token)
    clock.advance(3600)
    await expectRejected(refresh(url, last.refresh_token))
  })

  test("with another app's token, which stays valid", async () => {
    const tokens = await newTokens()
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    await expectRejected(postToken(url, form, basic(other.AppKey, other.Secret)))
    assert.equal((await refresh(url, tokens.refresh_token)).status, 200)
  })

  test('with another redirect_uri; with the right one or none it works', async () => {
    const tokens = await newTokens()
    await expectRejected(refresh(url, tokens.refresh_token, { redirect_uri: 'https://elsewhere.example/' }))
    const { status, body } = await refresh(url, tokens.refresh_token, { redirect_uri: demoRedirectUri })
    assert.equal(status, 200)
    assert.equal((await refresh(url, body.refresh_token)).status, 200)
  })

  test('with a verifier in a session without a challenge', async () => {
    const tokens = await newTokens()
    await expectRejected(refresh(url, tokens.refresh_token, { code_verifier: 'v'.repeat(43) }))
  })

  test('after the session was revoked', async () => {
    const tokens = await newTokens()
    const body = new URLSearchParams({ token: tokens.access_token })
    await fetch(`${url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body })
    await expectRejected(refresh(url, tokens.refresh_token))
  })

  test('of a disabled user', async () => {
    const tokens = await obtainTokens(url, { user: 'bo' })
    await db.updateTable('service_user').set({ disabled: true }).where('name', '=', 'bo').execute()
    await expectRejected(refresh(url, tokens.refresh_token))
  })
})

test('a session expires at its absolute limit: its last tokens end with it, and no refresh works after it', async () => {
  let { body } = { body: await newTokens() }
  for (let left = sessionSeconds - 3500; left > 0; left -= 3500) {
    clock.advance(3500)
    body = (await refresh(url, body.refresh_token)).body
    assert.equal(body.refresh_token_expires_in, Math.min(3600, left))
  }
  clock.advance(1500)
  body = (await refresh(url, body.refresh_token)).body
  assert.deepEqual([body.expires_in, body.refresh_token_expires_in], [1000, 1000])
  clock.advance(999)
  assert.equal(await opens(body.access_token), true)
  clock.advance(1)
  assert.equal(await opens(body.access_token), false)
  assert.equal((await refresh(url, body.refresh_token)).body.error, 'invalid_grant')
})

describe('a spent refresh token', () => {
  test('returns the same response with the same status for 10 seconds of the database’s clock', async () => {
    const tokens = await newTokens()
    const first = await refresh(url, tokens.refresh_token)
    clock.advance(60)
    const again = await refresh(url, tokens.refresh_token)
    assert.deepEqual([again.status, again.body], [first.status, first.body])
    assert.equal((await refresh(url, again.body.refresh_token)).status, 200)
  })

  test('ends the session after 10 seconds, with its access tokens; other sessions continue', async () => {
    const [tokens, bystander] = [await newTokens(), await newTokens()]
    const { body: next } = await refresh(url, tokens.refresh_token)
    await setSpentAgo(db, 11)
    const reused = await refresh(url, tokens.refresh_token)
    assert.deepEqual([reused.status, reused.body.error], [400, 'invalid_grant'])
    assert.deepEqual([await opens(tokens.access_token), await opens(next.access_token)], [false, false])
    assert.equal((await refresh(url, next.refresh_token)).body.error, 'invalid_grant')
    assert.equal(await opens(bystander.access_token), true)
  })

  test('ends the session within 10 seconds if sent with other credentials', async () => {
    const tokens = await newTokens()
    const { body: next } = await refresh(url, tokens.refresh_token)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    assert.equal((await postToken(url, form, basic(second.AppKey, second.Secret))).body.error, 'invalid_grant')
    assert.equal(await opens(next.access_token), false)
    assert.equal((await refresh(url, tokens.refresh_token)).body.error, 'invalid_grant')
  })

  test('of another app reveals nothing and ends nothing', async () => {
    const tokens = await newTokens()
    const { body: next } = await refresh(url, tokens.refresh_token)
    await setSpentAgo(db, 11)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    assert.equal((await postToken(url, form, basic(other.AppKey, other.Secret))).body.error, 'invalid_grant')
    assert.equal(await opens(next.access_token), true)
  })

  test('also ends the session long after it expired, while the session is active', async () => {
    const tokens = await newTokens()
    const { body: next } = await refresh(url, tokens.refresh_token)
    clock.advance(3590)
    const { body: last } = await refresh(url, next.refresh_token)
    clock.advance(600)
    await setSpentAgo(db, 11)
    assert.equal((await refresh(url, tokens.refresh_token)).body.error, 'invalid_grant')
    assert.equal(await opens(last.access_token), false)
  })
})

test('ten concurrent refreshes of one token get the same response', async () => {
  const tokens = await newTokens()
  const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(url, tokens.refresh_token)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.notEqual(answers[0]?.body.refresh_token, tokens.refresh_token)
})

test('an access token is valid for exactly 1200 seconds', async () => {
  const tokens = await newTokens()
  clock.advance(1199)
  assert.equal(await opens(tokens.access_token), true)
  clock.advance(1)
  assert.equal(await opens(tokens.access_token), false)
})

test('a Code app’s refresh token does not work for apps without a secret, and stays valid', async () => {
  const tokens = await newTokens()
  for (const { AppKey } of demoApps.slice(1)) {
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: AppKey }
    assert.match((await postToken(url, form, null)).body.error ?? '', /^(invalid_grant|unauthorized_client)$/)
  }
  assert.equal(await opens(tokens.access_token), true)
})
