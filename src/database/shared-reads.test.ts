import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { SharedReads } from './shared-reads.ts'

/** Reads that wait until they are released, in the order in which they were sent. */
function heldReads(fail: (items: readonly number[]) => unknown = () => undefined) {
  const sent: number[][] = []
  const releases: (() => void)[] = []
  const held = async (items: number[]) => {
    sent.push(items)
    await new Promise<void>((resolve) => releases.push(resolve))
    const error = fail(items)
    if (error) throw error
    return items.map((item) => item * 10)
  }
  const shared = new SharedReads<number, number>({
    alone: async (item) => (await held([item]))[0] as number,
    together: held,
  })
  const releaseAll = async () => {
    await setImmediate()
    while (releases.length > 0) {
      for (const release of releases.splice(0)) release()
      await setImmediate()
    }
  }
  return { shared, sent, releaseAll }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('a single read is sent alone', async () => {
  const { shared, sent, releaseAll } = heldReads()
  const read = shared.read(7)
  await releaseAll()
  assert.equal(await read, 70)
  assert.deepEqual(sent, [[7]])
})

test('concurrent reads share at most four statements at a time, of at most eight each, and each gets its own result', async () => {
  const { shared, sent, releaseAll } = heldReads()
  const reads = upTo(40).map((item) => shared.read(item))
  await setImmediate()
  assert.deepEqual(
    sent.map((items) => items.length),
    [8, 8, 8, 8],
  )
  await releaseAll()
  assert.deepEqual(
    await Promise.all(reads),
    upTo(40).map((item) => item * 10),
  )
  assert.deepEqual(sent.flat(), upTo(40))
})

test('what arrives while four statements run waits and is read together', async () => {
  const { shared, sent, releaseAll } = heldReads()
  const first = upTo(4).map((item) => shared.read(item))
  await setImmediate()
  const later = [5, 6, 7].map((item) => shared.read(item))
  await setImmediate()
  assert.deepEqual(sent, [[1], [2], [3], [4]])
  await releaseAll()
  assert.deepEqual(await Promise.all([...first, ...later]), [10, 20, 30, 40, 50, 60, 70])
  assert.deepEqual(sent.slice(4).flat(), [5, 6, 7])
  assert.ok(sent.length < 7)
})

for (const [name, error] of [
  ['fails', new Error('division by zero')],
  ['takes too long', Object.assign(new Error('canceled'), { code: '57014' })],
] as const)
  test(`an item that ${name} harms no other item of its batch`, async () => {
    const { shared, releaseAll } = heldReads((items) => (items.includes(3) ? error : undefined))
    const reads = Promise.allSettled(upTo(8).map((item) => shared.read(item)))
    await releaseAll()
    const settled = await reads
    assert.deepEqual(
      settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason)),
      [10, 20, error, 40, 50, 60, 70, 80],
    )
  })

test('in an outage the items of a batch are not tried again one by one', async () => {
  const outage = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const { shared, sent, releaseAll } = heldReads(() => outage)
  const reads = Promise.allSettled(upTo(8).map((item) => shared.read(item)))
  await releaseAll()
  assert.ok((await reads).every((each) => each.status === 'rejected' && each.reason === outage))
  assert.deepEqual(sent, [
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
  ])
})
