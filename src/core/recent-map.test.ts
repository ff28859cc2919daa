import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './recent-map.ts'

test('keeps the entries used last, at most as many as allowed', () => {
  const map = new RecentMap<string, number>(6)
  for (let index = 0; index < 100; index++) {
    map.set(`${index}`, index)
    assert.equal(map.get('0'), 0)
    if (index >= 1) assert.equal(map.get(`${index - 1}`), index - 1)
  }
  const kept = Array.from({ length: 100 }, (_, index) => `${index}`).filter((key) => map.get(key) !== undefined)
  assert.ok(kept.length >= 3 && kept.length <= 6, kept.join())
  assert.equal(map.get('50'), undefined)
})

test('a new value replaces the old one, wherever it was', () => {
  const map = new RecentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  assert.deepEqual([map.get('a'), map.get('b')], [3, 2])
})
