import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { activeDays, isDueForRotation, type KeyTimes, keyStates, retiringSeconds } from './signing-keys.ts'

const start = Temporal.Instant.from('2026-01-01T00:00:00Z')
const at = (seconds: number): Temporal.Instant => start.add({ seconds })
const aMoment = { nanoseconds: 1 }

const states = (keys: KeyTimes[], now: Temporal.Instant) => Object.fromEntries(keyStates(keys, now))

const old: KeyTimes = { kid: 'old', activeFrom: at(0) }
const present: KeyTimes = { kid: 'present', activeFrom: at(1_000_000) }
const planned: KeyTimes = { kid: 'planned', activeFrom: at(2_000_000) }
const waiting: KeyTimes = { kid: 'waiting', activeFrom: undefined }

test('without keys there are no states', () => {
  assert.deepEqual(states([], start), {})
})

test('the latest key that has begun is active, whatever the order of the keys', () => {
  const expected = { old: 'retiring', present: 'active', planned: 'next', waiting: 'next' }
  const now = at(1_000_001)
  assert.deepEqual(states([old, present, planned, waiting], now), expected)
  assert.deepEqual(states([waiting, planned, present, old], now), expected)
})

test('a key without a beginning never signs', () => {
  assert.deepEqual(states([waiting], at(10_000_000)), { waiting: 'next' })
})

test('a key takes over at the very instant at which it begins', () => {
  const begins = at(1_000_000)
  assert.deepEqual(states([old, present], begins.subtract(aMoment)), { old: 'active', present: 'next' })
  assert.deepEqual(states([old, present], begins), { old: 'retiring', present: 'active' })
})

test('a retired key verifies as long as a token that it signed can live, and is gone then', () => {
  const ends = at(1_000_000 + retiringSeconds)
  assert.ok(retiringSeconds > 86_400)
  assert.equal(states([old, present], ends.subtract(aMoment)).old, 'retiring')
  assert.equal(states([old, present], ends).old, 'gone')
})

test('a key retires when its own successor begins, not when the newest one does', () => {
  const now = planned.activeFrom?.add({ seconds: 1 }) ?? start
  assert.deepEqual(states([old, present, planned], now), { old: 'gone', present: 'retiring', planned: 'active' })
})

test('an active key stays active however long no successor begins', () => {
  assert.deepEqual(states([old, waiting], at(1_000_000_000)), { old: 'active', waiting: 'next' })
})

test('exactly one is active: the latest that has begun, or by a clock that is behind the first to begin', () => {
  const beginnings = fc.uniqueArray(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(beginnings, fc.integer({ min: 0, max: 400_000 }), (froms, now) => {
      const keys = froms.map((from) => ({ kid: String(from), activeFrom: at(from) }))
      const begun = froms.filter((from) => from <= now)
      const active = [...keyStates(keys, at(now))].flatMap(([kid, state]) => (state === 'active' ? [kid] : []))
      assert.deepEqual(active, [String(begun.length === 0 ? Math.min(...froms) : Math.max(...begun))])
    }),
  )
})

test('a key is due for rotation after exactly 90 days', () => {
  assert.equal(activeDays, 90)
  const due = Temporal.Instant.from('2026-04-01T00:00:00Z')
  assert.equal(isDueForRotation(start, start), false)
  assert.equal(isDueForRotation(start, due.subtract(aMoment)), false)
  assert.equal(isDueForRotation(start, due), true)
  assert.equal(isDueForRotation(start, due.add(aMoment)), true)
})
