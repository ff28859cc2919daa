import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type WireProfile, wireProfiles } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { type CodeFacts, decideExchange, missingExchangeField } from './code-exchange.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
const both = Object.values(wireProfiles)
const aMoment = { nanoseconds: 1 }

const appKey = 'app'
const redirectUri = 'https://app.example/cb?keep=1'
const verifier = 'v'.repeat(43)
const challenge = { value: digest(verifier), method: 'S256' } as const
const issuedAt = Temporal.Instant.from('2026-06-01T12:00:00Z')
const expiresAt = issuedAt.add({ seconds: 60 })
const now = issuedAt.add({ seconds: 5 })

const code: CodeFacts = {
  appKey,
  redirectUri,
  challenge: null,
  resource: null,
  issuedAt,
  expiresAt,
  spentAt: null,
  sessionId: null,
  preconditionsHold: true,
}
const challenged: CodeFacts = { ...code, challenge }
const form: Form = { code: 'code', redirect_uri: redirectUri }

const decide = (facts: CodeFacts | undefined, sent: Form, profile: WireProfile, at = now, by = appKey) =>
  decideExchange(facts, by, sent, at, profile, digest).kind

test('rejects a request without a code in both profiles', () => {
  for (const profile of both)
    for (const sent of [{ redirect_uri: redirectUri }, { code: '', redirect_uri: redirectUri }])
      assert.match(missingExchangeField(sent, profile) ?? '', /^code /)
})

test('redirect_uri may be missing only in the vendor profile', () => {
  for (const sent of [{ code: 'code' }, { code: 'code', redirect_uri: '' }]) {
    assert.match(missingExchangeField(sent, wireProfiles.off) ?? '', /^redirect_uri /)
    assert.equal(missingExchangeField(sent, wireProfiles.vendor), undefined)
    assert.equal(decide(code, sent, wireProfiles.vendor), 'grant')
  }
})

test('a request with code and redirect_uri is complete', () => {
  for (const profile of both) assert.equal(missingExchangeField(form, profile), undefined)
})

const withVerifier: Form = { ...form, code_verifier: verifier }

const sameInBoth: [name: string, kind: string, facts: CodeFacts | undefined, sent: Form][] = [
  ['grants a code to its app and redirect URI', 'grant', code, form],
  ['grants a code with a challenge to its verifier', 'grant', challenged, withVerifier],
  ['an unknown code is unknown', 'unknown', undefined, form],
  ['another redirect URI spends the code', 'burn', code, { ...form, redirect_uri: 'https://app.example/cb' }],
  [
    'a redirect URI in another case spends the code',
    'burn',
    code,
    { ...form, redirect_uri: redirectUri.toUpperCase() },
  ],
  ['a missing verifier spends the code', 'burn', challenged, form],
  ['a wrong verifier spends the code', 'burn', challenged, { ...form, code_verifier: 'w'.repeat(43) }],
  ['the challenge is not its own verifier', 'burn', challenged, { ...form, code_verifier: challenge.value }],
  ['a verifier without a challenge spends the code (RFC 9700 §4.8.2)', 'burn', code, withVerifier],
  ['a code whose preconditions no longer hold is spent', 'burn', { ...code, preconditionsHold: false }, form],
]

for (const [name, kind, facts, sent] of sameInBoth)
  test(name, () => {
    for (const profile of both) assert.equal(decide(facts, sent, profile), kind)
  })

test('a code presented by another app is spent', () => {
  for (const profile of both) assert.equal(decide(code, form, profile, now, 'other'), 'burn')
})

test('an empty path of the redirect URI equals /', () => {
  const bare = { ...code, redirectUri: 'https://app.example' }
  for (const profile of both)
    assert.equal(decide(bare, { ...form, redirect_uri: 'https://app.example/' }, profile), 'grant')
})

test('a code expires exactly at its expiry', () => {
  for (const profile of both) {
    assert.equal(decide(code, form, profile, expiresAt.subtract(aMoment)), 'grant')
    assert.equal(decide(code, form, profile, expiresAt), 'burn')
    assert.equal(decide(code, form, profile, expiresAt.add(aMoment)), 'burn')
  }
})

test('a code from the future is spent, with a tolerance of one minute', () => {
  const before = issuedAt.subtract({ minutes: 1 })
  for (const profile of both) {
    assert.equal(decide(code, form, profile, before), 'grant')
    assert.equal(decide(code, form, profile, before.subtract(aMoment)), 'burn')
  }
})

test('a replayed code ends its session, however late or wrong the replay is (RFC 6749 §4.1.2)', () => {
  const used: CodeFacts = { ...challenged, spentAt: now, sessionId: 'session' }
  const later = expiresAt.add({ hours: 24 })
  for (const profile of both) {
    assert.equal(decide(used, withVerifier, profile), 'replay')
    assert.equal(decide(used, withVerifier, profile, later), 'replay')
    assert.equal(decide(used, form, profile), 'replay')
    assert.equal(decide({ ...used, preconditionsHold: false }, withVerifier, profile), 'replay')
  }
})

test('a spent code presented by another app ends nothing', () => {
  const used: CodeFacts = { ...code, spentAt: now, sessionId: 'session' }
  for (const profile of both) assert.equal(decide(used, form, profile, now, 'other'), 'unknown')
})

test('a spent code without a session stays rejected and ends nothing', () => {
  for (const profile of both) assert.equal(decide({ ...code, spentAt: now }, form, profile), 'unknown')
})

test('a verifier shorter than 43 characters is accepted only in the vendor profile', () => {
  const short = { ...code, challenge: { value: digest('short'), method: 'S256' } as const }
  assert.equal(decide(short, { ...form, code_verifier: 'short' }, wireProfiles.off), 'burn')
  assert.equal(decide(short, { ...form, code_verifier: 'short' }, wireProfiles.vendor), 'grant')
})

test('a plain challenge is its own verifier, in the vendor profile only', () => {
  const plain = { ...code, challenge: { value: 'short', method: 'plain' } as const }
  assert.equal(decide(plain, { ...form, code_verifier: 'short' }, wireProfiles.vendor), 'grant')
  assert.equal(decide(plain, { ...form, code_verifier: 'other' }, wireProfiles.vendor), 'burn')
  assert.equal(decide(plain, { ...form, code_verifier: 'short' }, wireProfiles.off), 'burn')
})

test('the vendor profile checks a redirect URI if it is sent', () => {
  assert.equal(decide(code, { ...form, redirect_uri: 'https://evil.example/' }, wireProfiles.vendor), 'burn')
})

test('another resource than that of the sign-in burns the code', () => {
  const agents = 'https://desk.example/mcp'
  for (const profile of both) {
    assert.equal(decide({ ...code, resource: agents }, form, profile), 'grant')
    assert.equal(decide({ ...code, resource: agents }, { ...form, resource: agents }, profile), 'grant')
    assert.equal(decide(code, { ...form, resource: agents }, profile), 'burn')
  }
})
