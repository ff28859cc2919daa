import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanes, textWidth, timeAxis } from './time-axis.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const labels = (from: string, to: string, right = 700) =>
  timeAxis(at(from), at(to), 0, right).ticks.map(({ label }) => label)

test('positions are proportional and clamped to the ends of the axis', () => {
  const { x } = timeAxis(at('2026-11-16T00:00:00Z'), at('2026-11-17T00:00:00Z'), 100, 200)
  assert.deepEqual(
    ['2026-11-15T00:00:00Z', '2026-11-16T06:00:00Z', '2026-11-16T12:00:00Z', '2030-01-01T00:00:00Z'].map((text) =>
      x(at(text)),
    ),
    [100, 125, 150, 200],
  )
  const instant = at('2026-11-16T00:00:00Z')
  assert.equal(timeAxis(instant, instant, 0, 10).x(instant), 0)
})

test('ticks are days, Mondays, months or years, as many as have room for their labels', () => {
  assert.deepEqual(labels('2026-11-16T12:00:00Z', '2026-11-20T00:00:00Z'), ['17 Nov', '18 Nov', '19 Nov', '20 Nov'])
  assert.deepEqual(labels('2026-11-18T00:00:00Z', '2026-12-18T00:00:00Z', 350), ['23 Nov', '30 Nov', '7 Dec', '14 Dec'])
  assert.deepEqual(labels('2026-11-16T00:00:00Z', '2027-11-16T00:00:00Z', 500), [
    '2027',
    'Mar',
    'May',
    'Jul',
    'Sep',
    'Nov',
  ])
  assert.deepEqual(labels('2026-11-16T00:00:00Z', '2033-06-01T00:00:00Z'), [
    '2027',
    '2028',
    '2029',
    '2030',
    '2031',
    '2032',
    '2033',
  ])
  for (const right of [140, 400, 900])
    for (const to of ['2026-11-17', '2026-12-24', '2027-12-24', '2040-01-01', '2200-01-01']) {
      const { ticks } = timeAxis(at('2026-11-16T00:00:00Z'), at(`${to}T00:00:00Z`), 0, right)
      assert.ok(ticks.length <= Math.max(right / 70, 2) + 1, `${ticks.length} ticks in ${right} px until ${to}`)
      for (const { x } of ticks) assert.ok(x >= 0 && x <= right)
    }
})

test('overlapping labels get different lanes, others share one', () => {
  assert.deepEqual(
    lanes([
      { x: 0, width: 20 },
      { x: 10, width: 20 },
      { x: 30, width: 20 },
      { x: 15, width: 20 },
    ]),
    [0, 1, 0, 2],
  )
  assert.deepEqual(lanes([]), [])
  assert.equal(textWidth('18 Dec'), 50)
})
