import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deriveKey,
  entityKey,
  entityKeyPattern,
  equalInConstantTime,
  randomEntityKey,
  randomGuid,
  randomHex,
  seal,
  unseal,
} from './keys.ts'

const key = Buffer.alloc(32, 3)

test('codes look like GUIDs and use all of their 128 bits', () => {
  const guids = Array.from({ length: 200 }, randomGuid)
  for (const guid of guids) assert.match(guid, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.equal(new Set(guids).size, 200)
  // A version-4 UUID would always have a 4 here.
  assert.ok(new Set(guids.map((guid) => guid[14])).size > 5)
})

test('keys of clients and accounts use the alphabet of the API', () => {
  assert.equal(entityKey(Buffer.alloc(16, 0xff)), '|||||||||||||||||||||w==')
  assert.equal(entityKey(Buffer.alloc(16, 0xfb)), '-|v7-|v7-|v7-|v7-|v7-w==')
  for (let index = 0; index < 100; index++) assert.match(randomEntityKey(), new RegExp(entityKeyPattern))
})

test('app keys are 32 lower-case hex digits', () => {
  assert.match(randomHex(), /^[0-9a-f]{32}$/)
})

test('a sealed value opens only with its key and context, and unchanged', () => {
  const sealed = seal(key, 'a secret', 'row 1')
  assert.equal(unseal(key, sealed, 'row 1').toString(), 'a secret')
  assert.throws(() => unseal(key, sealed, 'row 2'))
  assert.throws(() => unseal(Buffer.alloc(32, 4), sealed, 'row 1'))
  for (const index of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => unseal(key, changed, 'row 1'))
  }
  assert.ok(!sealed.includes('a secret'))
  assert.notDeepEqual(seal(key, 'a secret', 'row 1'), sealed)
})

test('every purpose has its own key', () => {
  assert.notDeepEqual(deriveKey(key, 'one'), deriveKey(key, 'two'))
  assert.deepEqual(deriveKey(key, 'one'), deriveKey(key, 'one'))
})

test('constant-time comparison handles different lengths', () => {
  assert.equal(equalInConstantTime(Buffer.from('ab'), Buffer.from('ab')), true)
  assert.equal(equalInConstantTime(Buffer.from('ab'), Buffer.from('ac')), false)
  assert.equal(equalInConstantTime(Buffer.from('ab'), Buffer.from('abc')), false)
})
