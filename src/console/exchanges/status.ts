import { wallClock } from '../../core/time/wall-clock.ts'
import { type Html, html } from '../../http/html/html.ts'
import { fromNow, shortDay, time, weekdayName, zoneName } from '../shared/format.ts'
import { type MarketStatus, statusSentence } from './rules/market-status.ts'

export type Zones = Readonly<{ reader: string; exchange: string }>

/** `09:30` today, `Mon 09:30` within a week, `Mon 23 Nov 09:30` later. */
export function shortMoment(at: Temporal.Instant, now: Temporal.Instant, zone: string): string {
  const { date, dayNumber } = wallClock(at, zone)
  const days = dayNumber - wallClock(now, zone).dayNumber
  if (days === 0) return time(at, zone)
  const isFar = days >= 7
  return `${weekdayName(date)} ${isFar ? `${shortDay(date)} ` : ''}${time(at, zone)}`
}

/** The status in words, in the time of the exchange. */
export const statusText = (status: MarketStatus, now: Temporal.Instant, zone: string): string =>
  statusSentence(status, zone, (at) => shortMoment(at, now, zone))

export const clockName = (zone: string): string => (zoneName(zone) === 'UTC' ? 'UTC' : `${zoneName(zone)} time`)

/** When the status changes, in the time of the reader: `closes 07:30`, and `in 3 hours`. */
export function nextChange(
  { closes, opens }: MarketStatus,
  now: Temporal.Instant,
  zone: string,
): { text: string; distance: string } | undefined {
  const at = closes ?? opens
  return at && { text: `${closes ? 'closes' : 'opens'} ${shortMoment(at, now, zone)}`, distance: fromNow(at, now) }
}

/** `closes 07:30 Paris time, in 3 hours`. */
export function changeText(status: MarketStatus, now: Temporal.Instant, zone: string): string {
  const next = nextChange(status, now, zone)
  return next ? `${next.text} ${clockName(zone)}, ${next.distance}` : ''
}

export const isOpen = ({ current }: MarketStatus): boolean => current.kind === 'open'

/** A mark for open (filled), a break or an auction (half), or closed. The words next to it say the same. */
export function statusDot({ current: { kind } }: MarketStatus): Html {
  const tone = kind === 'open' ? ' on' : kind === 'closed' ? '' : ' half'
  return html`<span class="market-dot${tone}" aria-hidden="true"></span>`
}

/** The status of a market on one line, in the time of the exchange and in that of the reader. */
export function statusLine(status: MarketStatus, now: Temporal.Instant, { reader, exchange }: Zones): Html {
  const change = reader === exchange ? '' : changeText(status, now, reader)
  return html`${statusDot(status)}<strong>${statusText(status, now, exchange)}</strong> <span class="quiet">${clockName(exchange)}${change && ` · ${change}`}</span>`
}
