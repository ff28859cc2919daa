import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ClientCache } from './client-cache.ts'

type Value = Readonly<{ key: string; read: number }>

/** A feed that announces what the test says. */
const handlers = new Map<string, (key: string) => void | Promise<void>>()
let announceGap: () => void | Promise<void> = () => {}
const feed = {
  on: (topic: string, handler: (key: string) => void | Promise<void>) => void handlers.set(topic, handler),
  onGap: (handler: () => void | Promise<void>) => {
    announceGap = handler
  },
}

let reads = 0
beforeEach(() => {
  reads = 0
})

const read = async (key: string): Promise<Value | undefined> => (key === 'unknown' ? undefined : { key, read: ++reads })

const cacheOf = (bounds: { maxClients?: number; maxBytes?: number } = {}) =>
  new ClientCache<Value>(feed, ['client', 'sign-in'], read, { maxClients: 10, bytesOf: () => 40, ...bounds })

test('a value is read once, and known without a promise after that', async () => {
  const cache = cacheOf()
  const first = cache.get('a')
  assert.ok(first instanceof Promise)
  assert.equal(cache.get('a'), first)
  assert.equal(cache.has('a'), true)

  assert.deepEqual(await first, { key: 'a', read: 1 })
  assert.deepEqual(cache.get('a'), { key: 'a', read: 1 })
})

for (const topic of ['client', 'sign-in'])
  test(`${topic}: a change drops the value of that client alone`, async () => {
    const cache = cacheOf()
    await Promise.all([cache.get('a'), cache.get('b')])

    await handlers.get(topic)?.('a')

    assert.deepEqual(await cache.get('a'), { key: 'a', read: 3 })
    assert.deepEqual(cache.get('b'), { key: 'b', read: 2 })
  })

test('a value that was being read during a change or a gap is not kept', async () => {
  const cache = cacheOf()
  for (const [index, change] of [() => handlers.get('client')?.('a'), () => announceGap()].entries()) {
    const early = cache.get('a')
    await change()
    assert.equal((await early)?.read, 2 * index + 1)
    assert.equal((await cache.get('a'))?.read, 2 * index + 2)
    await handlers.get('client')?.('a')
  }
})

test('a gap in the feed drops everything', async () => {
  const cache = cacheOf()
  await Promise.all([cache.get('a'), cache.get('b')])

  await announceGap()

  assert.deepEqual([cache.has('a'), cache.has('b')], [false, false])
})

test('neither unknown clients nor failures are kept', async () => {
  const failing = new ClientCache<Value>(feed, [], () => Promise.reject(new Error('down')), { maxClients: 1 })
  await assert.rejects(async () => failing.get('a'), /down/)
  assert.equal(failing.has('a'), false)

  const cache = cacheOf()
  assert.equal(await cache.get('unknown'), undefined)
  assert.equal(cache.has('unknown'), false)
})

test('holds at most so many clients, and so many bytes', async () => {
  for (const bounds of [{ maxClients: 2 }, { maxBytes: 100 }, { maxClients: 2, maxBytes: 1_000 }]) {
    const cache = cacheOf(bounds)
    for (const key of ['a', 'b', 'c']) await cache.get(key)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => cache.has(key)),
      [false, true, true],
    )
  }
})
