import { isBefore } from '../../../core/clock.ts'
import { wallClock } from '../../../core/time/wall-clock.ts'

/** `pause` is a break within a trading day, `closed` the time between two. */
export type SessionKind = 'open' | 'auction' | 'extended' | 'pause' | 'halted' | 'closed'

export type MarketSession = Readonly<{
  start: Temporal.Instant
  end: Temporal.Instant
  kind: SessionKind
  name: string
}>

export type MarketStatus = Readonly<{
  current: MarketSession
  /** When the current session ends; undefined for the last known one. */
  until: Temporal.Instant | undefined
  /** The breaks of this trading day that are ahead. */
  breaks: readonly MarketSession[]
  /** The end of the trading day in progress. */
  closes: Temporal.Instant | undefined
  /** The next start of trading, if no trading day is in progress. */
  opens: Temporal.Instant | undefined
}>

export const isCurrent = ({ start, end }: MarketSession, now: Temporal.Instant): boolean =>
  !isBefore(now, start) && isBefore(now, end)

/** Trading with the auctions and breaks around it. */
const isTradingDay = ({ kind }: MarketSession): boolean => kind === 'open' || kind === 'auction' || kind === 'pause'

/** The status of a market; undefined if no session contains now. Sessions are in order and without gaps (§6.5). */
export function marketStatus(sessions: readonly MarketSession[], now: Temporal.Instant): MarketStatus | undefined {
  const index = sessions.findIndex((session) => isCurrent(session, now))
  const current = sessions[index]
  if (!current) return undefined
  const ahead = sessions.slice(index + 1)
  const until = ahead.length === 0 ? undefined : current.end
  if (!isTradingDay(current)) {
    const opens = ahead.find(({ kind }) => kind === 'open')?.start
    return { current, until, breaks: [], closes: undefined, opens }
  }
  const close = ahead.findIndex((session) => !isTradingDay(session))
  const today = close < 0 ? ahead : ahead.slice(0, close)
  const closes = close < 0 ? undefined : (today.at(-1) ?? current).end
  return { current, until, breaks: today.filter(({ kind }) => kind === 'pause'), closes, opens: undefined }
}

/** A break that begins from 11:00 to 13:59 at the exchange is lunch. */
function breakName({ start }: MarketSession, exchangeZone: string): 'lunch' | 'break' {
  const { hour } = wallClock(start, exchangeZone)
  return hour >= 11 && hour < 14 ? 'lunch' : 'break'
}

/** `Open · lunch 11:30–12:30 · closes 15:30`, `Lunch until 12:30 · closes 15:30`, `Closed · opens Mon 09:00`.
 *  `text` writes a moment in the time zone of the reader of the sentence. */
export function statusSentence(
  { current, until, breaks, closes, opens }: MarketStatus,
  exchangeZone: string,
  text: (at: Temporal.Instant) => string,
): string {
  const name = current.kind === 'pause' ? capital(breakName(current, exchangeZone)) : current.name
  const isPlain = current.kind === 'open' || current.kind === 'closed' || !until || (closes ?? opens)?.equals(until)
  return [
    isPlain ? name : `${name} until ${text(until)}`,
    ...breaks.map((pause) => `${breakName(pause, exchangeZone)} ${text(pause.start)}–${text(pause.end)}`),
    nextText(current, closes, opens, text),
  ].join(' · ')
}

function nextText(
  current: MarketSession,
  closes: Temporal.Instant | undefined,
  opens: Temporal.Instant | undefined,
  text: (at: Temporal.Instant) => string,
): string {
  if (closes) return `closes ${text(closes)}`
  if (opens) return `opens ${text(opens)}`
  return isTradingDay(current) ? 'does not close within a week' : 'does not open within a week'
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
