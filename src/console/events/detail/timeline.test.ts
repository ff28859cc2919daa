import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOutTimeline, timelineChart } from './timeline.ts'

const at = (day: string) => Temporal.Instant.from(`${day}T00:00:00Z`)
const moment = (day: string, name: string, isDeadline = false) => ({ at: at(day), name, isDeadline })
const span = (from: string | undefined, to: string | undefined, name: string) => ({
  from: from === undefined ? undefined : at(from),
  to: to === undefined ? undefined : at(to),
  name,
})

/** A rights issue: announced months before two busy weeks. */
const crowded = {
  now: at('2026-11-15'),
  moments: [
    moment('2026-09-18', 'announced'),
    ...['01', '02', '03', '04', '05', '06'].map((day) => moment(`2026-11-${day}`, 'new securities tradable')),
    moment('2026-11-18', 'response deadline', true),
    moment('2026-11-18', 'market deadline'),
    moment('2026-11-18', 'market deadline'),
    moment('2027-01-04', 'payment'),
  ],
  spans: [span('2026-11-02', '2026-11-20', 'election period'), span(undefined, '2026-11-16', 'rights trading')],
}

test('labels never overlap and stay inside the chart', () => {
  const { above, below } = layOutTimeline(crowded)
  for (const labels of [above, below])
    for (const [index, label] of labels.entries()) {
      assert.ok(label.x - label.width / 2 >= 0 && label.x + label.width / 2 <= 900, label.text)
      for (const other of labels.slice(index + 1))
        if (other.lane === label.lane)
          assert.ok(Math.abs(other.x - label.x) >= (other.width + label.width) / 2, `${label.text} on ${other.text}`)
    }
  assert.ok(Math.max(...below.map(({ lane }) => lane)) > 0, 'the days are close together')
})

test('days are in chronological order, one dot each, with today among them', () => {
  const { dots, now = 0, onLine, otherSpans, above } = layOutTimeline(crowded)
  const positions = dots.map(({ x }) => x)
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  )
  assert.equal(positions.length, 9, 'one day, one dot')
  assert.deepEqual(dots.map(({ isDeadline }) => isDeadline).indexOf(true), 7)
  assert.ok(now > (positions[6] ?? 0) && now < (positions[7] ?? 0))
  assert.equal(onLine?.left, positions[2])
  assert.ok((onLine?.right ?? 0) > (positions[7] ?? 0))
  assert.ok((otherSpans[0]?.left ?? 99) < (positions[0] ?? 0), 'without a start it is open on the left')
  assert.ok(
    above.some(({ text }) => text === '4 Jan 2027'),
    'the year is shown if there are two',
  )
})

test('up to 60 days are to scale', () => {
  const moments = [
    moment('2026-11-01', 'ex date'),
    moment('2026-11-11', 'record date'),
    moment('2026-12-31', 'payment'),
  ]
  const { dots, isLinear } = layOutTimeline({ now: at('2026-11-15'), moments, spans: [] })
  const [first = 0, second = 0, third = 0] = dots.map(({ x }) => x)
  assert.ok(isLinear)
  assert.ok(Math.abs((second - first) * 5 - (third - second)) < 1)
  const chart = timelineChart({ ...crowded, moments }, 'x').toString()
  assert.doesNotMatch(chart, /not to scale/)
  assert.match(timelineChart(crowded, 'x').toString(), /not to scale/)
  assert.ok(!layOutTimeline(crowded).isLinear)
})

test('a single day is centred, and a date long ago is drawn with its year and without today', () => {
  const single = { now: at('2026-11-15'), moments: [moment('2020-02-29', 'announced')], spans: [] }
  const { dots, now, above } = layOutTimeline(single)
  assert.deepEqual([dots[0]?.x, now, above[0]?.text], [450, undefined, '29 Feb 2020'])
  assert.match(timelineChart(single, 'Timeline: <b>').toString(), /role="img" aria-label="Timeline: &lt;b&gt;"/)
})
