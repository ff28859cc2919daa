import { time } from '../../shared/format.ts'

export type SessionKind = 'open' | 'auction' | 'extended' | 'pause' | 'halted' | 'closed'

export type WeekSession = Readonly<{
  start: Temporal.Instant
  end: Temporal.Instant
  kind: SessionKind
  name: string
}>

/** The part of a session on one day, in wall-clock hours since midnight. Closed sessions have no label. */
export type Piece = Readonly<{ session: WeekSession; from: number; to: number; label: string }>
export type WeekRow = Readonly<{ date: Temporal.PlainDate; pieces: readonly Piece[]; clockChange: string | undefined }>

const hourMs = 3_600_000

/** The sessions of the next seven days, by day in a time zone. */
export function weekRows(sessions: readonly WeekSession[], zone: string, now: Temporal.Instant): WeekRow[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  return Array.from({ length: 7 }, (_, index) => rowOf(sessions, zone, today.add({ days: index })))
}

function rowOf(sessions: readonly WeekSession[], zone: string, date: Temporal.PlainDate): WeekRow {
  const start = date.toZonedDateTime(zone)
  const end = date.add({ days: 1 }).toZonedDateTime(zone)
  const change = start.subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  const changesToday = change !== null && Temporal.ZonedDateTime.compare(change, end) < 0
  const bounds = [start.toInstant(), ...(changesToday ? [change.toInstant()] : []), end.toInstant()]
  const parts = bounds.slice(1).map((to, index) => [bounds[index] ?? to, to] as const)
  return {
    date,
    pieces: sessions.flatMap((session) => parts.flatMap(([from, to]) => pieceOf(session, from, to, zone))),
    clockChange: changesToday ? changeText(change.toInstant(), zone) : undefined,
  }
}

/** The clocks must not change between `from` and `to`: wall-clock length then equals duration. */
function pieceOf(session: WeekSession, from: Temporal.Instant, to: Temporal.Instant, zone: string): Piece[] {
  const start = Math.max(session.start.epochMilliseconds, from.epochMilliseconds)
  const end = Math.min(session.end.epochMilliseconds, to.epochMilliseconds)
  if (end <= start) return []
  const hour = hoursOf(Temporal.Instant.fromEpochMilliseconds(start), zone)
  const label = session.kind === 'closed' ? '' : labelOf(session, from, to, zone)
  return [{ session, from: hour, to: hour + (end - start) / hourMs, label }]
}

/** Wall-clock hours since midnight: 9.5 for 09:30. */
export function hoursOf(at: Temporal.Instant, zone: string): number {
  const { hour, minute, second } = at.toZonedDateTimeISO(zone)
  return hour + minute / 60 + second / 3600
}

function labelOf({ start, end }: WeekSession, from: Temporal.Instant, to: Temporal.Instant, zone: string): string {
  const startsHere = Temporal.Instant.compare(start, from) >= 0
  const endsHere = Temporal.Instant.compare(end, to) <= 0
  if (startsHere && endsHere) return `${time(start, zone)}–${time(end, zone)}`
  if (startsHere) return `from ${time(start, zone)}`
  return endsHere ? `until ${time(end, zone)}` : ''
}

function changeText(at: Temporal.Instant, zone: string): string {
  const before = at.subtract({ milliseconds: 1 }).toZonedDateTimeISO(zone)
  const after = at.toZonedDateTimeISO(zone)
  const minutes = (after.offsetNanoseconds - before.offsetNanoseconds) / 60e9
  const size = Math.abs(minutes) === 60 ? '1 hour' : `${Math.abs(minutes)} minutes`
  const wall = before.toPlainTime().add({ milliseconds: 1 }).toString().slice(0, 5)
  return `Clocks go ${minutes > 0 ? 'forward' : 'back'} ${size} at ${wall}`
}
