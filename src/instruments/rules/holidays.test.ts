import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysWithin, findAnyCase } from './holidays.ts'

const days = ['2026-12-25', '2026-01-01', '2027-01-01', '2026-12-25'].map((day, at) => ({ Date: day, at }))
const dates = (from?: string, to?: string) => daysWithin(days, from, to).map(({ Date: day }) => day)

test('days come in their order, those of the same date as they stand', () => {
  assert.deepEqual(
    daysWithin(days).map(({ at }) => at),
    [1, 0, 3, 2],
  )
})

test('a period has its first and its last day, and may be open at either side', () => {
  assert.deepEqual(dates('2026-12-25', '2026-12-25'), ['2026-12-25', '2026-12-25'])
  assert.deepEqual(dates('2026-12-26'), ['2027-01-01'])
  assert.deepEqual(dates(undefined, '2026-12-24'), ['2026-01-01'])
})

test('an id is found in any case, and as it is spelled where there are two', () => {
  const all = new Map([
    ['Lse', 1],
    ['LSE', 2],
  ])
  assert.deepEqual(
    ['LSE', 'Lse', 'lse', 'XLSE'].map((id) => findAnyCase(all, id)),
    [2, 1, 1, undefined],
  )
})
