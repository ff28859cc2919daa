import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from './time-text.ts'

test('reads times, days, steps, freeze and run, and nothing else', () => {
  assert.deepEqual(parseTime('+3d'), { AdvanceSeconds: 259_200 })
  assert.deepEqual(parseTime('-90m'), { AdvanceSeconds: -5_400 })
  assert.deepEqual(parseTime('freeze'), { Frozen: true })
  assert.deepEqual(parseTime('run'), { Frozen: false })
  assert.equal(parseTime('2026-12-18')?.Now?.toString(), '2026-12-18T00:00:00Z')
  assert.equal(parseTime('2026-12-18T12:00:00+01:00')?.Now?.toString(), '2026-12-18T11:00:00Z')
  for (const text of ['3d', '+3w', '2026-12-18T12:00:00', '2026-13-01', '2026-02-30T00:00:00Z', 'tomorrow', ''])
    assert.equal(parseTime(text), undefined, text)
})
