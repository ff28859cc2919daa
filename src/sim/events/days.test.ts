import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tradingDays } from './days.ts'

const offsets = [-2, -1, 0, 1, 2]
const around = (today: string, ...holidays: string[]): string[] => {
  const days = tradingDays(Temporal.PlainDate.from(today), new Set(holidays))
  return offsets.map((offset) => days(offset).toString())
}

test('a trading day is counted from itself', () => {
  assert.deepEqual(around('2026-11-18'), ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'])
})

test('a weekend is counted from the Monday after it, and back from the Friday before', () => {
  for (const today of ['2026-11-14', '2026-11-15'])
    assert.deepEqual(around(today), ['2026-11-11', '2026-11-12', '2026-11-16', '2026-11-17', '2026-11-18'])
})

test('holidays are left out, the day itself too', () => {
  assert.deepEqual(around('2026-11-18', '2026-11-18', '2026-11-20'), [
    '2026-11-13',
    '2026-11-16',
    '2026-11-19',
    '2026-11-23',
    '2026-11-24',
  ])
})
