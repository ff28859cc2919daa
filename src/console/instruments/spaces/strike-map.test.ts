import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeAxis } from '../../shared/time-axis.ts'
import { futuresCurve, placed, priceScale } from './futures-curve.ts'
import { roundSteps, strikeMap, strikePath } from './strike-map.ts'

test('steps are round numbers within the range', () => {
  assert.deepEqual(roundSteps(120, 420, 8), [150, 200, 250, 300, 350, 400])
  assert.deepEqual(roundSteps(59.81, 60.57, 4), [60, 60.2, 60.4])
  assert.deepEqual(roundSteps(0.001, 0.0095, 10), [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009])
  assert.deepEqual(roundSteps(-15, 1, 4), [-15, -10, -5, 0])
  assert.deepEqual(roundSteps(7, 7, 8), [7])
})

test('draws a strike as a dot, and close strikes as a line', () => {
  assert.equal(
    strikePath([10, 30, 20], (strike) => strike, 5, 5),
    'M10 5H10M20 5H20M30 5H30',
  )
  assert.equal(
    strikePath([1, 2, 3, 40, 41], (strike) => strike, 5, 5),
    'M1 5H3M40 5H41',
  )
  assert.equal(
    strikePath([], (strike) => strike, 5, 5),
    '',
  )
})

test('marks the money and the shown expiry, and draws chains with one or no strike', () => {
  const row = { label: '18 Dec', strikes: [100, 150, 200], isShown: true, isMonthly: true }
  const map = strikeMap('What exists', [row], { price: 150, label: 'at the money, 150' }).toString()
  assert.match(map, /class="shown"/)
  assert.match(map, /<line class="money-line" x1="478" x2="478"/)
  assert.match(map, /d="M116 54H116M478 54H478M840 54H840"/)
  const single = strikeMap('One', [{ ...row, strikes: [100], isShown: false }], undefined).toString()
  assert.match(single, /d="M116 54H116"/)
  assert.doesNotMatch(strikeMap('None', [{ ...row, strikes: [] }], undefined).toString(), /NaN|Infinity/)
})

const now = Temporal.Instant.from('2026-11-15T00:00:00Z')
const future = (symbol: string, expiry: string, price?: number) => ({ symbol, expiry, days: 1, price })

test('places contracts in order, with overlapping labels in lanes', () => {
  const axis = timeAxis(now, Temporal.Instant.from('2027-11-15T00:00:00Z'), 0, 365)
  const all = placed([future('CLZ6', '2026-11-25'), future('CLF7', '2026-12-05'), future('CLX7', '2027-11-15')], axis)
  assert.deepEqual(
    all.map(({ x }) => x),
    [10, 20, 365],
  )
  assert.deepEqual(
    all.map(({ dateLane }) => dateLane),
    [0, 1, 0],
  )
})

test('draws a curve from two prices on, even if they are equal', () => {
  assert.equal(priceScale([60], 180), undefined)
  const scale = priceScale([59.9, 60.4], 180)
  assert.ok(scale && scale.y(60.4) < scale.y(59.9))
  assert.deepEqual([priceScale([60, 60], 100)?.y(60), priceScale([0, 0], 100)?.y(0)], [72, 72])
  const flat = futuresCurve(
    'Dates only',
    [future('CLZ6', '2026-11-25'), future('CLF7', '2026-12-21', 60)],
    now.toZonedDateTimeISO('UTC').toPlainDate(),
  )
  assert.doesNotMatch(flat.toString(), /polyline|NaN/)
  const curve = futuresCurve(
    'Curve',
    [future('CLZ6', '2026-11-25', 61), future('CLF7', '2026-12-21', 60)],
    now.toZonedDateTimeISO('UTC').toPlainDate(),
  )
  assert.match(curve.toString(), /<polyline class="curve"/)
})
