import assert from 'node:assert/strict'
import { test } from 'node:test'
import { affects, checkFault, type Fault, isExempt } from './fault.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const endsAt = now.add({ seconds: 1 })
const fault: Fault = { appKey: 'app', kind: 'Slow', percent: 100, delaySeconds: 1, group: undefined, endsAt }

test('a fault affects every request until the instant it ends', () => {
  assert.ok(affects(fault, 'ref', now, 0.999999))
  assert.ok(affects(fault, 'ref', endsAt.subtract({ nanoseconds: 1 }), 0))
  assert.ok(!affects(fault, 'ref', endsAt, 0))
})

test('a fault of a service group affects only its requests', () => {
  assert.ok(affects({ ...fault, group: 'ca' }, 'ca', now, 0))
  assert.ok(!affects({ ...fault, group: 'ca' }, 'ref', now, 0))
})

test('a fault affects its percentage of requests', () => {
  const affected = (percent: number) =>
    Array.from({ length: 100 }, (_, index) => index / 100).filter((chance) =>
      affects({ ...fault, percent }, 'x', now, chance),
    )
  assert.deepEqual(
    [1, 30, 99, 100].map((percent) => affected(percent).length),
    [1, 30, 99, 100],
  )
})

test('operations that remove faults are never affected', () => {
  for (const path of ['/x/v1/faults', '/x/v1/faults/:AppKey', '/x/v1/clock', '/x/v1/reset'])
    assert.ok(isExempt(path), path)
  for (const path of ['/x/v1/sessions', '/x/v1/clocks', '/ref/v1/clock', '']) assert.ok(!isExempt(path), path)
})

test('rejects a delay for any kind but Slow', () => {
  assert.deepEqual(checkFault({ Kind: 'Slow', DelaySeconds: 1 }), {})
  assert.deepEqual(checkFault({ Kind: 'Dropped' }), {})
  assert.deepEqual(Object.keys(checkFault({ Kind: 'Dropped', DelaySeconds: 1 })), ['DelaySeconds'])
})
