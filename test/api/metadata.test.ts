import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose'
import { rotateKeys } from '../../src/auth/commands/keys.ts'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { FixedClock } from '../support/clock.ts'
import { demoApp, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
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
const { db, feed } = service.node.context
const browser = new Browser()
const metadataOf = async (origin: string) =>
  (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>
const keys = async () => (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as JSONWebKeySet
const kids = async () => (await keys()).keys.map(({ kid }) => kid)
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const opens = async (accessToken: string) => (await getRest(baseUrl, '/port/v1/users/me', accessToken)).status === 200

describe('the metadata (RFC 8414)', () => {
  test('lists the features of the service', async () => {
    const expected = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      revocation_endpoint: `${url}/revoke`,
      introspection_endpoint: `${url}/introspect`,
      jwks_uri: `${url}/.well-known/jwks.json`,
      response_types_supported: ['code', 'token'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    }
    const metadata = await metadataOf(url)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(metadata[name], value, name)
  })

  test('uses the public URL, never the Host header', async () => {
    const { issuer } = await metadataOf(url.replace('localhost', '127.0.0.1'))
    assert.equal(issuer, url)
  })

  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/jwks.json'])
    test(`${path} is readable from every web page`, async () => {
      const response = await fetch(`${url}${path}`, { headers: { origin: 'https://anyone.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.equal(response.headers.get('access-control-allow-credentials'), null)
    })
})

describe('an access token', () => {
  test('is an ES256 JWT of type at+jwt that the published keys verify', async () => {
    const { access_token } = await obtainTokens(url, { browser })
    const { protectedHeader } = await compactVerify(access_token, createLocalJWKSet(await keys()))
    assert.deepEqual([protectedHeader.alg, protectedHeader.typ], ['ES256', 'at+jwt'])
    assert.ok((await kids()).includes(protectedHeader.kid))
  })

  test('has exactly the claims of §4.1', async () => {
    const { access_token } = await obtainTokens(url, { browser })
    const { iat, jti, sid, ...claims } = decodeJwt<Record<string, unknown>>(access_token)
    const now = clock.now().epochMilliseconds / 1000
    assert.deepEqual(claims, {
      iss: url,
      sub: demoKey('user ada'),
      aud: baseUrl,
      client_id: demoApp.AppKey,
      exp: now + 1200,
      uid: demoKey('user ada'),
      cid: demoKey('client ada'),
      aid: demoApp.AppKey,
      oaa: '77770',
    })
    assert.equal(iat, now)
    assert.match(String(sid), /^[0-9a-f]{32}$/)
    assert.ok(String(jti).length >= 20)
  })

  test('keeps its sid over a refresh, and gets another jti', async () => {
    const tokens = await obtainTokens(url, { browser })
    const { body } = await refresh(url, tokens.refresh_token)
    const [before, after] = [decodeJwt(tokens.access_token), decodeJwt(body.access_token)]
    assert.equal(before.sid, after.sid)
    assert.notEqual(before.jti, after.jti)
  })

  test('of a read-only app has oaa 77700', async () => {
    const app = { AppKey: randomHex(), Secret: randomHex() }
    noteSecret('secret', app.Secret)
    const record = {
      ...app,
      ClientKey: demoKey('client ada'),
      Name: 'Reader',
      Description: '',
      IsTradingEnabled: false,
    }
    await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())
    const code = await signInForCode(url, { ...codeRequest, client_id: app.AppKey }, { browser })
    const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
    const { body } = await postToken(url, form, basic(app.AppKey, app.Secret))
    assert.equal(decodeJwt(body.access_token).oaa, '77700')
  })
})

describe('the signing keys', () => {
  const rotate = async (leaked: boolean) => {
    await rotateKeys({ connection: service.database.connection, masterKey, clock }, leaked, () => undefined)
    await feed.poll()
  }

  test('are published as public ES256 keys, including the next one', async () => {
    const { keys: published } = await keys()
    assert.equal(published.length, 2)
    for (const key of published) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      assert.deepEqual([key.alg, key.crv, key.kty, key.use], ['ES256', 'P-256', 'EC', 'sig'])
    }
  })

  test('rotate: the published next key signs, old tokens stay valid, and there is a new next key', async () => {
    const { access_token: old } = await obtainTokens(url, { browser })
    const before = await kids()
    clock.advance(1)
    await rotate(false)
    const { access_token: fresh } = await obtainTokens(url, { browser })
    assert.notEqual(kidOf(fresh), kidOf(old))
    assert.ok(before.includes(kidOf(fresh)), 'the key that signs now was not published before')
    assert.deepEqual([await opens(old), await opens(fresh)], [true, true])
    const after = await kids()
    assert.deepEqual([after.includes(kidOf(old)), after.includes(kidOf(fresh)), after.length], [true, true, 3])
  })

  test('that leaked are all replaced, with the next one: their access tokens are rejected, and a refresh returns valid ones', async () => {
    const tokens = await obtainTokens(url, { browser })
    assert.equal(await opens(tokens.access_token), true)
    const before = new Set(await kids())
    clock.advance(1)
    await rotate(true)
    assert.equal(await opens(tokens.access_token), false)
    assert.deepEqual(before.intersection(new Set(await kids())), new Set())
    const { status, body } = await refresh(url, tokens.refresh_token)
    assert.deepEqual([status, await opens(body.access_token)], [200, true])
    assert.equal((await kids()).length, 2)
  })
})
