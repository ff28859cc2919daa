import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../../test/support/clock.ts'
import { isoMilliseconds, realTime, systemClock, TravelClock } from './clock.ts'

test('milliseconds and instants are the same time, also after a travel', () => {
  const real = new FixedClock('2026-03-01T12:00:00.123456Z')
  const clock = new TravelClock(real)
  const frozenAt = Temporal.Instant.from('1969-12-31T23:59:59.9995Z')
  for (const shift of [
    realTime,
    { offsetMicroseconds: 3_600_000_700, frozenAt: undefined },
    { offsetMicroseconds: -1_999_999, frozenAt: undefined },
    { offsetMicroseconds: 0, frozenAt },
  ]) {
    clock.travel(shift)
    assert.equal(clock.nowMs(), clock.now().epochMilliseconds)
    real.advance(1)
    assert.equal(clock.nowMs(), clock.now().epochMilliseconds)
  }
})

test('the system clock counts milliseconds since 1970', () => {
  const before = systemClock.now().epochMilliseconds
  const between = systemClock.nowMs()
  assert.ok(before <= between && between <= systemClock.now().epochMilliseconds)
})

test('milliseconds are written as an instant with three digits', () => {
  for (const ms of [0, 1, 999, 1_000, 1_772_366_400_007, 1_772_366_400_070, 1_772_366_399_999, -1, -1_000])
    assert.equal(
      isoMilliseconds(ms),
      Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 }),
    )
})
