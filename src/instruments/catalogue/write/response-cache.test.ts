import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ResponseCache } from './response-cache.ts'

const large = (text: string): Buffer => Buffer.alloc(64_000, text).subarray(0, 100)

test('builds a response once and evicts the least recently used', () => {
  const cache = new ResponseCache(1_100)
  const make = (key: string) => cache.get(key, () => Buffer.from(`${key}${Math.random()}`)).toString()
  const [a, b] = [make('a'), make('b')]
  make('c')
  assert.equal(make('a'), a)
  make('d')
  assert.equal(make('a'), a)
  assert.notEqual(make('b'), b)
})

test('the size limit counts keys and whole buffers', () => {
  const cache = new ResponseCache(100_000)
  cache.get('x'.repeat(1_000), () => large('x'))
  assert.ok(cache.bytes >= 2_100)
  for (let index = 0; index < 1_000; index++) {
    const kept = cache.get(`${index}`.padStart(1_000), () => large('x'))
    assert.equal(kept.toString(), 'x'.repeat(100))
    assert.equal(kept.buffer.byteLength, 100)
    assert.ok(cache.bytes <= 100_000)
  }
  assert.ok(cache.bytes > 90_000)
})

test('does not cache a response that would evict most others', () => {
  const cache = new ResponseCache(1_000)
  cache.get('a', () => Buffer.alloc(126))
  assert.equal(cache.bytes, 0)
})
