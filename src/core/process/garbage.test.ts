import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { collectGarbage } from './garbage.ts'

test('collects what nothing refers to, and keeps the rest', async () => {
  const kept = { name: 'kept' }
  const [lost, found] = [new WeakRef({ name: 'lost' }), new WeakRef(kept)]
  // A weak reference holds its object until the end of the turn that made it.
  await nextTurn()

  await collectGarbage()

  assert.equal(lost.deref(), undefined)
  assert.equal(found.deref(), kept)
})
