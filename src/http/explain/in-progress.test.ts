import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InProgress } from './routes.ts'

test('a user has two explanations at once, and a node eight', async () => {
  const bound = new InProgress()
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const begin = (user: string) => bound.run(user, () => end)

  const running = ['a', 'a', 'b', 'b', 'c', 'c', 'd'].map(begin)
  await assert.rejects(begin('a'), { code: 'RateLimitExceeded' })
  running.push(begin('d'))
  await assert.rejects(begin('e'), { code: 'RateLimitExceeded' })

  resolve()
  await Promise.all(running)
  await assert.rejects(
    bound.run('a', () => Promise.reject(new Error('x'))),
    /x/,
  )
  assert.equal(await bound.run('a', async () => 1), 1)
})
