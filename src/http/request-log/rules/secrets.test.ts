import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetTypes } from '../../../core/asset-type.ts'
import { hidden, hideNames, hideTokens, hideValue, isSecretName, isWhole } from './secrets.ts'

const hex = '0123456789abcdef0123456789abcdef'
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const signed = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln'
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

test('hides everything that looks like a token', () => {
  for (const token of [hex, hex.toUpperCase(), guid, signed, signed.slice(0, 30), verifier, hex + hex])
    assert.equal(hideTokens(`a ${token} b`), `a ${hidden} b`, token)
  assert.equal(hideTokens('App 7 of 2026-11-16 was not found.'), 'App 7 of 2026-11-16 was not found.')
})

test('shows every asset type, but nothing that only has one in it', () => {
  for (const name of assetTypes) assert.equal(hideTokens(`a ${name},b`), `a ${name},b`)
  const long = 'CertificateCapitalProtectionWithKnockOut'
  for (const token of [`${long}s`, `x${long}`, `${long}-${hex}`, long.toLowerCase()])
    assert.equal(hideTokens(`a ${token} b`), `a ${hidden} b`, token)
})

test('knows the names of secrets, and those that are only about one', () => {
  for (const name of ['Secret', 'access_token', 'AccessToken', 'password', 'code_verifier', 'code', 'state', 'Cookie'])
    assert.equal(isSecretName(name), true, name)
  for (const name of ['SecretId', 'token_type', 'TokenEndpoint', 'Code', 'State', 'Name', '$skiptoken', 'expires_in'])
    assert.equal(isSecretName(name), false, name)
})

test('shows ids and cursors, but no token in their place', () => {
  assert.equal(hideValue('AppKey', hex), hex)
  assert.equal(hideValue('client_id', hex), hex)
  assert.equal(hideValue('AppKey', guid), hidden)
  assert.equal(hideValue('Name', hex), hidden)
  assert.equal(hideValue('Secret', 'short'), hidden)
  assert.equal(hideValue('$skiptoken', verifier), verifier)
  assert.equal(hideValue('$skiptoken', signed), hidden)
})

test('hides the names that a caller made up, as whole words', () => {
  const text = 'These fields are not valid: Name, a.b, na. Na'
  assert.equal(hideNames(text, ['a.b', 'na']), 'These fields are not valid: Name, [redacted], [redacted]. Na')
  assert.equal(hideNames(text, []), text)
})

test('hides a text that assigns a secret', () => {
  for (const text of ['token=abc', 'my Password =abc', '{"password":1', '\\u0022secret\\u0022:1'])
    assert.equal(hideValue('Name', text), hidden, text)
  for (const text of ['the password: none', 'Send grant_type=refresh_token.'])
    assert.equal(hideValue('Name', text), text)
})

test('a text of which something was replaced or cut is not what was sent', () => {
  assert.equal(isWhole('/a?$top=1'), true)
  assert.equal(isWhole('/a?token=[redacted]&$top=1'), false)
  assert.equal(isWhole('/a?$top=1&…'), false)
})
