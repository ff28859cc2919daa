import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type WireProfile, wireProfiles } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { decideRefresh, graceSeconds, type RefreshFacts } from './refresh.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
const both = Object.values(wireProfiles)
const aMoment = 1
const second = 1_000
const hour = 3_600 * second

const appKey = 'app'
const redirectUri = 'https://app.example/cb'
const verifier = 'v'.repeat(43)
const issuedAtMs = Date.UTC(2026, 5, 1, 12)
const expiresAtMs = issuedAtMs + hour
const sessionExpiresAtMs = issuedAtMs + 24 * hour
const nowMs = issuedAtMs + 1_200 * second
const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)

const token: RefreshFacts = {
  appKey,
  redirectUri,
  challenge: null,
  resource: null,
  issuedAt: instant(issuedAtMs),
  expiresAt: instant(expiresAtMs),
  spentForMs: null,
  spentWith: null,
  sessionEnded: false,
  sessionExpiresAt: instant(sessionExpiresAtMs),
  userDisabled: false,
}
const challenged: RefreshFacts = { ...token, challenge: { value: digest(verifier), method: 'S256' } }
const spent: RefreshFacts = { ...token, spentForMs: 0, spentWith: '7' }

type Request = {
  form?: Form
  at?: number
  by?: string
  provedWith?: string
  profile?: WireProfile
}

const decide = (facts: RefreshFacts | undefined, request: Request = {}) => {
  const { form = {}, at = nowMs, by = appKey, provedWith = '7', profile = wireProfiles.off } = request
  const decision = decideRefresh(facts, by, provedWith, form, instant(at), profile, digest)
  return typeof decision === 'string' ? decision : 'reject'
}

const sameInBoth: [name: string, decision: string, facts: RefreshFacts | undefined, request: Request][] = [
  ['a valid token rotates', 'rotate', token, {}],
  ['accepts the redirect URI of the session', 'rotate', token, { form: { redirect_uri: redirectUri } }],
  ['the verifier is optional', 'rotate', challenged, {}],
  ['accepts the verifier of the session', 'rotate', challenged, { form: { code_verifier: verifier } }],
  ['a public app rotates too', 'rotate', token, { provedWith: 'public' }],
  ['rejects an unknown token', 'reject', undefined, {}],
  ['rejects a token of another app', 'reject', token, { by: 'other' }],
  ['rejects a spent token of another app without ending the session', 'reject', spent, { by: 'other' }],
  ['rejects a token of an ended session', 'reject', { ...token, sessionEnded: true }, {}],
  ['does not repeat a response of an ended session', 'reject', { ...spent, sessionEnded: true }, {}],
  ['rejects a token of a disabled user', 'reject', { ...token, userDisabled: true }, {}],
  ['does not repeat a response of a disabled user', 'reject', { ...spent, userDisabled: true }, {}],
  ['rejects another redirect URI', 'reject', token, { form: { redirect_uri: 'https://app.example/other' } }],
  ['rejects a wrong verifier', 'reject', challenged, { form: { code_verifier: 'w'.repeat(43) } }],
  [
    'rejects a spent token with another redirect URI within the grace period',
    'reject',
    spent,
    { form: { redirect_uri: 'https://app.example/other' } },
  ],
  [
    'a spent token with another redirect URI is a reuse after it',
    'reuse',
    { ...spent, spentForMs: 60 * second },
    { form: { redirect_uri: 'https://app.example/other' } },
  ],
  [
    'a spent token is a reuse even after it expired',
    'reuse',
    { ...spent, spentForMs: 2 * hour },
    { at: expiresAtMs + hour },
  ],
  [
    'the grace period of a token continues after its expiry',
    'repeat',
    { ...spent, spentForMs: 4 * second },
    { at: expiresAtMs + 2 * second },
  ],
  ['rejects a verifier without a challenge', 'reject', token, { form: { code_verifier: verifier } }],
]

for (const [name, decision, facts, request] of sameInBoth)
  test(name, () => {
    for (const profile of both) assert.equal(decide(facts, { ...request, profile }), decision)
  })

test('an empty path of the redirect URI equals /', () => {
  const bare = { ...token, redirectUri: 'https://app.example' }
  assert.equal(decide(bare, { form: { redirect_uri: 'https://app.example/' } }), 'rotate')
})

test('a token expires exactly at its expiry', () => {
  assert.equal(decide(token, { at: expiresAtMs - aMoment }), 'rotate')
  assert.equal(decide(token, { at: expiresAtMs }), 'reject')
})

test('a token is not valid longer than its session', () => {
  const long = { ...token, expiresAt: instant(sessionExpiresAtMs + hour) }
  assert.equal(decide(long, { at: sessionExpiresAtMs - aMoment }), 'rotate')
  assert.equal(decide(long, { at: sessionExpiresAtMs }), 'reject')
})

test('a verifier shorter than 43 characters is accepted only in the vendor profile', () => {
  const short = { ...token, challenge: { value: digest('short'), method: 'S256' } as const }
  assert.equal(decide(short, { form: { code_verifier: 'short' } }), 'reject')
  assert.equal(decide(short, { form: { code_verifier: 'short' }, profile: wireProfiles.vendor }), 'rotate')
})

test('the same client gets the same response again for exactly ten seconds', () => {
  assert.equal(graceSeconds, 10)
  const end = 10 * second
  for (const profile of both) {
    assert.equal(decide(spent, { profile }), 'repeat')
    assert.equal(decide({ ...spent, spentForMs: end }, { profile }), 'repeat')
    assert.equal(decide({ ...spent, spentForMs: end + aMoment }, { profile }), 'reuse')
  }
})

test('the grace period does not depend on the time of the service, which can travel, or on the clock of a node', () => {
  assert.equal(decide({ ...spent, spentForMs: 11 * second }, { at: nowMs }), 'reuse', 'time is frozen')
  assert.equal(decide(spent, { at: nowMs + 3 * hour }), 'repeat')
})

test('rejects a token from the future without ending the session', () => {
  const before = issuedAtMs - 60 * second
  assert.equal(decide(token, { at: before }), 'rotate', 'clock tolerance')
  for (const facts of [token, { ...spent, spentForMs: hour }])
    assert.equal(decide(facts, { at: before - aMoment }), 'reject')
})

test('other credentials of the same app are a reuse immediately', () => {
  for (const profile of both)
    for (const provedWith of ['8', 'public', '']) assert.equal(decide(spent, { provedWith, profile }), 'reuse')
})

test('a token spent with unknown credentials is never repeated', () => {
  assert.equal(decide({ ...spent, spentWith: null }), 'reuse')
})

test('a spent token never rotates', () => {
  const seconds = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(seconds, seconds, fc.constantFrom('7', '8', 'public'), (spentAfter, presentedAfter, provedWith) => {
      const facts = { ...spent, spentForMs: spentAfter * second }
      assert.notEqual(decide(facts, { at: issuedAtMs + presentedAfter * second, provedWith }), 'rotate')
    }),
  )
})

test('a rejection has its reason', () => {
  const reasonOf = (facts: RefreshFacts | undefined, form: Form = {}, at = nowMs, by = appKey) => {
    const decision = decideRefresh(facts, by, '7', form, instant(at), wireProfiles.off, digest)
    return typeof decision === 'string' ? decision : decision.text
  }
  const otherUri = { redirect_uri: 'https://app.example/other' }
  const ended = 'the session of the refresh token has ended'
  assert.equal(reasonOf(undefined), 'no such refresh token')
  assert.equal(reasonOf(token, {}, nowMs, 'other'), 'the refresh token belongs to another app')
  assert.equal(reasonOf({ ...token, sessionEnded: true }), ended)
  assert.equal(reasonOf({ ...token, userDisabled: true }), ended)
  assert.equal(reasonOf(token, {}, sessionExpiresAtMs), ended)
  assert.equal(reasonOf(token, {}, expiresAtMs), 'the refresh token has expired')
  assert.equal(reasonOf(token, {}, issuedAtMs - hour), 'the refresh token is from the future')
  assert.equal(reasonOf(token, otherUri), 'redirect_uri or code_verifier differs from that of the sign-in')
  assert.equal(reasonOf(spent, otherUri), 'redirect_uri or code_verifier differs from that of the sign-in')
})

test('rejects a resource that differs from that of the session', () => {
  const agents = 'https://desk.example/mcp'
  assert.equal(decide({ ...token, resource: agents }), 'rotate')
  assert.equal(decide({ ...token, resource: agents }, { form: { resource: agents } }), 'rotate')
  assert.equal(decide(token, { form: { resource: agents } }), 'otherResource')
  assert.equal(decide({ ...spent, resource: agents }, { form: { resource: '' } }), 'otherResource')
  assert.equal(decide({ ...spent, spentForMs: hour }, { form: { resource: agents } }), 'reuse')
  const both = { resource: agents, redirect_uri: 'https://app.example/other' }
  assert.equal(decide(token, { form: both }), 'reject')
})
