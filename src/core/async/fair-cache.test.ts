import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairCache } from './fair-cache.ts'

const keptIn = (cache: FairCache<string>, ...keys: string[]) =>
  keys.filter((key) => cache.get(key, key.slice(0, 1)) !== undefined)

test('a group that asks for many values evicts its own entries, by number and by size', () => {
  for (const cache of [new FairCache<string>(4, 1_000), new FairCache<string>(100, 40)]) {
    cache.set('a1', 'a', 'value', 10)
    cache.set('b1', 'b', 'value', 10)
    for (let at = 1; at <= 20; at++) cache.set(`c${at}`, 'c', 'value', 10)
    assert.deepEqual(keptIn(cache, 'a1', 'b1', 'c18', 'c19', 'c20'), ['a1', 'b1', 'c19', 'c20'])
  }
})

test('what others use too does not belong to the group that made it', () => {
  const cache = new FairCache<string>(3, 1_000)
  cache.set('a1', 'a', 'value', 1)
  assert.equal(cache.get('a1', 'b'), 'value')
  for (let at = 2; at <= 9; at++) cache.set(`a${at}`, 'a', 'value', 1)
  assert.deepEqual(keptIn(cache, 'a1', 'a7', 'a8', 'a9'), ['a1', 'a8', 'a9'])
})

test('what several groups use is evicted only when no group has two values', () => {
  const cache = new FairCache<string>(6, 1_000)
  for (const key of ['x1', 'x2', 'x3', 'a1', 'c1', 'c2']) cache.set(key, key.slice(0, 1), 'value', 1)
  for (const key of ['x1', 'x2', 'x3']) for (const group of ['a', 'b']) cache.get(key, group)
  for (const key of ['a1', 'c1', 'c2']) cache.get(key, key.slice(0, 1))
  cache.set('b1', 'b', 'value', 1)
  assert.deepEqual(keptIn(cache, 'x1', 'x2', 'x3', 'a1', 'c1', 'c2', 'b1'), ['x1', 'x2', 'x3', 'a1', 'c2', 'b1'])
  cache.set('d1', 'd', 'value', 1)
  assert.deepEqual(keptIn(cache, 'x1', 'x2', 'x3', 'a1', 'c2', 'b1', 'd1'), ['x2', 'x3', 'a1', 'c2', 'b1', 'd1'])
})

test('large values of one group evict nothing of the others, and one of them is kept', () => {
  for (const large of [270, 3_000]) {
    const cache = new FairCache<string>(8, 300)
    const small = ['a1', 'b1', 'c1', 'd1', 'e1']
    for (const key of small) cache.set(key, key.slice(0, 1), 'value', 20)
    for (const key of ['e2', 'e3', 'e2', 'e3']) {
      cache.set(key, 'e', 'value', large)
      assert.deepEqual(keptIn(cache, ...small, 'e2', 'e3'), ['a1', 'b1', 'c1', 'd1', key])
    }
    cache.set('e1', 'e', 'value', 20)
    assert.deepEqual(keptIn(cache, ...small, 'e3'), [...small, 'e3'], 'the large one is not counted')
  }
})

test('of equal groups the value that was not used for longest goes; one of any size is kept', () => {
  const cache = new FairCache<string>(2, 100)
  for (const key of ['a1', 'b1']) cache.set(key, key.slice(0, 1), 'value', 1)
  cache.get('a1', 'a')
  cache.set('c1', 'c', 'value', 1)
  assert.deepEqual(keptIn(cache, 'a1', 'b1', 'c1'), ['a1', 'c1'])
  cache.set('d1', 'd', 'value', 1_000)
  assert.deepEqual(keptIn(cache, 'a1', 'c1', 'd1'), ['a1', 'c1', 'd1'])
  cache.clear()
  assert.deepEqual(keptIn(cache, 'd1'), [])
})
