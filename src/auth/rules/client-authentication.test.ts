import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { equalInConstantTime } from '../../core/crypto/keys.ts'
import {
  type ClientFacts,
  isValid,
  mayUseGrant,
  proveClient,
  readCredentials,
  type SecretFacts,
} from './client-authentication.ts'

const appKey = '0123456789abcdef0123456789abcdef'
const secret = 'fedcba9876543210fedcba9876543210'
const basic = (text: string, scheme = 'Basic'): string => `${scheme} ${btoa(text)}`
const credentials = (given: string | undefined, usedBasic: boolean, key = appKey) => ({
  kind: 'credentials',
  credentials: { appKey: key, secret: given, usedBasic },
})

test('an app names itself by HTTP Basic, the scheme in any case', () => {
  for (const scheme of ['Basic', 'basic', 'BASIC', 'Basic  '])
    assert.deepEqual(readCredentials(basic(`${appKey}:${secret}`, scheme), {}), credentials(secret, true), scheme)
})

test('an app names itself in the body, with or without a secret', () => {
  assert.deepEqual(readCredentials(undefined, { client_id: appKey, client_secret: secret }), credentials(secret, false))
  assert.deepEqual(readCredentials(undefined, { client_id: appKey }), credentials(undefined, false))
})

test('another scheme is not client authentication', () => {
  assert.deepEqual(readCredentials('Bearer abc', { client_id: appKey }), credentials(undefined, false))
  assert.deepEqual(readCredentials('Basically abc', {}), { kind: 'none' })
})

test('a request that names no app has no credentials', () => {
  for (const form of [{}, { client_id: '' }, { client_secret: secret }])
    assert.deepEqual(readCredentials(undefined, form), { kind: 'none' })
})

test('the same client_id beside Basic is fine', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:${secret}`), { client_id: appKey }), credentials(secret, true))
})

test('a client_secret beside Basic, or another client_id, is a malformed request', () => {
  for (const form of [{ client_secret: secret }, { client_secret: 'other' }, { client_id: 'f'.repeat(32) }]) {
    const read = readCredentials(basic(`${appKey}:${secret}`), form)
    assert.equal(read.kind, 'malformed', JSON.stringify(form))
    // RFC 6749 §5.2: the characters that an error_description may have.
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
  test(`Basic with ${name} is refused, also when the body names an app`, () => {
    assert.deepEqual(readCredentials(authorization, {}), { kind: 'refused' })
    assert.deepEqual(readCredentials(authorization, { client_id: appKey }), { kind: 'refused' })
  })

test('a secret may hold colons; only the first one divides', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:a:b:c`), {}), credentials('a:b:c', true))
})

test('Basic with an empty secret is no secret', () => {
  assert.deepEqual(readCredentials(basic(`${appKey}:`), {}), credentials(undefined, true))
})

test('both halves of Basic are form-decoded (RFC 6749 §2.3.1); what is no form encoding is taken as it is', () => {
  assert.deepEqual(readCredentials(basic('my%3Aapp:a+b%25'), {}), credentials('a b%', true, 'my:app'))
  assert.deepEqual(readCredentials(basic(`${appKey}:100%`), {}), credentials('100%', true))
})

test('Basic in base64url or without padding is read as well', () => {
  const text = `${appKey}:\u00ff\u00fe\u00fb~~~`
  const plain = btoa(text)
  const url = plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  assert.notEqual(url, plain)
  assert.deepEqual(readCredentials(`Basic ${url}`, {}), readCredentials(`Basic ${plain}`, {}))
  assert.equal(readCredentials(`Basic ${url}`, {}).kind, 'credentials')
})

test('whatever is form-encoded into Basic is read back', () => {
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
const aMoment = { nanoseconds: 1 }

const kept = (SecretId: number, text: string, from = validFrom, until = validUntil): SecretFacts => ({
  SecretId,
  sha256: sha256(text),
  validFrom: from,
  validUntil: until,
})
const app: ClientFacts = { AppKey: appKey, Flow: 'Code', IsActive: true, secrets: [kept(1, 'other'), kept(2, secret)] }

test('a Code app proves itself by any of its valid secrets, and it is told which', () => {
  assert.equal(proveClient(app, secret, now, matches), '2')
  assert.equal(proveClient(app, 'other', now, matches), '1')
})

const unproved: [name: string, app: ClientFacts | undefined, secret: string | undefined][] = [
  ['an unknown app', undefined, secret],
  ['an inactive app', { ...app, IsActive: false }, secret],
  ['an inactive app without a secret to prove', { ...app, Flow: 'PKCE', IsActive: false, secrets: [] }, undefined],
  ['a wrong secret', app, 'wrong'],
  ['an empty secret', app, ''],
  ['a Code app that sends no secret', app, undefined],
  ['a Code app that has no secret', { ...app, secrets: [] }, secret],
  ['an expired secret', { ...app, secrets: [kept(3, secret, validFrom, now)] }, secret],
  ['a secret that is not yet valid', { ...app, secrets: [kept(3, secret, now.add(aMoment))] }, secret],
  ['a PKCE app that sends a secret', { ...app, Flow: 'PKCE' }, secret],
  ['an Implicit app that sends a secret', { ...app, Flow: 'Implicit' }, secret],
  ['a PKCE app that sends an empty secret by Basic', { ...app, Flow: 'PKCE', secrets: [] }, ''],
]

for (const [name, facts, given] of unproved)
  test(`${name} proves nothing`, () => {
    assert.equal(proveClient(facts, given, now, matches), undefined)
  })

test('PKCE and Implicit apps identify by client_id alone', () => {
  for (const Flow of ['PKCE', 'Implicit'] as const)
    assert.equal(proveClient({ ...app, Flow, secrets: [] }, undefined, now, matches), 'public')
})

test('a secret that was renewed under the same text is found by its valid row', () => {
  const secrets = [kept(1, secret, validFrom, now), kept(2, secret)]
  assert.equal(proveClient({ ...app, secrets }, secret, now, matches), '2')
})

test('every secret is compared, so that the time does not tell which one matched', () => {
  const compared: Uint8Array[] = []
  const secrets = [kept(1, secret), kept(2, 'other'), kept(3, 'expired', validFrom, now)]
  const proved = proveClient({ ...app, secrets }, secret, now, (given, hash) => {
    compared.push(hash)
    return matches(given, hash)
  })
  assert.equal(proved, '1')
  assert.deepEqual(
    compared,
    secrets.map((one) => one.sha256),
  )
})

test('a secret is valid from ValidFrom up to, not including, ValidUntil', () => {
  const one = kept(1, secret)
  assert.equal(isValid(one, validFrom.subtract(aMoment)), false)
  assert.equal(isValid(one, validFrom), true)
  assert.equal(isValid(one, validUntil.subtract(aMoment)), true)
  assert.equal(isValid(one, validUntil), false)
})

test('an Implicit app may use no grant of the token endpoint', () => {
  assert.equal(mayUseGrant('Code'), true)
  assert.equal(mayUseGrant('PKCE'), true)
  assert.equal(mayUseGrant('Implicit'), false)
})
