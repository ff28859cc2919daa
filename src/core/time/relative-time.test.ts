import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relativeTime } from './relative-time.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

test('a relative time is rounded to the nearest of a unit that keeps it near', () => {
  for (const [milliseconds, text] of [
    [0, 'now'],
    [-59_999, 'now'],
    [minute, 'in 1 minute'],
    [-4 * minute, '4 minutes ago'],
    [89.4 * minute, 'in 89 minutes'],
    [89.6 * minute, 'in 1 hour'],
    [hour + 58 * minute, 'in 2 hours'],
    [2 * hour + 20 * minute, 'in 2 hours'],
    [36 * hour, 'in 36 hours'],
    [47.6 * hour, 'in 2 days'],
    [-3 * day + minute, '3 days ago'],
    [44 * day, 'in 44 days'],
    [65 * day, 'in 2 months'],
    [359 * day, 'in 12 months'],
    [-800 * day, '2 years ago'],
  ] as const)
    assert.equal(relativeTime(milliseconds), text, String(milliseconds))
  assert.equal(relativeTime(65 * day, 'day'), 'in 65 days')
})
