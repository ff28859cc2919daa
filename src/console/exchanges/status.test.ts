import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketStatus } from './rules/market-status.ts'
import { changeText, shortMoment, statusDot, statusLine } from './status.ts'

const at = (text: string) => Temporal.Instant.from(`2026-11-${text}:00Z`)
const now = at('16T12:00')

test('a moment has its weekday unless it is today, and its date from a week ahead', () => {
  assert.equal(shortMoment(at('16T14:30'), now, 'UTC'), '14:30')
  assert.equal(shortMoment(at('16T16:00'), now, 'Asia/Tokyo'), 'Tue 01:00')
  assert.equal(shortMoment(at('22T12:00'), now, 'UTC'), 'Sun 12:00')
  assert.equal(shortMoment(at('23T12:00'), now, 'UTC'), 'Mon 23 Nov 12:00')
})

test('the line has the time of the exchange, and that of the reader if it is another', () => {
  const name = 'Open'
  const status = marketStatus(
    [
      { kind: 'open', name, start: at('16T08:00'), end: at('16T16:30') },
      { kind: 'closed', name: 'Closed', start: at('16T16:30'), end: at('17T08:00') },
    ],
    now,
  )
  assert.ok(status)
  const text = (reader: string) =>
    statusLine(status, now, { exchange: 'Europe/Paris', reader })
      .toString()
      .replaceAll(/<[^>]+>/g, '')
  assert.equal(text('Europe/Paris'), 'Open · closes 17:30 Paris time')
  assert.equal(text('UTC'), 'Open · closes 17:30 Paris time · closes 16:30 UTC, in 5 hours')
  assert.match(statusDot(status).toString(), /market-dot on/)
  const always = marketStatus([{ kind: 'pause', name, start: at('16T08:00'), end: at('16T16:30') }], now)
  assert.ok(always)
  assert.equal(changeText(always, now, 'UTC'), '')
  assert.match(statusDot(always).toString(), /market-dot half/)
})
