import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStrip, stripAxis, stripBar } from './strip.ts'

const at = (text: string) => Temporal.Instant.from(text)

test('the strip has 36 hours from the start of the day, with ticks at hours of the reader', () => {
  const now = at('2026-11-16T12:40:00Z')
  const { x, ticks } = dayStrip(now, 'Europe/Paris')
  assert.deepEqual(
    ticks.map(({ label }) => label),
    ['Mon', '06', '12', '18', 'Tue', '06'],
  )
  assert.deepEqual(
    [x(at('2026-11-15T23:00:00Z')), x(at('2026-11-16T17:00:00Z')), x(at('2026-11-18T00:00:00Z'))],
    [0, 50, 100],
  )
  assert.match(String(stripAxis(dayStrip(now, 'UTC'), now)), /x="35.2%" y="12">now<\/text><text x="0%" y="12">Mon</)
  const early = at('2026-11-16T04:20:00Z')
  assert.doesNotMatch(String(stripAxis(dayStrip(early, 'UTC'), early)), /x="16.7%"/, 'no hour is under the word now')
})

test('across a clock change the ticks stay at hours of the wall clock', () => {
  // New York goes back from 02:00 to 01:00 on 1 November 2026.
  const { ticks } = dayStrip(at('2026-11-01T04:30:00Z'), 'America/New_York')
  assert.deepEqual(ticks.slice(0, 3), [
    { x: 5.6, label: 'Sun' },
    { x: 25, label: '06' },
    { x: 41.7, label: '12' },
  ])
})

test('a bar has what was open, is open or a break within the strip, and now', () => {
  const now = at('2026-11-16T12:00:00Z')
  const session = (kind: 'open' | 'pause' | 'closed', start: string, end: string) => {
    return { kind, name: '', start: at(`2026-11-${start}:00Z`), end: at(`2026-11-${end}:00Z`) }
  }
  const bar = stripBar(
    dayStrip(now, 'UTC'),
    [
      session('open', '15T22:00', '16T09:00'),
      session('open', '16T09:00', '16T16:00'),
      session('pause', '16T16:00', '16T17:12'),
      session('closed', '16T17:12', '17T12:00'),
      session('open', '17T12:00', '17T18:00'),
    ],
    now,
  ).toString()
  const drawn = [
    ...bar.matchAll(/<rect class="(open|open past|pause|closed)"( fill="[^"]+")? x="([\d.]+)%" width="([\d.]+)%"/g),
  ]
  assert.deepEqual(
    drawn.map(([, ...found]) => found),
    [
      ['open past', undefined, '0', '25'],
      ['open', undefined, '25', '19.4'],
      ['pause', ' fill="url(#hatched)"', '44.4', '3.4'],
    ],
  )
  assert.match(bar, /<line class="now" x1="33.3%"/)
})
