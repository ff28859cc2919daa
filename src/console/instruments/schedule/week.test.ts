import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketSession } from '../../exchanges/rules/market-status.ts'
import { linesOf, weekChart, weekRows } from './week.ts'

const at = (text: string) => Temporal.Instant.from(text)
const open = (start: string, end: string): MarketSession => ({
  start: at(start),
  end: at(end),
  kind: 'open',
  name: 'Open',
})
const closed = (start: string, end: string): MarketSession => ({ ...open(start, end), kind: 'closed', name: 'Closed' })

/** Each row as text: `Sun 17-24 from 17:00`. */
const rowTexts = (sessions: readonly MarketSession[], zone: string, now: string) =>
  weekRows(sessions, zone, at(now)).map(({ date, pieces, clockChange }) =>
    [
      date.toString().slice(5),
      ...pieces.filter(({ session }) => session.kind !== 'closed').map((one) => `${one.from}-${one.to} ${one.label}`),
      ...(clockChange ? [clockChange] : []),
    ].join(' | '),
  )

test('a session keeps its wall-clock time at the exchange when clocks change, and moves in other zones', () => {
  // New York goes from UTC-5 to UTC-4 on 8 March 2026.
  const sessions = [
    closed('2026-03-05T21:00:00Z', '2026-03-06T14:30:00Z'),
    open('2026-03-06T14:30:00Z', '2026-03-06T21:00:00Z'),
    closed('2026-03-06T21:00:00Z', '2026-03-09T13:30:00Z'),
    open('2026-03-09T13:30:00Z', '2026-03-09T20:00:00Z'),
  ]
  assert.deepEqual(rowTexts(sessions, 'America/New_York', '2026-03-06T12:00:00Z').slice(0, 4), [
    '03-06 | 9.5-16 09:30–16:00',
    '03-07',
    '03-08 | Clocks go forward 1 hour at 02:00',
    '03-09 | 9.5-16 09:30–16:00',
  ])
  assert.deepEqual(rowTexts(sessions, 'Asia/Tokyo', '2026-03-06T12:00:00Z').slice(0, 5), [
    '03-06 | 23.5-24 from 23:30',
    '03-07 | 0-6 until 06:00',
    '03-08',
    '03-09 | 22.5-24 from 22:30',
    '03-10 | 0-5 until 05:00',
  ])
})

test('on the night of a clock change one hour is missing or drawn twice', () => {
  const forward = rowTexts(
    [open('2026-03-08T05:00:00Z', '2026-03-08T12:00:00Z')],
    'America/New_York',
    '2026-03-08T05:00:00Z',
  )
  assert.equal(forward[0], '03-08 | 0-2 from 00:00 | 3-8 until 08:00 | Clocks go forward 1 hour at 02:00')
  const back = rowTexts(
    [open('2026-11-01T04:00:00Z', '2026-11-01T12:00:00Z')],
    'America/New_York',
    '2026-11-01T04:00:00Z',
  )
  assert.equal(back[0], '11-01 | 0-2 from 00:00 | 1-7 until 07:00 | Clocks go back 1 hour at 02:00')
})

test('handles days that start at 01:00, and changes of half an hour', () => {
  const beirut = rowTexts([open('2026-03-28T20:00:00Z', '2026-03-29T00:00:00Z')], 'Asia/Beirut', '2026-03-28T20:00:00Z')
  assert.deepEqual(beirut.slice(0, 2), [
    '03-28 | 22-24 from 22:00',
    '03-29 | 1-3 until 03:00 | Clocks go forward 1 hour at 00:00',
  ])
  const lordHowe = rowTexts([], 'Australia/Lord_Howe', '2026-10-03T20:00:00Z')
  assert.equal(lordHowe[0], '10-04 | Clocks go forward 30 minutes at 02:00')
})

test('notes are inside days without trading, and below other days in a higher row', () => {
  const rows = weekRows(
    [
      open('2026-11-25T14:30:00Z', '2026-11-25T21:00:00Z'),
      closed('2026-11-25T21:00:00Z', '2026-11-27T14:30:00Z'),
      open('2026-11-27T14:30:00Z', '2026-11-27T18:00:00Z'),
    ],
    'America/New_York',
    at('2026-11-25T15:00:00Z'),
  )
  const notes = new Map([
    ['2026-11-26', 'Thanksgiving Day'],
    ['2026-11-27', 'Day after Thanksgiving, closes 13:00'],
  ])
  const { lines } = linesOf(rows, notes)
  const step = (index: number) => (lines[index + 1]?.y ?? 0) - (lines[index]?.y ?? 0)
  assert.deepEqual(
    lines.slice(0, 3).map(({ isNoteInside }) => isNoteInside),
    [false, true, false],
  )
  assert.deepEqual([step(0), step(1), step(2)], [28, 28, 46])
})

test('one axis has the hours of two zones, with the day before and after', () => {
  const hours = (second: string) =>
    [
      ...weekChart({
        caption: '',
        sessions: [],
        zone: 'Asia/Tokyo',
        second,
        now: at('2026-11-25T17:00:00Z'),
        notes: new Map(),
      })
        .toString()
        .matchAll(/y="28"[^>]*>([^<]+)/g),
    ]
      .map(([, label]) => label)
      .slice(0, 10)
      .join(' | ')
  assert.equal(hours('UTC'), 'UTC | 15 −1 d | 18 −1 d | 21 −1 d | 00 | 03 | 06 | 09 | 12 | 15')
  assert.match(hours('Asia/Kolkata'), /^Kolkata \| 20:30 −1 d \| 23:30 −1 d \| 02:30/)
  assert.match(hours('Pacific/Auckland'), /^Auckland \| 04 \|.* 01 \+1 d \| 04 \+1 d$/)
})

test('marks now in the first row, and escapes captions and notes', () => {
  const chart = weekChart({
    caption: 'Week of <b>Acme</b>',
    sessions: [open('2026-11-25T14:30:00Z', '2026-11-25T21:00:00Z')],
    zone: 'America/New_York',
    now: at('2026-11-25T17:00:00Z'),
    notes: new Map([['2026-11-26', '<script>']]),
  }).toString()
  assert.match(chart, /<line class="now" x1="488" x2="488"/)
  assert.match(chart, /now 12:00</)
  assert.match(chart, /&lt;script&gt;/)
  assert.doesNotMatch(chart, /<script>|<b>/)
})
