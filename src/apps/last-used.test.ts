import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LastUsed } from './last-used.ts'
import type { SecretUse } from './store/last-used.ts'

const at = (minute: number) => Temporal.Instant.from('2026-11-16T09:00:00Z').add({ minutes: minute })
const secret = (SecretId: number) => ({ SecretId, sha256: Buffer.alloc(32, SecretId) })

/** A store that remembers what it was asked to write, and can be away or leave some for later. */
function setting(most?: number) {
  const store = { batches: [] as [number, string][][], away: false, held: [] as number[], meanwhile: () => {} }
  const said: string[] = []
  const log = {
    warn: (_: object, text: string) => void said.push(text),
    info: (_: object, text: string) => void said.push(text),
  }
  const write = async (uses: readonly SecretUse[]) => {
    if (store.away) throw new Error('away')
    store.batches.push(uses.map(({ secretId, at }) => [secretId, at.toString()]))
    store.meanwhile()
    return store.held
  }
  const lastUsed = new LastUsed(write, most === undefined ? {} : { most })
  lastUsed.start(log)
  return { store, said, lastUsed }
}

test('many uses become one write, with the last time of each', async () => {
  const { store, lastUsed } = setting()
  for (const minute of [0, 1, 2]) for (const id of [1, 2]) lastUsed.note(secret(id), at(minute))
  await lastUsed.stop()
  await lastUsed.flush()
  assert.deepEqual(store.batches, [
    [
      [1, at(2).toString()],
      [2, at(2).toString()],
    ],
  ])
})

test('what could not be written is written the next time, and an outage is told once', async () => {
  const { store, said, lastUsed } = setting()
  lastUsed.note(secret(1), at(0))
  store.away = true
  await lastUsed.flush()
  await lastUsed.flush()
  store.away = false
  await lastUsed.stop()
  assert.deepEqual(store.batches, [[[1, at(0).toString()]]])
  assert.deepEqual(said, ['the use of secrets cannot be noted; trying again', 'the use of secrets is noted again'])
})

test('a use during a write and a secret that was held stay for the next one', async () => {
  const { store, lastUsed } = setting()
  for (const id of [1, 2, 3]) lastUsed.note(secret(id), at(0))
  store.held = [3]
  store.meanwhile = () => lastUsed.note(secret(1), at(1))
  await lastUsed.flush()
  Object.assign(store, { held: [], meanwhile: () => {} })
  await lastUsed.stop()
  assert.deepEqual(store.batches[1], [
    [3, at(0).toString()],
    [1, at(1).toString()],
  ])
  assert.equal(lastUsed.size, 0)
})

test('beyond its bound the secrets used longest ago are forgotten', async () => {
  const { store, lastUsed } = setting(2)
  for (const id of [1, 2, 1, 3]) lastUsed.note(secret(id), at(id))
  await lastUsed.stop()
  assert.deepEqual(
    store.batches[0]?.map(([id]) => id),
    [1, 3],
  )
})
