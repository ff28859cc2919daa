import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layTimeline, timelineChart } from './timeline.ts'

const at = (day: string) => Temporal.Instant.from(`${day}T00:00:00Z`)
const moment = (day: string, word: string, isDeadline = false) => ({ at: at(day), word, isDeadline })
const span = (from: string | undefined, to: string | undefined, word: string) => ({
  from: from === undefined ? undefined : at(from),
  to: to === undefined ? undefined : at(to),
  word,
})

/** A rights issue: announced long before, then much within two weeks. */
const crowded = {
  now: at('2026-11-15'),
  moments: [
    moment('2026-09-18', 'announced'),
    ...['01', '02', '03', '04', '05', '06'].map((day) => moment(`2026-11-${day}`, 'new securities can be traded')),
    moment('2026-11-18', 'your deadline', true),
    moment('2026-11-18', 'market deadline'),
    moment('2026-11-18', 'market deadline'),
    moment('2027-01-04', 'payment'),
  ],
  spans: [span('2026-11-02', '2026-11-20', 'election period'), span(undefined, '2026-11-16', 'trading of rights')],
}

test('no two labels touch and none leaves the drawing, however near the days are', () => {
  const { above, below } = layTimeline(crowded)
  for (const labels of [above, below])
    for (const [index, label] of labels.entries()) {
      assert.ok(label.x - label.width / 2 >= 0 && label.x + label.width / 2 <= 900, label.text)
      for (const other of labels.slice(index + 1))
        if (other.lane === label.lane)
          assert.ok(Math.abs(other.x - label.x) >= (other.width + label.width) / 2, `${label.text} on ${other.text}`)
    }
  assert.ok(Math.max(...below.map(({ lane }) => lane)) > 0, 'the days are near each other')
})

test('days stand in the order of time, one dot each, with today among them', () => {
  const { dots, now = 0, onLine, otherSpans, above } = layTimeline(crowded)
  const places = dots.map(({ x }) => x)
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.equal(places.length, 9, 'what happens on one day shares a dot')
  assert.deepEqual(dots.map(({ isDeadline }) => isDeadline).indexOf(true), 7)
  assert.ok(now > (places[6] ?? 0) && now < (places[7] ?? 0))
  assert.equal(onLine?.left, places[2])
  assert.ok((onLine?.right ?? 0) > (places[7] ?? 0))
  assert.ok((otherSpans[0]?.left ?? 99) < (places[0] ?? 0), 'what has no start is open on the left')
  assert.ok(
    above.some(({ text }) => text === '4 Jan 2027'),
    'the year is told where there are two',
  )
})

test('one day stands in the middle, and a day of long ago is drawn without today', () => {
  const single = { now: at('2026-11-15'), moments: [moment('2020-02-29', 'announced')], spans: [] }
  const { dots, now, above } = layTimeline(single)
  assert.deepEqual([dots[0]?.x, now, above[0]?.text], [450, undefined, '29 Feb'])
  assert.match(timelineChart(single, 'Timeline: <b>').toString(), /role="img" aria-label="Timeline: &lt;b&gt;"/)
})
