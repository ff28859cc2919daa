import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MarketSession, marketStatus, type SessionKind, statusSentence } from './market-status.ts'

const at = (text: string) => Temporal.Instant.from(`2026-11-${text}:00Z`)
type Given = readonly [kind: SessionKind, end: string, name?: string]
const names: Record<SessionKind, string> = {
  open: 'Open',
  auction: 'Auction',
  extended: 'Pre-market',
  pause: 'Break',
  halted: 'Halt',
  closed: 'Closed',
}

/** Sessions from a start, each with its end. */
function sessionsFrom(start: string, ...all: Given[]): MarketSession[] {
  let from = at(start)
  return all.map(([kind, end, name = names[kind]]) => {
    const session = { start: from, end: at(end), kind, name }
    from = session.end
    return session
  })
}

const tokyo = sessionsFrom(
  '16T06:30',
  ['closed', '17T00:00'],
  ['open', '17T02:30'],
  ['pause', '17T03:30'],
  ['open', '17T06:30'],
  ['closed', '18T00:00'],
)

const said = (sessions: MarketSession[], now: string, zone = 'Asia/Tokyo', shown = zone) => {
  const status = marketStatus(sessions, at(now))
  return (
    status &&
    statusSentence(status, zone, (moment) => moment.toZonedDateTimeISO(shown).toPlainTime().toString().slice(0, 5))
  )
}

test('an open market says its lunch and its close, not the end of the morning', () => {
  assert.equal(said(tokyo, '17T01:00'), 'Open · lunch 11:30–12:30 · closes 15:30')
  assert.equal(said(tokyo, '17T02:30'), 'Lunch until 12:30 · closes 15:30')
  assert.equal(said(tokyo, '17T03:30'), 'Open · closes 15:30')
})

test('a closed market says when it opens', () => {
  assert.equal(said(tokyo, '16T12:00'), 'Closed · opens 09:00')
  assert.equal(said(tokyo, '17T06:30'), 'Closed · does not open within a week')
  assert.equal(said(tokyo, '18T00:00'), undefined, 'after the last session nothing is known')
  assert.equal(said(tokyo, '16T06:29'), undefined)
})

test('says the same in another time zone, but lunch is at noon of the exchange', () => {
  assert.equal(said(tokyo, '17T01:00', 'Asia/Tokyo', 'Europe/Paris'), 'Open · lunch 03:30–04:30 · closes 07:30')
})

test('a break outside of noon is a break', () => {
  const market = sessionsFrom(
    '16T14:00',
    ['open', '16T15:00'],
    ['pause', '16T15:15'],
    ['open', '16T16:00'],
    ['closed', '17T14:00'],
  )
  assert.equal(said(market, '16T14:30', 'UTC'), 'Open · break 15:00–15:15 · closes 16:00')
  assert.equal(said(market, '16T15:00', 'UTC'), 'Break until 15:15 · closes 16:00')
  const early = sessionsFrom('16T09:00', ['pause', '16T10:00'], ['open', '16T16:00'], ['closed', '17T09:00'])
  assert.equal(said(early, '16T09:30', 'UTC'), 'Break until 10:00 · closes 16:00')
})

test('auctions, pre-market and after hours say until when, unless trading follows', () => {
  const market = sessionsFrom(
    '16T08:00',
    ['extended', '16T08:50'],
    ['auction', '16T09:00', 'Opening auction'],
    ['open', '16T17:00'],
    ['auction', '16T17:05', 'Closing auction'],
    ['extended', '16T20:00', 'After hours'],
    ['closed', '17T08:00'],
    ['extended', '17T09:00'],
    ['open', '17T17:00'],
  )
  assert.equal(said(market, '16T08:00', 'UTC'), 'Pre-market until 08:50 · opens 09:00')
  assert.equal(said(market, '16T08:55', 'UTC'), 'Opening auction until 09:00 · closes 17:05')
  assert.equal(said(market, '16T10:00', 'UTC'), 'Open · closes 17:05')
  assert.equal(said(market, '16T17:01', 'UTC'), 'Closing auction · closes 17:05')
  assert.equal(said(market, '16T18:00', 'UTC'), 'After hours until 20:00 · opens 09:00')
  assert.equal(said(market, '17T08:30', 'UTC'), 'Pre-market · opens 09:00')
})

test('a market that never closes says so, and a halt without an end too', () => {
  const always = sessionsFrom('16T00:00', ['open', '17T00:00'], ['open', '18T00:00'])
  assert.equal(said(always, '16T12:00', 'UTC'), 'Open · does not close within a week')
  assert.equal(said(sessionsFrom('16T00:00', ['halted', '17T00:00']), '16T12:00'), 'Halt · does not open within a week')
})
