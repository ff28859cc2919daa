import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RateLimiter, type SharedCounts } from './rate-limiter.ts'

const minute = (key: string, limit = 3) => ({ key, limit, windowSeconds: 60 })

/** Time in the hand of the test, and a store that counts as the database would. */
function setting() {
  const time = { now: 600_000_000 }
  const totals = new Map<string, number>()
  const store = { away: false, batches: 0 }
  const shared: SharedCounts = {
    async add(rows) {
      if (store.away) throw new Error('away')
      store.batches += 1
      for (const { key, windowStart, count } of rows) {
        const row = `${key}@${windowStart}`
        totals.set(row, (totals.get(row) ?? 0) + count)
      }
      return new Map(rows.map(({ key, windowStart }) => [key, totals.get(`${key}@${windowStart}`) ?? 0]))
    },
  }
  const node = (maxKeys?: number) => new RateLimiter({ shared, now: () => time.now, ...(maxKeys && { maxKeys }) })
  return { time, totals, store, node }
}

test('a window admits its limit, reports what remains and when it ends, and then starts again', () => {
  const { time, node } = setting()
  const limiter = node()
  time.now += 500
  const standings = Array.from({ length: 4 }, () => limiter.take([minute('a')])[0])
  assert.deepEqual(
    standings.map((standing) => standing?.admitted),
    [true, true, true, false],
  )
  assert.deepEqual(
    standings.map((standing) => standing?.remaining),
    [2, 1, 0, 0],
  )
  assert.deepEqual(
    standings.map((standing) => standing?.resetSeconds),
    [60, 60, 60, 60],
  )
  time.now += 59_499
  assert.deepEqual(limiter.take([minute('a')])[0], { limit: 3, remaining: 0, resetSeconds: 1, admitted: false })
  time.now += 1
  assert.deepEqual(limiter.take([minute('a')])[0], { limit: 3, remaining: 2, resetSeconds: 60, admitted: true })
})

test('a request that one bucket rejects counts in none', () => {
  const limiter = setting().node()
  limiter.take([minute('small', 1), minute('large', 10)])
  const [small, large] = limiter.take([minute('small', 1), minute('large', 10)])
  assert.equal(small?.admitted, false)
  assert.equal(large?.remaining, 9)
})

test('nodes share one limit once they have exchanged their counts', async () => {
  const { node } = setting()
  const [one, two] = [node(), node()]
  one.take([minute('a')])
  one.take([minute('a')])
  await one.flush()
  assert.equal(two.take([minute('a')])[0]?.admitted, true)
  await two.flush()
  assert.equal(two.take([minute('a')])[0]?.admitted, false)
  assert.equal(one.take([minute('a')])[0]?.admitted, true, 'does not know of the third yet')
  await one.flush()
  assert.equal(one.take([minute('a')])[0]?.admitted, false)
})

test('requests counted during an exchange are sent with the next one, and none twice', async () => {
  const { node, totals } = setting()
  const limiter = node()
  limiter.take([minute('a', 10)])
  const exchange = limiter.flush()
  limiter.take([minute('a', 10)])
  await exchange
  assert.deepEqual([...totals.values()], [1])
  await Promise.all([limiter.flush(), limiter.flush()])
  assert.deepEqual([...totals.values()], [2])
  assert.equal(limiter.take([minute('a', 10)])[0]?.remaining, 7)
})

test('sends changed counters in one batch, and nothing if nothing changed', async () => {
  const { node, store } = setting()
  const limiter = node()
  limiter.take([minute('a'), minute('b')])
  limiter.take([minute('c')])
  await limiter.flush()
  await limiter.flush()
  assert.equal(store.batches, 1)
})

test('while the store is down each node enforces the limit, and sends its counts afterwards', async () => {
  const { node, store, totals } = setting()
  const limiter = node()
  store.away = true
  for (let request = 0; request < 4; request += 1) limiter.take([minute('a')])
  await limiter.flush()
  assert.equal(limiter.take([minute('a')])[0]?.admitted, false)
  store.away = false
  await limiter.flush()
  assert.deepEqual([...totals.values()], [3])
})

test('drops counters of past windows, and the oldest ones if there are too many', async () => {
  const { node, time } = setting()
  const limiter = node(2)
  for (const key of ['a', 'b', 'c']) limiter.take([minute(key)])
  assert.equal(limiter.size, 2)
  assert.equal(limiter.take([minute('c')])[0]?.remaining, 1, 'the newest are kept')
  time.now += 60_000
  await limiter.flush()
  assert.equal(limiter.size, 0)
})

test('a window that ends during an exchange does not lose the counts of the next', async () => {
  const { node, time, totals } = setting()
  const limiter = node()
  limiter.take([minute('a')])
  const exchange = limiter.flush()
  time.now += 60_000
  limiter.take([minute('a')])
  await exchange
  await limiter.flush()
  assert.deepEqual([...totals.values()], [1, 1])
})

test('a started limiter sends its counts regularly, and the rest when it stops', async () => {
  const { node, totals, store } = setting()
  const limiter = node()
  limiter.start()
  limiter.take([minute('a')])
  while (store.batches === 0) await new Promise((done) => setTimeout(done, 20))
  limiter.take([minute('a')])
  await limiter.stop()
  assert.deepEqual([...totals.values()], [2])
})

test('without a store, a limiter counts alone and by real time', () => {
  const [standing] = new RateLimiter().take([minute('a')])
  assert.equal(standing?.remaining, 2)
  assert.ok(standing && standing.resetSeconds >= 0 && standing.resetSeconds <= 60)
})
