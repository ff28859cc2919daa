import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '../../http/html/html.ts'
import { textWidth } from '../shared/time-axis.ts'
import { clockSentence, duration, layOutTravelLine, timeCard } from './time-travel.ts'

const real = Temporal.Instant.from('2026-11-15T19:30:00Z')

test('both times and their labels are in order and inside the chart', () => {
  for (const width of [900, 330])
    for (const hours of [1, -1, 30 * 24, -30 * 24, 70 * 365 * 24, -36 * 365 * 24]) {
      const layout = layOutTravelLine(real.add({ hours }), real, width)
      const there = layout.real
      assert.equal(layout.here.x > there.x, hours > 0, `${hours}`)
      for (const { x, text, textX } of [layout.here, there]) {
        assert.ok(x >= 8 && x <= width - 8)
        const half = textWidth(text) / 2
        assert.ok(textX - half >= 0 && textX + half <= width)
      }
      assert.ok(layout.ticks.length >= 1, `${width} ${hours}`)
    }
})

test('the axis of both times is drawn only after a travel', () => {
  const shown = (IsTravelled: boolean) => {
    const clock = { Now: '2026-12-18T09:30:00Z', RealNow: real.toString(), OffsetSeconds: 1, Frozen: false }
    const more = { expiry: undefined, targets: undefined, errors: [], typed: undefined, formToken: html`` }
    return String(timeCard({ clock: { ...clock, IsTravelled, MayControl: true }, ...more }))
  }
  assert.match(shown(true), /class="chart sized travel-line"/)
  assert.doesNotMatch(shown(false), /class="chart/)
})

test('describes the clock and its offset in words', () => {
  assert.deepEqual([0.2, 1, 90, 3600, 90_061, -86_400].map(duration), [
    'less than a second',
    '1 second',
    '1 minute and 30 seconds',
    '1 hour',
    '1 day and 1 hour',
    '1 day',
  ])
  const clock = {
    Now: '2026-12-18T09:30:00Z',
    RealNow: real.toString(),
    Frozen: true,
    IsTravelled: true,
    MayControl: true,
  }
  assert.equal(
    clockSentence({ ...clock, OffsetSeconds: -3600 }),
    'The service clock shows 18 Dec 2026, 09:30 UTC, 1 hour behind real time, and is frozen.',
  )
  assert.match(clockSentence({ ...clock, Frozen: false, OffsetSeconds: 60 }), /1 minute ahead of real time\.$/)
  assert.match(clockSentence({ ...clock, IsTravelled: false, OffsetSeconds: 0 }), /shows real time\.$/)
})
