import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OnDemand } from './on-demand.ts'

function setting(options: { maxWaiting?: number; maxWaitMs?: number } = {}) {
  const values = new OnDemand<{ size: number }>({
    ...{ maxKept: 2, maxSize: 100, maxWaiting: 10, maxWaitMs: 60_000, sizeOf: ({ size }: { size: number }) => size },
    ...options,
  })
  const made: string[] = []
  const ask = async (key: string, { edition = 'e', group = 'g', size = 1 } = {}) =>
    values.get(edition, key, group, async () => {
      made.push(key)
      return { size }
    })
  return { values, made, ask }
}

test('a value is made once, for all callers at the same time or later', async () => {
  const { made, ask } = setting()
  const [one, other] = await Promise.all([ask('a'), ask('a')])
  assert.equal(one, other)
  assert.equal(await ask('a'), one)
  assert.deepEqual(made, ['a'])
})

test('forgets what was not used for longest, by number and by size, and keeps one of any size', async () => {
  const { made, ask } = setting()
  for (const key of ['a', 'b', 'a', 'c', 'a']) await ask(key)
  assert.deepEqual(made, ['a', 'b', 'c'])
  await ask('large', { size: 1_000 })
  await ask('large')
  assert.deepEqual(made, ['a', 'b', 'c', 'large'])
  await ask('a')
  assert.deepEqual(made, ['a', 'b', 'c', 'large', 'a'])
})

test('another edition forgets everything, also what is being made for the one before', async () => {
  const { made, ask } = setting()
  await ask('a')
  const late = ask('b')
  await Promise.all([late, ask('a', { edition: 'f' }), ask('b', { edition: 'f' })])
  await ask('b', { edition: 'f' })
  assert.deepEqual(made, ['a', 'b', 'a', 'b'])
})

test('clear forgets everything, also what is being made', async () => {
  const { values, made, ask } = setting()
  await ask('a')
  const late = ask('b')
  values.clear()
  await late
  await Promise.all([ask('a'), ask('b')])
  assert.deepEqual(made, ['a', 'b', 'a', 'b'])
})

test('makes one value at a time, and rejects what would wait too long', async () => {
  const { values, ask } = setting({ maxWaiting: 1 })
  const { promise, resolve } = Promise.withResolvers<{ size: number }>()
  const first = values.get('e', 'a', 'one', () => promise)
  const second = ask('b', { group: 'two' })
  await assert.rejects(ask('c', { group: 'two' }), /temporarily unavailable/)
  resolve({ size: 1 })
  await Promise.all([first, second])
})

test('a value that could not be made is tried again', async () => {
  const { values, ask } = setting()
  await assert.rejects(async () => values.get('e', 'a', 'g', () => Promise.reject(new Error('failed'))), /failed/)
  assert.deepEqual(await ask('a'), { size: 1 })
})

test('what takes too long is not waited for, and is there for callers that retry', async () => {
  const { values } = setting({ maxWaitMs: 1 })
  const { promise, resolve } = Promise.withResolvers<{ size: number }>()
  await assert.rejects(
    values.get('e', 'a', 'g', () => promise),
    /temporarily unavailable/,
  )
  const value = { size: 1 }
  resolve(value)
  await promise
  assert.equal(await values.get('e', 'a', 'g', () => assert.fail('made twice')), value)
})
