import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRefresh } from '../store/refresh-tokens.ts'
import { RecentTokens } from './recent-tokens.ts'

const token = (sessionId: string) => ({ sessionId }) as StoredRefresh

test('returns a token once', () => {
  const recent = new RecentTokens()
  recent.remember('a', token('1'))

  assert.equal(recent.take('a')?.sessionId, '1')
  assert.equal(recent.take('a'), undefined)
})

test('forgets the oldest token when there are too many', () => {
  const recent = new RecentTokens(2)
  for (const hash of ['a', 'b', 'c']) recent.remember(hash, token(hash))

  assert.deepEqual(
    ['a', 'b', 'c'].map((hash) => recent.take(hash)?.sessionId),
    [undefined, 'b', 'c'],
  )
})
