import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayStrip, stripAxis, stripBar } from './strip.ts'

const at = (text: string) => Temporal.Instant.from(text)

test('the strip has 24 hours from two before now, with ticks at hours of the reader', () => {
  const now = at('2026-11-16T12:40:00Z')
  const { x, ticks } = dayStrip(now, 'Europe/Paris')
  assert.deepEqual(
    ticks.map(({ label }) => label),
    ['12', '15', '18', '21', 'Tue', '03', '06', '09'],
  )
  assert.deepEqual(
    [x(at('2026-11-16T10:00:00Z')), x(at('2026-11-16T22:00:00Z')), x(at('2026-11-18T00:00:00Z'))],
    [0, 50, 100],
  )
  assert.match(String(stripAxis(dayStrip(now, 'UTC'), now)), /x="11.1%" y="12">now<\/text><text x="20.8%" y="12">15</)
  const early = at('2026-11-16T04:20:00Z')
  assert.doesNotMatch(String(stripAxis(dayStrip(early, 'UTC'), early)), />0[36]</, 'no hour is under the word now')
})

test('across a clock change the ticks stay at hours of the wall clock', () => {
  // New York goes back from 02:00 to 01:00 on 1 November 2026.
  const { ticks } = dayStrip(at('2026-11-01T04:30:00Z'), 'America/New_York')
  assert.deepEqual(ticks.slice(0, 3), [
    { x: 8.3, label: 'Sun' },
    { x: 25, label: '03' },
    { x: 37.5, label: '06' },
  ])
})

test('a bar has what is open or a break within the strip, and now', () => {
  const now = at('2026-11-16T12:00:00Z')
  const session = (kind: 'open' | 'pause' | 'closed', start: string, end: string) => {
    return { kind, name: '', start: at(`2026-11-${start}:00Z`), end: at(`2026-11-${end}:00Z`) }
  }
  const bar = stripBar(
    dayStrip(now, 'UTC'),
    [
      session('open', '16T00:00', '16T16:00'),
      session('pause', '16T16:00', '16T17:12'),
      session('closed', '16T17:12', '17T12:00'),
      session('open', '17T12:00', '17T18:00'),
    ],
    now,
  ).toString()
  const drawn = [...bar.matchAll(/<rect class="(open|pause|closed)"( fill="[^"]+")? x="([\d.]+)%" width="([\d.]+)%"/g)]
  assert.deepEqual(
    drawn.map(([, ...found]) => found),
    [
      ['open', undefined, '0', '25'],
      ['pause', ' fill="url(#hatched)"', '25', '5'],
    ],
  )
  assert.match(bar, /<line class="now" x1="8.3%"/)
})
