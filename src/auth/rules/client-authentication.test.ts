import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isValidAt } from '../../apps/rules/secret-times.ts'
import { equalInConstantTime } from '../../core/crypto/keys.ts'
import { authenticateApp, type ClientFacts, mayUseGrant, readCredentials } from './client-authentication.ts'

const appKey = '0123456789abcdef0123456789abcdef'
const secret = 'fedcba9876543210fedcba9876543210'
const basic = (text: string, scheme = 'Basic'): string => `${scheme} ${btoa(text)}`
const credentials = (given: string | undefined, usedBasic: boolean, key = appKey) => ({
  kind: 'credentials',
  credentials: { appKey: key, secret: given, usedBasic },
})

test('reads HTTP Basic, with the scheme in any case', () => {
  for (const scheme of ['Basic', 'basic', 'BASIC', 'Basic  '])
    assert.deepEqual(readCredentials(basic(`${appKey}:${secret}`, scheme), {}), credentials(secret, true), scheme)
})

test('reads the credentials in the body, with or without a secret', () => {
  assert.deepEqual(readCredentials(undefined, { client_id: appKey, client_secret: secret }), credentials(secret, false))
  assert.deepEqual(readCredentials(undefined, { client_id: appKey }), credentials(undefined, false))
})

test('another scheme is not client authentication', () => {
  assert.deepEqual(readCredentials('Bearer abc', { client_id: appKey }), credentials(undefined, false))
  assert.deepEqual(readCredentials('Basically abc', {}), { kind: 'none' })
})

test('a request without an app has no credentials', () => {
  for (const form of [{}, { client_id: '' }, { client_secret: secret }])
    assert.deepEqual(readCredentials(undefined, form), { kind: 'none' })
})

test('accepts the same client_id in addition to Basic', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:${secret}`), { client_id: appKey }), credentials(secret, true))
})

test('rejects a client_secret or another client_id in addition to Basic', () => {
  for (const form of [{ client_secret: secret }, { client_secret: 'other' }, { client_id: 'f'.repeat(32) }]) {
    const read = readCredentials(basic(`${appKey}:${secret}`), form)
    assert.equal(read.kind, 'malformed', JSON.stringify(form))
    // The characters that RFC 6749 §5.2 allows in an error_description.
    assert.match(read.kind === 'malformed' ? read.description : '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})

const unreadable: [name: string, authorization: string][] = [
  ['nothing after the scheme', 'Basic'],
  ['only a space after the scheme', 'Basic '],
  ['characters that are not base64', 'Basic %%%'],
  ['base64 of an impossible length', 'Basic A'],
  ['two words', `${basic(`${appKey}:${secret}`)} more`],
  ['no colon', basic(appKey)],
  ['no user', basic(`:${secret}`)],
  ['no text', 'Basic ===='],
]

for (const [name, authorization] of unreadable)
  test(`rejects Basic with ${name}, even if the body names an app`, () => {
    assert.deepEqual(readCredentials(authorization, {}), { kind: 'unreadable' })
    assert.deepEqual(readCredentials(authorization, { client_id: appKey }), { kind: 'unreadable' })
  })

test('a secret may contain colons', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:a:b:c`), {}), credentials('a:b:c', true))
})

test('Basic with an empty secret counts as no secret', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:`), {}), credentials(undefined, true))
})

test('form-decodes both halves of Basic (RFC 6749 §2.3.1); takes others verbatim', () => {
  assert.deepEqual(readCredentials(basic('my%3Aapp:a+b%25'), {}), credentials('a b%', true, 'my:app'))
  assert.deepEqual(readCredentials(basic(`${appKey}:100%`), {}), credentials('100%', true))
})

test('also reads Basic in base64url or without padding', () => {
  const text = `${appKey}:\u00ff\u00fe\u00fb~~~`
  const plain = btoa(text)
  const url = plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  assert.notEqual(url, plain)
  assert.deepEqual(readCredentials(`Basic ${url}`, {}), readCredentials(`Basic ${plain}`, {}))
  assert.equal(readCredentials(`Basic ${url}`, {}).kind, 'credentials')
})

test('any form-encoded credentials survive the round trip', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 })
  fc.assert(
    fc.property(text, text, (key, given) => {
      const header = basic(`${encodeURIComponent(key)}:${encodeURIComponent(given)}`)
      assert.deepEqual(readCredentials(header, {}), credentials(given, true, key))
    }),
  )
})

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const matches = (given: string, hash: Uint8Array): boolean => equalInConstantTime(sha256(given), hash)
const validFrom = Temporal.Instant.from('2026-01-01T00:00:00Z')
const validUntil = Temporal.Instant.from('2027-01-01T00:00:00Z')
const now = Temporal.Instant.from('2026-06-01T12:00:00Z')
const nowMs = now.epochMilliseconds
const aMoment = { milliseconds: 1 }

const stored = (id: number, text: string, from = validFrom, until = validUntil): ClientFacts['secrets'][number] => ({
  id,
  sha256: sha256(text),
  validFrom: from,
  validUntil: until,
})
const app: ClientFacts = {
  flow: 'Code',
  isActive: true,
  secrets: [stored(1, 'other'), stored(2, secret)],
}

test('a Code app authenticates with any valid secret; returns which', () => {
  assert.equal(authenticateApp(app, secret, nowMs, matches), '2')
  assert.equal(authenticateApp(app, 'other', nowMs, matches), '1')
})

const rejected: [name: string, app: ClientFacts | undefined, secret: string | undefined][] = [
  ['an unknown app', undefined, secret],
  ['an inactive app', { ...app, isActive: false }, secret],
  ['an inactive app without a secret', { ...app, flow: 'PKCE', isActive: false, secrets: [] }, undefined],
  ['a wrong secret', app, 'wrong'],
  ['an empty secret', app, ''],
  ['a Code app that sends no secret', app, undefined],
  ['a Code app that has no secret', { ...app, secrets: [] }, secret],
  ['an expired secret', { ...app, secrets: [stored(3, secret, validFrom, now)] }, secret],
  ['a secret that is not yet valid', { ...app, secrets: [stored(3, secret, now.add(aMoment))] }, secret],
  ['a PKCE app that sends a secret', { ...app, flow: 'PKCE' }, secret],
  ['an Implicit app that sends a secret', { ...app, flow: 'Implicit' }, secret],
  ['a PKCE app that sends an empty secret by Basic', { ...app, flow: 'PKCE', secrets: [] }, ''],
]

for (const [name, facts, given] of rejected)
  test(`rejects ${name}`, () => {
    assert.equal(authenticateApp(facts, given, nowMs, matches), undefined)
  })

test('PKCE and Implicit apps authenticate with client_id alone', () => {
  for (const flow of ['PKCE', 'Implicit'] as const)
    assert.equal(authenticateApp({ ...app, flow, secrets: [] }, undefined, nowMs, matches), 'public')
})

test('finds the valid row of a secret that is stored twice', () => {
  const secrets = [stored(1, secret, validFrom, now), stored(2, secret)]
  assert.equal(authenticateApp({ ...app, secrets }, secret, nowMs, matches), '2')
})

test('compares every secret, so that the time does not reveal which one matched', () => {
  const compared: Uint8Array[] = []
  const secrets = [stored(1, secret), stored(2, 'other'), stored(3, 'expired', validFrom, now)]
  const provedWith = authenticateApp({ ...app, secrets }, secret, nowMs, (given, hash) => {
    compared.push(hash)
    return matches(given, hash)
  })
  assert.equal(provedWith, '1')
  assert.deepEqual(
    compared,
    secrets.map((one) => one.sha256),
  )
})

test('a secret is valid from ValidFrom until just before ValidUntil', () => {
  const one = stored(1, secret)
  assert.equal(isValidAt(one, validFrom.epochMilliseconds - 1), false)
  assert.equal(isValidAt(one, validFrom.epochMilliseconds), true)
  assert.equal(isValidAt(one, validUntil.epochMilliseconds - 1), true)
  assert.equal(isValidAt(one, validUntil.epochMilliseconds), false)
})

test('an Implicit app may not use /token', () => {
  assert.equal(mayUseGrant('Code'), true)
  assert.equal(mayUseGrant('PKCE'), true)
  assert.equal(mayUseGrant('Implicit'), false)
})
