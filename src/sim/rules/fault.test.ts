import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fault, faultFaults, isSpared, strikes } from './fault.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const endsAt = now.add({ seconds: 1 })
const fault: Fault = { appKey: 'app', kind: 'Slow', percent: 100, delaySeconds: 1, group: undefined, endsAt }

test('a fault strikes every call until its end, to the instant', () => {
  assert.ok(strikes(fault, 'ref', now, 0.999999))
  assert.ok(strikes(fault, 'ref', endsAt.subtract({ nanoseconds: 1 }), 0))
  assert.ok(!strikes(fault, 'ref', endsAt, 0))
})

test('a fault of a group strikes its calls alone', () => {
  assert.ok(strikes({ ...fault, group: 'ca' }, 'ca', now, 0))
  assert.ok(!strikes({ ...fault, group: 'ca' }, 'ref', now, 0))
})

test('a fault of some percent strikes so many', () => {
  const struck = (percent: number) =>
    Array.from({ length: 100 }, (_, index) => index / 100).filter((chance) =>
      strikes({ ...fault, percent }, 'x', now, chance),
    )
  assert.deepEqual(
    [1, 30, 99, 100].map((percent) => struck(percent).length),
    [1, 30, 99, 100],
  )
})

test('what takes faults away is never struck', () => {
  for (const path of ['/x/v1/faults', '/x/v1/faults/:AppKey', '/x/v1/clock', '/x/v1/reset'])
    assert.ok(isSpared(path), path)
  for (const path of ['/x/v1/sessions', '/x/v1/clocks', '/ref/v1/clock', '']) assert.ok(!isSpared(path), path)
})

test('only a slow answer has a delay', () => {
  assert.deepEqual(faultFaults({ Kind: 'Slow', DelaySeconds: 1 }), {})
  assert.deepEqual(faultFaults({ Kind: 'Dropped' }), {})
  assert.deepEqual(Object.keys(faultFaults({ Kind: 'Dropped', DelaySeconds: 1 })), ['DelaySeconds'])
})
