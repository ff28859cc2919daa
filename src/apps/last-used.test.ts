import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LastUsed } from './last-used.ts'
import type { SecretUse } from './store/last-used.ts'

const at = (minute: number) => Date.UTC(2026, 10, 16, 9, minute)
const secret = (id: number) => ({ id, sha256: Buffer.alloc(32, id) })

/** A store that records writes, can be unavailable, and can leave secrets for later. */
function setup(max?: number) {
  const store = { batches: [] as [number, number][][], isDown: false, locked: [] as number[], meanwhile: () => {} }
  const logged: string[] = []
  const log = {
    warn: (_: object, text: string) => void logged.push(text),
    info: (_: object, text: string) => void logged.push(text),
  }
  const write = async (uses: readonly SecretUse[]) => {
    if (store.isDown) throw new Error('down')
    store.batches.push(uses.map(({ secretId, atMs }) => [secretId, atMs]))
    store.meanwhile()
    return store.locked
  }
  const lastUsed = new LastUsed(write, max)
  lastUsed.start(log)
  return { store, logged, lastUsed }
}

test('many uses become one write with the latest time of each secret', async () => {
  const { store, lastUsed } = setup()
  for (const minute of [0, 1, 2]) for (const id of [1, 2]) lastUsed.record(secret(id), at(minute))
  await lastUsed.stop()
  await lastUsed.flush()
  assert.deepEqual(store.batches, [
    [
      [2, at(2)],
      [1, at(2)],
    ],
  ])
})

test('uses that could not be written are written later, and an outage is logged once', async () => {
  const { store, logged, lastUsed } = setup()
  lastUsed.record(secret(1), at(0))
  store.isDown = true
  await lastUsed.flush()
  await lastUsed.flush()
  store.isDown = false
  await lastUsed.stop()
  assert.deepEqual(store.batches, [[[1, at(0)]]])
  assert.deepEqual(logged, ['cannot record the use of secrets; will retry', 'recording the use of secrets again'])
})

test('a use during a write and a locked secret stay for the next write', async () => {
  const { store, lastUsed } = setup()
  for (const id of [1, 2, 3]) lastUsed.record(secret(id), at(0))
  store.locked = [3]
  store.meanwhile = () => lastUsed.record(secret(1), at(1))
  await lastUsed.flush()
  Object.assign(store, { locked: [], meanwhile: () => {} })
  await lastUsed.stop()
  assert.deepEqual(store.batches[1]?.toSorted(), [
    [1, at(1)],
    [3, at(0)],
  ])
  await lastUsed.flush()
  assert.equal(store.batches.length, 2)
})

test('above the limit the least recently used secrets are dropped', async () => {
  const { store, lastUsed } = setup(2)
  for (const id of [1, 2, 1, 3]) lastUsed.record(secret(id), at(id))
  await lastUsed.stop()
  assert.deepEqual(store.batches[0]?.map(([id]) => id).toSorted(), [1, 3])
})
