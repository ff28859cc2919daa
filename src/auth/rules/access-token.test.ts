import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AccessClaims,
  accessLevel,
  callerOf,
  dayTokenClaim,
  dayTokenSeconds,
  readAndWrite,
  readOnly,
} from './access-token.ts'

const issuer = 'https://refdesk.example'
const audience = 'https://refdesk.example/sim/openapi'
const issuedAt = 1_790_000_000
const validSeconds = 1_200

const claims: AccessClaims = {
  iss: issuer,
  sub: 'user-key',
  aud: audience,
  client_id: 'app-key',
  iat: issuedAt,
  exp: issuedAt + validSeconds,
  jti: 'token-id',
  uid: 'user-key',
  cid: 'client-key',
  sid: 'session-id',
  aid: 'app-key',
  oaa: '77770',
}

const read = (change: Partial<AccessClaims>, now = issuedAt) =>
  callerOf({ ...claims, ...change }, issuer, audience, now)

function without(name: keyof AccessClaims): Partial<AccessClaims> {
  const { [name]: _, ...rest } = claims
  return rest
}

test('a token identifies the user, the app and the session', () => {
  assert.deepEqual(read({}), {
    UserKey: 'user-key',
    ClientKey: 'client-key',
    sessionId: 'session-id',
    appKey: 'app-key',
    mayWrite: true,
    expiresAt: issuedAt + validSeconds,
    isDayToken: false,
  })
})

test('only the level 77770 may write', () => {
  assert.equal(read({ oaa: '77770' })?.mayWrite, true)
  assert.equal(read({ oaa: '77700' })?.mayWrite, false)
  assert.equal(read({ oaa: '' })?.mayWrite, false)
  assert.equal(callerOf(without('oaa'), issuer, audience, issuedAt)?.mayWrite, false)
})

test('rejects a token of another issuer or audience', () => {
  assert.equal(read({ iss: 'https://other.example' }), undefined)
  assert.equal(read({ iss: `${issuer}/` }), undefined)
  assert.equal(read({ aud: 'https://refdesk.example/openapi' }), undefined)
  assert.equal(read({ aud: issuer }), undefined)
})

test('rejects a token without a required claim', () => {
  for (const name of ['iss', 'aud', 'exp', 'iat', 'uid', 'cid', 'sid', 'client_id'] as const)
    assert.equal(callerOf(without(name), issuer, audience, issuedAt), undefined, name)
})

test('rejects a token with an empty key', () => {
  for (const name of ['uid', 'cid', 'sid', 'client_id'] as const) assert.equal(read({ [name]: '' }), undefined, name)
})

test('rejects times that are not numbers', () => {
  const fromOutside: object = { ...claims, exp: String(claims.exp) }
  assert.equal(callerOf(fromOutside, issuer, audience, issuedAt), undefined)
  assert.equal(callerOf({ ...claims, ...JSON.parse('{"iat":"0"}') }, issuer, audience, issuedAt), undefined)
})

test('a token expires exactly at exp (RFC 7519 §4.1.4)', () => {
  assert.ok(read({}, claims.exp - 1))
  assert.equal(read({}, claims.exp), undefined)
  assert.equal(read({}, claims.exp + 1), undefined)
})

test('rejects a token from the future, with a tolerance of one minute', () => {
  assert.ok(read({}, claims.iat - 60))
  assert.equal(read({}, claims.iat - 61), undefined)
})

test('an app may write only if both levels are Trade', () => {
  assert.equal(readAndWrite, '77770')
  assert.equal(readOnly, '77700')
  assert.equal(accessLevel('Trade', 'Trade'), '77770')
  for (const [online, offline] of [
    ['Trade', 'Read'],
    ['Read', 'Trade'],
    ['Read', 'Read'],
    ['None', 'Trade'],
    ['trade', 'trade'],
    ['', ''],
  ] as const)
    assert.equal(accessLevel(online, offline), '77700', `${online} ${offline}`)
})

test('a 24-hour token is marked, and one that is obtained with it ends with it', () => {
  const [ordinary, marked] = [read(dayTokenClaim({ isDayToken: false })), read(dayTokenClaim({ isDayToken: true }))]
  assert.ok(ordinary && marked)
  assert.deepEqual([ordinary.isDayToken, marked.isDayToken], [false, true])
  assert.equal(dayTokenSeconds(ordinary, issuedAt + 200), 86_400)
  assert.equal(dayTokenSeconds(marked, issuedAt + 200), validSeconds - 200)
})
