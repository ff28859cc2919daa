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
const waiting: KeyTimes = { kid: 'waiting', activeFrom: null }

test('without keys there are no states', () => {
  assert.deepEqual(states([], start), {})
})

test('the latest started key is active, in whatever order the keys are', () => {
  const expected = { old: 'retiring', present: 'active', planned: 'next', waiting: 'next' }
  const now = at(1_000_001)
  assert.deepEqual(states([old, present, planned, waiting], now), expected)
  assert.deepEqual(states([waiting, planned, present, old], now), expected)
})

test('a key without a start never signs', () => {
  assert.deepEqual(states([waiting], at(10_000_000)), { waiting: 'next' })
})

test('a key takes over exactly when it starts', () => {
  const takeover = at(1_000_000)
  assert.deepEqual(states([old, present], takeover.subtract(aMoment)), { old: 'active', present: 'next' })
  assert.deepEqual(states([old, present], takeover), { old: 'retiring', present: 'active' })
})

test('a retired key verifies until the last token it signed has expired', () => {
  const ends = at(1_000_000 + retiringSeconds)
  assert.ok(retiringSeconds > 86_400)
  assert.equal(states([old, present], ends.subtract(aMoment)).old, 'retiring')
  assert.equal(states([old, present], ends).old, 'gone')
})

test('a key retires when its own successor starts, not the newest key', () => {
  const now = planned.activeFrom?.add({ seconds: 1 }) ?? start
  assert.deepEqual(states([old, present, planned], now), { old: 'gone', present: 'retiring', planned: 'active' })
})

test('an active key stays active until a successor starts', () => {
  assert.deepEqual(states([old, waiting], at(1_000_000_000)), { old: 'active', waiting: 'next' })
})

test('exactly one key is active: the latest started, or the first if the clock is behind', () => {
  const starts = fc.uniqueArray(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(starts, fc.integer({ min: 0, max: 400_000 }), (froms, now) => {
      const keys = froms.map((from) => ({ kid: String(from), activeFrom: at(from) }))
      const started = froms.filter((from) => from <= now)
      const active = [...keyStates(keys, at(now))].flatMap(([kid, state]) => (state === 'active' ? [kid] : []))
      assert.deepEqual(active, [String(started.length === 0 ? Math.min(...froms) : Math.max(...started))])
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
