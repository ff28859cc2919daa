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
  challenge: undefined,
  issuedAt,
  expiresAt,
  spentAt: undefined,
  spentWith: undefined,
  sessionEnded: false,
  sessionExpiresAt,
  userDisabled: false,
}
const challenged: RefreshFacts = { ...token, challenge: { value: digest(verifier), method: 'S256' } }
const spent: RefreshFacts = { ...token, spentAt: now, spentWith: '7' }

type Setting = {
  form?: Form
  at?: Temporal.Instant
  real?: Temporal.Instant
  by?: string
  provedWith?: string
  profile?: WireProfile
}

const decide = (facts: RefreshFacts | undefined, setting: Setting = {}) => {
  const { form = {}, at = now, real = at, by = appKey, provedWith = '7', profile = wireProfiles.off } = setting
  return decideRefresh(facts, by, provedWith, form, { now: at, real }, profile, digest)
}

const sameInBoth: [name: string, decision: string, facts: RefreshFacts | undefined, setting: Setting][] = [
  ['a live token rotates', 'rotate', token, {}],
  ['the address of the session may come along', 'rotate', token, { form: { redirect_uri: redirectUri } }],
  ['a challenged session may come without its verifier', 'rotate', challenged, {}],
  ['the verifier of the session may come along', 'rotate', challenged, { form: { code_verifier: verifier } }],
  ['a public app rotates alike', 'rotate', token, { provedWith: 'public' }],
  ['an unknown token is refused', 'refuse', undefined, {}],
  ['a token of another app is refused', 'refuse', token, { by: 'other' }],
  ['a spent token of another app is refused and kills nothing', 'refuse', spent, { by: 'other' }],
  ['a token of an ended session is refused', 'refuse', { ...token, sessionEnded: true }, {}],
  ['a spent token of an ended session is not answered again', 'refuse', { ...spent, sessionEnded: true }, {}],
  ['a token of a disabled user is refused', 'refuse', { ...token, userDisabled: true }, {}],
  ['a spent token of a disabled user is not answered again', 'refuse', { ...spent, userDisabled: true }, {}],
  ['another address is refused', 'refuse', token, { form: { redirect_uri: 'https://app.example/other' } }],
  ['a wrong verifier is refused', 'refuse', challenged, { form: { code_verifier: 'w'.repeat(43) } }],
  [
    'a spent token with another address is refused within the grace',
    'refuse',
    spent,
    { form: { redirect_uri: 'https://app.example/other' } },
  ],
  [
    'a spent token with another address is a reuse after it',
    'reuse',
    spent,
    { form: { redirect_uri: 'https://app.example/other' }, at: now.add({ seconds: 60 }) },
  ],
  ['a spent token is a reuse also after its own end', 'reuse', spent, { at: expiresAt.add({ hours: 1 }) }],
  [
    'the grace of a token spent just before its end outlasts that end',
    'again',
    { ...spent, spentAt: expiresAt.subtract({ seconds: 2 }) },
    { at: expiresAt.add({ seconds: 2 }) },
  ],
  ['a verifier where none was promised is refused', 'refuse', token, { form: { code_verifier: verifier } }],
]

for (const [name, decision, facts, setting] of sameInBoth)
  test(name, () => {
    for (const profile of both) assert.equal(decide(facts, { ...setting, profile }), decision)
  })

test('an empty path of the address equals /', () => {
  const bare = { ...token, redirectUri: 'https://app.example' }
  assert.equal(decide(bare, { form: { redirect_uri: 'https://app.example/' } }), 'rotate')
})

test('a token ends at its expiry instant', () => {
  assert.equal(decide(token, { at: expiresAt.subtract(aMoment) }), 'rotate')
  assert.equal(decide(token, { at: expiresAt }), 'refuse')
})

test('no token outlives the absolute end of its session', () => {
  const lasting = { ...token, expiresAt: sessionExpiresAt.add({ hours: 1 }) }
  assert.equal(decide(lasting, { at: sessionExpiresAt.subtract(aMoment) }), 'rotate')
  assert.equal(decide(lasting, { at: sessionExpiresAt }), 'refuse')
})

test('a verifier shorter than 43 is right only in the vendor profile', () => {
  const short = { ...token, challenge: { value: digest('short'), method: 'S256' } as const }
  assert.equal(decide(short, { form: { code_verifier: 'short' } }), 'refuse')
  assert.equal(decide(short, { form: { code_verifier: 'short' }, profile: wireProfiles.vendor }), 'rotate')
})

test('the same client gets the same answer again for ten seconds, to the instant', () => {
  assert.equal(graceSeconds, 10)
  const end = now.add({ seconds: 10 })
  for (const profile of both) {
    assert.equal(decide(spent, { profile }), 'again')
    assert.equal(decide(spent, { at: end, profile }), 'again')
    assert.equal(decide(spent, { at: end.add(aMoment), profile }), 'reuse')
  }
})

test('a clock that is behind the one that spent the token is inside the grace', () => {
  assert.equal(decide(spent, { at: now.subtract({ seconds: 1 }) }), 'again')
})

test('the grace is of real time, so that it neither lasts for ever nor ends by a travel', () => {
  assert.equal(decide(spent, { at: now, real: now.add({ seconds: 11 }) }), 'reuse', 'time stands still')
  assert.equal(decide(spent, { at: now.add({ hours: 3 }), real: now }), 'again')
})

test('a token from the future is refused, and nothing dies by it', () => {
  const before = issuedAt.subtract({ minutes: 1 })
  assert.equal(decide(token, { at: before }), 'rotate', 'clocks of nodes may differ')
  for (const facts of [token, spent])
    assert.equal(decide(facts, { at: before.subtract(aMoment), real: now.add({ hours: 1 }) }), 'refuse')
})

test('other credentials of the same app are a reuse at once', () => {
  for (const profile of both)
    for (const provedWith of ['8', 'public', '']) assert.equal(decide(spent, { provedWith, profile }), 'reuse')
})

test('a token that was spent without known credentials is never answered again', () => {
  assert.equal(decide({ ...spent, spentWith: undefined }), 'reuse')
})

test('a spent token never rotates', () => {
  const seconds = fc.integer({ min: 0, max: 100_000 })
  fc.assert(
    fc.property(seconds, seconds, fc.constantFrom('7', '8', 'public'), (spentAfter, askedAfter, provedWith) => {
      const facts = { ...spent, spentAt: issuedAt.add({ seconds: spentAfter }) }
      assert.notEqual(decide(facts, { at: issuedAt.add({ seconds: askedAfter }), provedWith }), 'rotate')
    }),
  )
})
