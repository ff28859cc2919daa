import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type WireProfile, wireProfiles } from '../../core/wire-profile.ts'
import type { Form } from './client-authentication.ts'
import { decideRefresh, graceSeconds, type RefreshFacts } from './refresh.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
const both = Object.values(wireProfiles)
const aMoment = { nanoseconds: 1 }

const appKey = 'app'
const redirectUri = 'https://app.example/cb'
const verifier = 'v'.repeat(43)
const issuedAt = Temporal.Instant.from('2026-06-01T12:00:00Z')
const expiresAt = issuedAt.add({ seconds: 3_600 })
const sessionExpiresAt = issuedAt.add({ hours: 24 })
const now = issuedAt.add({ seconds: 1_200 })

const token: RefreshFacts = {
  appKey,
  redirectUri,
  challenge: null,
  issuedAt,
  expiresAt,
  spentAt: null,
  spentWith: null,
  sessionEnded: false,
  sessionExpiresAt,
  userDisabled: false,
}
const challenged: RefreshFacts = { ...token, challenge: { value: digest(verifier), method: 'S256' } }
const spent: RefreshFacts = { ...token, spentAt: now, spentWith: '7' }

type Request = {
  form?: Form
  at?: Temporal.Instant
  real?: Temporal.Instant
  by?: string
  provedWith?: string
  profile?: WireProfile
}

const decide = (facts: RefreshFacts | undefined, request: Request = {}) => {
  const { form = {}, at = now, real = at, by = appKey, provedWith = '7', profile = wireProfiles.off } = request
  return decideRefresh(facts, by, provedWith, form, { now: at, real }, profile, digest)
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
    spent,
    { form: { redirect_uri: 'https://app.example/other' }, at: now.add({ seconds: 60 }) },
  ],
  ['a spent token is a reuse even after it expired', 'reuse', spent, { at: expiresAt.add({ hours: 1 }) }],
  [
    'the grace period of a token continues after its expiry',
    'repeat',
    { ...spent, spentAt: expiresAt.subtract({ seconds: 2 }) },
    { at: expiresAt.add({ seconds: 2 }) },
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
  assert.equal(decide(token, { at: expiresAt.subtract(aMoment) }), 'rotate')
  assert.equal(decide(token, { at: expiresAt }), 'reject')
})

test('a token is not valid longer than its session', () => {
  const long = { ...token, expiresAt: sessionExpiresAt.add({ hours: 1 }) }
  assert.equal(decide(long, { at: sessionExpiresAt.subtract(aMoment) }), 'rotate')
  assert.equal(decide(long, { at: sessionExpiresAt }), 'reject')
})

test('a verifier shorter than 43 characters is accepted only in the vendor profile', () => {
  const short = { ...token, challenge: { value: digest('short'), method: 'S256' } as const }
  assert.equal(decide(short, { form: { code_verifier: 'short' } }), 'reject')
  assert.equal(decide(short, { form: { code_verifier: 'short' }, profile: wireProfiles.vendor }), 'rotate')
})

test('the same client gets the same response again for exactly ten seconds', () => {
  assert.equal(graceSeconds, 10)
  const end = now.add({ seconds: 10 })
  for (const profile of both) {
    assert.equal(decide(spent, { profile }), 'repeat')
    assert.equal(decide(spent, { at: end, profile }), 'repeat')
    assert.equal(decide(spent, { at: end.add(aMoment), profile }), 'reuse')
  }
})

test('a node whose clock is behind is within the grace period', () => {
  assert.equal(decide(spent, { at: now.subtract({ seconds: 1 }) }), 'repeat')
})

test('the grace period is in real time, whether time is frozen or travels', () => {
  assert.equal(decide(spent, { at: now, real: now.add({ seconds: 11 }) }), 'reuse', 'time is frozen')
  assert.equal(decide(spent, { at: now.add({ hours: 3 }), real: now }), 'repeat')
})

test('rejects a token from the future without ending the session', () => {
  const before = issuedAt.subtract({ minutes: 1 })
  assert.equal(decide(token, { at: before }), 'rotate', 'clock tolerance')
  for (const facts of [token, spent])
    assert.equal(decide(facts, { at: before.subtract(aMoment), real: now.add({ hours: 1 }) }), 'reject')
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
      const facts = { ...spent, spentAt: issuedAt.add({ seconds: spentAfter }) }
      assert.notEqual(decide(facts, { at: issuedAt.add({ seconds: presentedAfter }), provedWith }), 'rotate')
    }),
  )
})
