import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysWithin, findAnyCase } from './holidays.ts'

const days = ['2026-12-25', '2026-01-01', '2027-01-01', '2026-12-25'].map((day, at) => ({ Date: day, at }))
const dates = (from?: string, to?: string) => daysWithin(days, from, to).map(({ Date: day }) => day)

test('sorts days by date, keeping the order of equal dates', () => {
  assert.deepEqual(
    daysWithin(days).map(({ at }) => at),
    [1, 0, 3, 2],
  )
})

test('a period includes both ends, which are optional', () => {
  assert.deepEqual(dates('2026-12-25', '2026-12-25'), ['2026-12-25', '2026-12-25'])
  assert.deepEqual(dates('2026-12-26'), ['2027-01-01'])
  assert.deepEqual(dates(undefined, '2026-12-24'), ['2026-01-01'])
})

test('finds an id in any case; an exact match wins', () => {
  const all = new Map([
    ['Lse', 1],
    ['LSE', 2],
  ])
  assert.deepEqual(
    ['LSE', 'Lse', 'lse', 'XLSE'].map((id) => findAnyCase(all, id)),
    [2, 1, 1, undefined],
  )
})
