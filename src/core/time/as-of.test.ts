import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../problem.ts'
import { parseAsOf } from './as-of.ts'

test('reads an instant with any offset, or a revision', () => {
  assert.deepEqual(parseAsOf('17'), { revision: 17 })
  for (const text of ['2026-12-31T17:30:00Z', '2026-12-31T18:30:00.000000+01:00'])
    assert.deepEqual(parseAsOf(text), { at: Temporal.Instant.from('2026-12-31T17:30:00Z') })
})

const otherYears = ['0001-01-01T00:00:00+01:00', '9999-12-31T23:30:00-01:00']

test('says what to send instead of anything else', () => {
  for (const text of [
    'yesterday',
    '2026-12-31',
    '2026-12-31T18:30:00 01:00',
    '-1',
    '1.5',
    '1e3',
    '9'.repeat(16),
    ...otherYears,
  ])
    assert.throws(
      () => parseAsOf(text),
      (error) => error instanceof Problem && /Must be an instant such as/.test(error.modelState?.AsOf?.[0] ?? ''),
      text,
    )
})
