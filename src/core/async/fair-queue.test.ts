import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue } from './fair-queue.ts'

/** Work that a test ends, one piece after the other. */
function setting(atOnce: number, maxWaiting: number) {
  const queue = new FairQueue(atOnce, maxWaiting)
  const started: string[] = []
  const running: (() => void)[] = []
  const rejected: string[] = []
  const add = (key: string, count = 1) => {
    for (let piece = 0; piece < count; piece++)
      queue
        .run(key, () => {
          started.push(key)
          const { promise, resolve } = Promise.withResolvers<void>()
          running.push(resolve)
          return promise
        })
        .catch((error: Error) => rejected.push(`${key}: ${error.message}`))
  }
  const endOne = async () => {
    running.shift()?.()
    await nextTurn()
  }
  const endAll = async () => {
    await nextTurn()
    while (running.length > 0) await endOne()
  }
  return { add, started, rejected, endOne, endAll }
}

test('runs as many pieces at a time as it may, and the others in their order', async () => {
  const { add, started, endOne, endAll } = setting(2, 10)
  add('a', 2)
  add('b')
  add('c')
  await nextTurn()
  assert.deepEqual(started, ['a', 'a'])
  await endOne()
  assert.deepEqual(started, ['a', 'a', 'b'])
  await endAll()
  assert.deepEqual(started, ['a', 'a', 'b', 'c'])
  add('d')
  await nextTurn()
  assert.deepEqual(started.at(-1), 'd')
  await endAll()
})

test('keys take turns: a key with much work delays another by one piece', async () => {
  const { add, started, endAll } = setting(1, 100)
  add('flood', 50)
  add('one')
  add('two', 2)
  await endAll()
  assert.deepEqual(started.slice(0, 7), ['flood', 'flood', 'one', 'two', 'flood', 'two', 'flood'])
  assert.equal(started.length, 53)
})

test('when it is full, the key with most work waiting loses its newest piece, and no other key does', async () => {
  const { add, started, rejected, endAll } = setting(1, 4)
  add('flood', 5)
  add('one')
  add('two')
  await nextTurn()
  assert.deepEqual(
    rejected.map((line) => line.split(':')[0]),
    ['flood', 'flood'],
  )
  add('flood')
  add('one', 2)
  await nextTurn()
  assert.deepEqual(
    rejected.map((line) => line.split(':')[0]),
    ['flood', 'flood', 'flood', 'one', 'one'],
  )
  assert.match(rejected[0] ?? '', /temporarily unavailable/)
  await endAll()
  assert.deepEqual(started, ['flood', 'flood', 'one', 'two', 'flood'])
})

test('work that fails frees its place', async () => {
  const queue = new FairQueue(1, 1)
  await assert.rejects(
    queue.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await queue.run('a', async () => 'done'), 'done')
})
