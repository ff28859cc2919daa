import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchesChallenge, readChallenge } from './pkce.ts'

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const s256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const weakAccepted = [false, true]

test('accepts the example of RFC 7636 appendix B', () => {
  for (const weak of weakAccepted) {
    const challenge = readChallenge(s256, 'S256', weak)
    assert.deepEqual(challenge, { value: s256, method: 'S256' })
    assert.equal(matchesChallenge(verifier, { value: s256, method: 'S256' }, weak, digest), true)
  }
})

test('a request without PKCE has no challenge', () => {
  for (const weak of weakAccepted) assert.equal(readChallenge(undefined, undefined, weak), undefined)
})

const rejectedInBoth: [name: string, value: string | undefined, method: string | undefined][] = [
  ['a method without a challenge', undefined, 'S256'],
  ['an unknown method', s256, 'S512'],
  ['a method in another case', s256, 's256'],
  ['an S256 challenge of 42 characters', s256.slice(1), 'S256'],
  ['an S256 challenge of 44 characters', `${s256}A`, 'S256'],
  ['an S256 challenge in plain base64', s256.replace('-', '+'), 'S256'],
  ['an S256 challenge with padding', `${s256.slice(1)}=`, 'S256'],
  ['an S256 challenge with a line break', `${s256}\n`, 'S256'],
  ['a plain challenge of 129 characters', 'a'.repeat(129), 'plain'],
  ['a plain challenge with a character that is not unreserved', `${verifier}!`, 'plain'],
]

for (const [name, value, method] of rejectedInBoth)
  test(`rejects ${name} in both profiles`, () => {
    for (const weak of weakAccepted) assert.equal(typeof readChallenge(value, method, weak), 'string')
  })

test('plain, the default method (RFC 7636 §4.3), is accepted only with weak PKCE', () => {
  for (const method of ['plain', undefined])
    for (const value of [verifier, 'short', 'a'.repeat(128)]) {
      assert.equal(typeof readChallenge(value, method, false), 'string')
      assert.deepEqual(readChallenge(value, method, true), { value, method: 'plain' })
    }
})

const verifiers: [text: string, strict: boolean, weak: boolean][] = [
  ['', false, false],
  ['a', false, true],
  ['a'.repeat(42), false, true],
  ['a'.repeat(43), true, true],
  ['a'.repeat(128), true, true],
  ['a'.repeat(129), false, false],
  [`${'a'.repeat(43)}~._-`, true, true],
  [`${'a'.repeat(43)}+`, false, false],
  [`${'a'.repeat(43)} `, false, false],
  [`${'a'.repeat(43)}\n`, false, false],
  [`${'a'.repeat(43)}ä`, false, false],
]

test('a verifier has 43 to 128 unreserved characters (RFC 7636 §4.1); the vendor profile accepts shorter ones', () => {
  for (const [text, strict, weak] of verifiers) {
    const challenge = { value: digest(text), method: 'S256' } as const
    assert.equal(matchesChallenge(text, challenge, false, digest), strict, JSON.stringify(text))
    assert.equal(matchesChallenge(text, challenge, true, digest), weak, JSON.stringify(text))
  }
})

test('a plain challenge matches only itself', () => {
  const challenge = { value: 'short-plain', method: 'plain' } as const
  assert.equal(matchesChallenge('short-plain', challenge, true, digest), true)
  assert.equal(matchesChallenge('short-plaim', challenge, true, digest), false)
  assert.equal(matchesChallenge('Short-plain', challenge, true, digest), false)
})

test('an S256 challenge does not match itself', () => {
  for (const weak of weakAccepted)
    assert.equal(matchesChallenge(s256, { value: s256, method: 'S256' }, weak, digest), false)
})

const wellFormed = fc.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/)

test('only its own verifier matches a challenge', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, fc.boolean(), (own, other, weak) => {
      const challenge = readChallenge(digest(own), 'S256', weak)
      assert.ok(typeof challenge === 'object')
      assert.equal(matchesChallenge(own, challenge, weak, digest), true)
      assert.equal(matchesChallenge(other, challenge, weak, digest), other === own)
    }),
  )
})
