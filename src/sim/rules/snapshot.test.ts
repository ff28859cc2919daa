import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyShift, realTime } from '../../core/clock.ts'
import { maxBytes, maxSnapshots, refuseRestore, refuseSave, restoredShift, savedTime } from './snapshot.ts'

const [saved, later] = ['2026-11-16T12:00:00Z', '2026-11-18T12:00:00Z'].map((text) => Temporal.Instant.from(text)) as [
  Temporal.Instant,
  Temporal.Instant,
]

test('at most 20 snapshots, each of limited data; replacing one is always possible', () => {
  const bytes = maxBytes
  assert.equal(refuseSave({ count: maxSnapshots - 1, bytes, isReplaced: false }), undefined)
  assert.match(refuseSave({ count: maxSnapshots, bytes, isReplaced: false }) ?? '', /^There are 20 snapshots/)
  assert.equal(refuseSave({ count: maxSnapshots, bytes, isReplaced: true }), undefined)
  const tooLarge = refuseSave({ count: 0, bytes: maxBytes + 1, isReplaced: false })
  assert.equal(tooLarge, 'The data takes 257 MiB. A snapshot can be saved of up to 256 MiB.')
})

test('a snapshot of another version is not restored', () => {
  assert.equal(refuseRestore({ name: 'a', isCurrent: true }), undefined)
  assert.match(refuseRestore({ name: 'a', isCurrent: false }) ?? '', /^Snapshot a was saved by another version/)
})

test('the clock goes on from the saved time, or stands still at it', () => {
  const running = restoredShift(savedTime(realTime, saved), later)
  assert.equal(applyShift(running, later).toString(), saved.toString())
  assert.equal(applyShift(running, later.add({ hours: 1 })).toString(), saved.add({ hours: 1 }).toString())
  const frozen = restoredShift(savedTime({ offsetMicroseconds: 0, frozenAt: saved }, later), later)
  assert.equal(applyShift(frozen, later.add({ hours: 1 })).toString(), saved.toString())
})
