import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyShift, realTime, type TimeShift } from '../../core/clock.ts'
import { type ClockChange, changedShift, checkClockChange, describeClock } from './clock-change.ts'

const real = Temporal.Instant.from('2026-11-16T12:00:00.000001Z')
const at = (text: string) => Temporal.Instant.from(text)
const hour: TimeShift = { offsetMicroseconds: 3_600e6, frozenAt: undefined }
const frozen: TimeShift = { offsetMicroseconds: 0, frozenAt: at('2030-01-01T00:00:00Z') }

/** The time after each change, and ten real seconds later. */
const changes: [name: string, from: TimeShift, change: ClockChange, then: string, later: string][] = [
  ['set', realTime, { Now: at('2027-01-01T00:00:00Z') }, '2027-01-01T00:00:00Z', '2027-01-01T00:00:10Z'],
  ['set back', hour, { Now: at('1990-01-01T00:00:00Z') }, '1990-01-01T00:00:00Z', '1990-01-01T00:00:10Z'],
  ['advanced', hour, { AdvanceSeconds: 60 }, '2026-11-16T13:01:00.000001Z', '2026-11-16T13:01:10.000001Z'],
  ['moved back', hour, { AdvanceSeconds: -3_600.000001 }, '2026-11-16T12:00:00Z', '2026-11-16T12:00:10Z'],
  ['frozen', hour, { Frozen: true }, '2026-11-16T13:00:00.000001Z', '2026-11-16T13:00:00.000001Z'],
  [
    'set and frozen',
    hour,
    { Now: at('2027-01-01T00:00:00Z'), Frozen: true },
    '2027-01-01T00:00:00Z',
    '2027-01-01T00:00:00Z',
  ],
  ['frozen and set', frozen, { Now: at('2027-01-01T00:00:00Z') }, '2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['frozen and advanced', frozen, { AdvanceSeconds: 1.5 }, '2030-01-01T00:00:01.5Z', '2030-01-01T00:00:01.5Z'],
  ['started', frozen, { Frozen: false }, '2030-01-01T00:00:00Z', '2030-01-01T00:00:10Z'],
  [
    'started and advanced',
    frozen,
    { Frozen: false, AdvanceSeconds: 5 },
    '2030-01-01T00:00:05Z',
    '2030-01-01T00:00:15Z',
  ],
  ['running and started', hour, { Frozen: false }, '2026-11-16T13:00:00.000001Z', '2026-11-16T13:00:10.000001Z'],
]

for (const [name, from, change, then, later] of changes)
  test(`a clock is ${name}`, () => {
    assert.deepEqual(checkClockChange(change, from, real), {})
    const shift = changedShift(change, from, real)
    const times = [real, real.add({ seconds: 10 })].map((moment) => applyShift(shift, moment).toString())
    assert.deepEqual(times, [then, later])
  })

const rejected: [change: ClockChange, field: string, sentence: RegExp][] = [
  [{}, 'Body', /at least one of/],
  [{ Now: real, AdvanceSeconds: 0 }, 'AdvanceSeconds', /not both/],
  [{ Now: at('1989-12-31T23:59:59.999999Z') }, 'Now', /1990-01-01T00:00:00Z to 2100-01-01T00:00:00Z/],
  [{ Now: at('2100-01-01T00:00:00.000001Z') }, 'Now', /2100/],
  [{ AdvanceSeconds: 4e9 }, 'AdvanceSeconds', /2100/],
]

test('rejects a change without a time, with two times, or too far away, by its field', () => {
  for (const [change, field, sentence] of rejected) {
    const errors = checkClockChange(change, realTime, real)
    assert.deepEqual(Object.keys(errors), [field])
    assert.match(errors[field]?.join() ?? '', sentence)
  }
})

test('a clock that has run past the limit can still be stopped, started and set', () => {
  const beyond: TimeShift = { offsetMicroseconds: 90 * 366 * 86_400e6, frozenAt: undefined }
  for (const change of [{ Frozen: true }, { Frozen: false }, { Now: real }])
    assert.deepEqual(checkClockChange(change, beyond, real), {})
})

test('describes the clock', () => {
  const facts = (shift: TimeShift) => {
    const { now, ...rest } = describeClock(shift, real)
    return { now: now.toString(), ...rest }
  }
  const now = real.toString()
  assert.deepEqual(facts(realTime), { now, isFrozen: false, offsetSeconds: 0, isTravelled: false })
  const anHourOn = '2026-11-16T13:00:00.000001Z'
  assert.deepEqual(facts(hour), { now: anHourOn, isFrozen: false, offsetSeconds: 3_600, isTravelled: true })
  const still: TimeShift = { offsetMicroseconds: 0, frozenAt: real.subtract({ seconds: 2 }) }
  const twoBack = '2026-11-16T11:59:58.000001Z'
  assert.deepEqual(facts(still), { now: twoBack, isFrozen: true, offsetSeconds: -2, isTravelled: true })
  const stopped: TimeShift = { offsetMicroseconds: 0, frozenAt: real }
  assert.deepEqual(facts(stopped), { now, isFrozen: true, offsetSeconds: 0, isTravelled: true })
})
