import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionState } from './probe.ts'
import { StalledCopies, stalledMs } from './stalled-copies.ts'

const reading: SessionState = { state: 'active', isReading: true, copied: 65_536 }

/** Whether each of several looks, as far apart as a COPY may take, finds the COPY stalled. */
function looks(...seen: [bytesMoved: number, session: SessionState | 'ended' | undefined][]): boolean[] {
  const copies = new StalledCopies()
  const client = { bytesMoved: 0 }
  return seen.map(([bytesMoved, session], look) => {
    client.bytesMoved = bytesMoved
    return copies.has(client, session, look * (stalledMs + 1))
  })
}

test('a COPY is stalled if PostgreSQL waits for its data and nothing moves', () => {
  assert.deepEqual(looks([10, reading], [10, reading]), [false, true])
})

test('a COPY is stalled if its session has ended and nothing moves', () => {
  assert.deepEqual(looks([10, 'ended'], [10, 'ended']), [false, true])
  assert.deepEqual(looks([10, 'ended'], [20, 'ended']), [false, false])
})

test('a COPY is not stalled as long as data is sent, or arrives at PostgreSQL', () => {
  assert.deepEqual(looks([10, reading], [20, reading], [30, reading]), [false, false, false])
  assert.deepEqual(looks([10, reading], [10, { ...reading, copied: 131_072 }]), [false, false])
})

test('a COPY is not stalled while PostgreSQL works, or if nothing is known of it', () => {
  const working = { ...reading, isReading: false }
  assert.deepEqual(looks([10, working], [10, working]), [false, false])
  assert.deepEqual(looks([10, undefined], [10, undefined]), [false, false])
  assert.deepEqual(looks([10, reading], [10, working], [10, reading]), [false, false, false])
})
