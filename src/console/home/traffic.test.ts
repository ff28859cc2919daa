import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateText, sparkline, trafficOf } from './traffic.ts'

const now = Temporal.Instant.from('2026-11-16T12:00:00Z')
const ago = (...seconds: number[]) => seconds.map((age) => now.subtract({ milliseconds: age * 1_000 }))

test('counts the requests of the last minute, the newest last', () => {
  const { perSecond, parts } = trafficOf(ago(0, 1, 2, 58, 61, 300), now, true)
  assert.equal(perSecond, 4 / 60)
  assert.deepEqual([parts.length, parts.at(-1), parts[0], parts[5]], [20, 1, 1 / 3, 0])
})

test('a full page that is younger than a minute counts for the time that it covers', () => {
  assert.equal(trafficOf(ago(0, 1, 2, 3, 4), now, false).perSecond, 1.25)
  assert.equal(trafficOf(ago(0, 1, 2, 3, 4, 70), now, false).perSecond, 5 / 60)
  assert.equal(trafficOf([], now, true).perSecond, 0)
})

test('rates are short, and no request is not the same as few', () => {
  assert.deepEqual([0, 0.01, 0.25, 9.96, 12.4].map(rateText), ['0', '0.1', '0.3', '10.0', '12'])
  assert.match(String(sparkline(trafficOf(ago(0), now, true))), /points="0,26 .* 200,18"/)
})
