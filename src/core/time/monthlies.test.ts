import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayText, epochDay } from './days.ts'
import { monthlyExpiries as monthliesOf } from './monthlies.ts'

const monthlyExpiries = (days: string[]) => monthliesOf(days.map(epochDay)).map(dayText)

test('a monthly is the third Friday of its month; weeklies are not monthlies', () => {
  const weeklies = ['2026-07-10', '2026-07-17', '2026-07-24', '2026-08-14', '2026-08-21', '2026-08-28']
  assert.deepEqual(monthlyExpiries(weeklies), ['2026-07-17', '2026-08-21'])
  // The earliest and the latest third Friday there can be.
  const edges = ['2027-01-08', '2027-01-15', '2027-05-14', '2027-05-21', '2027-05-28']
  assert.deepEqual(monthlyExpiries(edges), ['2027-01-15', '2027-05-21'])
})

test('if the third Friday is a holiday, the Thursday before is the monthly', () => {
  // 19 June 2026 is Juneteenth; 17 July is an ordinary Friday.
  assert.deepEqual(monthlyExpiries(['2026-06-12', '2026-06-18', '2026-06-26', '2026-07-16', '2026-07-17']), [
    '2026-06-18',
    '2026-07-17',
  ])
})

test('a month without such a day has no monthly', () => {
  assert.deepEqual(monthlyExpiries(['2026-06-26', '2026-06-30', '2026-07-17']), ['2026-07-17'])
})

test('a root that never expires on third Fridays has the last expiry of each month', () => {
  assert.deepEqual(monthlyExpiries(['2026-06-10', '2026-06-24', '2026-07-08', '2026-07-29']), [
    '2026-06-24',
    '2026-07-29',
  ])
})

test('a root with one expiry a month has only monthlies, even if some happen to be third Fridays', () => {
  const crude = ['2026-06-16', '2026-07-16', '2026-08-17']
  assert.deepEqual(monthlyExpiries(crude), crude)
  assert.deepEqual(monthlyExpiries([]), [])
})
