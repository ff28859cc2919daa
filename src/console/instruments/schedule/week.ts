import { offsetAt, wallClock } from '../../../core/time/wall-clock.ts'
import { type Html, html } from '../../../http/html/html.ts'
import type { MarketSession, SessionKind } from '../../exchanges/rules/market-status.ts'
import { stripPatterns as patterns } from '../../exchanges/strip.ts'
import { shortDay, time, weekdayName, zoneName } from '../../shared/format.ts'
import { Remembered } from '../../shared/remembered.ts'

type DayNotes = ReadonlyMap<string, string>

type WeekProps = Readonly<{
  caption: string
  sessions: readonly MarketSession[]
  /** The zone of the rows and of the upper hours. */
  zone: string
  /** The zone of the lower hours. */
  second?: string | undefined
  now: Temporal.Instant
  notes: DayNotes
}>

type Size = (typeof sizes)[number]

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. */
const sizes = [
  { name: 'roomy', width: 900, left: 92, hourWidth: 33, tickHours: 3, dayText: shortDay },
  {
    name: 'compact',
    width: 330,
    left: 48,
    hourWidth: 11.5,
    tickHours: 6,
    dayText: ({ day }: Temporal.PlainDate) => day,
  },
] as const

const top = 62
const bandHeight = 20
const rowHeight = 28
const noteHeight = 18

const rounded = (value: number): number => Math.round(value * 10) / 10
const xOf = ({ left, hourWidth }: Size, hours: number): number =>
  rounded(left + Math.min(Math.max(hours, 0), 24) * hourWidth)

const kindNames: Record<SessionKind, string> = {
  open: 'open',
  auction: 'auction',
  extended: 'pre-market and after hours',
  pause: 'break',
  halted: 'halted',
  closed: 'closed',
}

type Line = Readonly<{ row: WeekRow; y: number; note: string; isNoteInside: boolean }>

/** Days without trading show their note inside the band; other days below it, in a higher row. */
export function linesOf(rows: readonly WeekRow[], notes: DayNotes): { lines: Line[]; bottom: number } {
  let y = top
  const lines = rows.map((row) => {
    const note = [notes.get(row.date.toString()), row.clockChange].filter((text) => text !== undefined).join('. ')
    const isNoteInside = row.pieces.every(({ session }) => session.kind === 'closed')
    const line = { row, y, note, isNoteInside }
    y += rowHeight + (note !== '' && !isNoteInside ? noteHeight : 0)
    return line
  })
  return { lines, bottom: y }
}

export function weekChart(props: WeekProps): Html {
  const { now, zone } = props
  const drawn = weekOf(props)
  const [roomy, compact] = sizes.map(
    (size, index) => html`${drawn[index]}
${nowMark(size, now, zone)}
</svg>`,
  )
  return html`${patterns}<div class="chart sized">${roomy}${compact}</div>`
}

const weeks = new Remembered<readonly Html[]>()

/** The chart in each size, up to what changes during a day. */
function weekOf({ caption, sessions, zone, second, now, notes }: WeekProps): readonly Html[] {
  const today = wallClock(now, zone).dayNumber
  const difference = second === undefined ? 0 : (offsetAt(now, second) - offsetAt(now, zone)) / 60_000
  const inputs = [caption, zone, second, today, difference, notes]
  return weeks.get(sessions, inputs, () => {
    const { lines, bottom } = linesOf(weekRows(sessions, zone, now), notes)
    return sizes.map(
      (size) =>
        html`<svg class="${size.name}" viewBox="0 0 ${size.width} ${bottom}" role="img" aria-label="${caption}">
${hourTicks(size, bottom, zone)}
${second && secondHours(size, second, difference)}
${lines.map((line) => dayLine(size, line))}`,
    )
  })
}

const tickHours = (size: Size): number[] =>
  Array.from({ length: 24 / size.tickHours + 1 }, (_, index) => index * size.tickHours)

/** On a phone the name of the zone is where the first hour would be. */
const labelled = (size: Size): number[] => tickHours(size).filter((hour) => size.name === 'roomy' || hour > 0)

const two = (value: number): string => String(value).padStart(2, '0')

function hourTicks(size: Size, bottom: number, zone: string): Html {
  const ticks = tickHours(size).map((hour) => {
    const x = xOf(size, hour)
    return html`<line class="grid-line" x1="${x}" x2="${x}" y1="34" y2="${bottom}"/>`
  })
  return html`${ticks}${hourLabels(size, 12, zone, two)}`
}

/** The same hours in a second zone, by the difference of the two now: `22 −1 d` is on the day before. */
function secondHours(size: Size, second: string, minutes: number): Html {
  const label = (hour: number): string => {
    const all = hour * 60 + minutes
    const days = Math.floor(all / 1440)
    const rest = all - days * 1440
    const clock = two(Math.floor(rest / 60)) + (rest % 60 === 0 ? '' : `:${two(rest % 60)}`)
    return days === 0 ? clock : `${clock} ${days > 0 ? '+' : '−'}${Math.abs(days)} d`
  }
  return hourLabels(size, 28, second, label)
}

function hourLabels(size: Size, y: number, zone: string, label: (hour: number) => string): Html {
  const texts = labelled(size).map(
    (hour) =>
      html`<text x="${xOf(size, hour)}" y="${y}" text-anchor="${hour === 24 ? 'end' : 'middle'}">${label(hour)}</text>`,
  )
  return html`<g${y === 12 && html` class="first"`}><text x="0" y="${y}">${zoneName(zone)}</text>${texts}</g>`
}

function dayLine(size: Size, { row, y, note, isNoteInside }: Line): Html {
  const noteY = isNoteInside ? y + 14 : y + bandHeight + 15
  const noteX = size.name === 'compact' && !isNoteInside ? 0 : size.left + 8
  return html`<text class="strong" x="0" y="${y + 14}">${weekdayName(row.date)} ${size.dayText(row.date)}</text>
<rect class="unknown" x="${size.left}" y="${y}" width="${24 * size.hourWidth}" height="${bandHeight}" rx="4"/>
${row.pieces.map((piece) => band(size, piece, y))}
${note !== '' && html`<text class="strong" x="${noteX}" y="${noteY}">${note}</text>`}`
}

function band(size: Size, { session, from, to, label }: Piece, y: number): Html {
  const [start, end] = [xOf(size, from), xOf(size, to)]
  const hasRoom = label !== '' && end - start > label.length * 6.6
  return html`<rect class="session ${session.kind}"${session.kind === 'pause' && html` fill="url(#hatched)"`} x="${start}" y="${y}" width="${rounded(Math.max(end - start, 1))}" height="${bandHeight}" rx="4"><title>${session.name}${label && ` ${label}`}</title></rect>
${hasRoom && html`<text class="on-${session.kind}" x="${rounded((start + end) / 2)}" y="${y + 14}" text-anchor="middle">${label}</text>`}`
}

/** Today is the first row. */
function nowMark(size: Size, now: Temporal.Instant, zone: string): Html {
  const x = xOf(size, hoursOf(now, zone))
  const anchor = x < size.left + 40 ? 'start' : x > size.width - 50 ? 'end' : 'middle'
  return html`<line class="now" x1="${x}" x2="${x}" y1="${top - 8}" y2="${top + bandHeight + 4}"/>
<text class="now-word" x="${x}" y="${top - 12}" text-anchor="${anchor}">now ${time(now, zone)}</text>`
}

const legends = new Remembered<Html>()

export const weekLegend = (sessions: readonly MarketSession[]): Html =>
  legends.get(sessions, [], () => legendOf(sessions))

function legendOf(sessions: readonly MarketSession[]): Html {
  const kinds = (Object.keys(kindNames) as SessionKind[]).filter((kind) => sessions.some((one) => one.kind === kind))
  return html`<ul class="legend">${kinds.map((kind) => html`<li><span class="swatch ${kind}"></span>${kindNames[kind]}</li>`)}<li><span class="swatch now"></span>now</li></ul>`
}

/** The part of a session on one day, in wall-clock hours since midnight. Closed sessions have no label. */
type Piece = Readonly<{ session: MarketSession; from: number; to: number; label: string }>
type WeekRow = Readonly<{ date: Temporal.PlainDate; pieces: readonly Piece[]; clockChange: string | undefined }>

const hourMs = 3_600_000

/** A session with its times in milliseconds, read once for all days. */
type Timed = Readonly<{ session: MarketSession; startMs: number; endMs: number }>

export function weekRows(sessions: readonly MarketSession[], zone: string, now: Temporal.Instant): WeekRow[] {
  const timed = sessions.map((session) => ({
    session,
    startMs: session.start.epochMilliseconds,
    endMs: session.end.epochMilliseconds,
  }))
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const rows: WeekRow[] = []
  let start = today.toZonedDateTime(zone)
  let change = start.subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  for (let index = 0; index < 7; index++) {
    const date = today.add({ days: index })
    const end = date.add({ days: 1 }).toZonedDateTime(zone)
    while (change && Temporal.ZonedDateTime.compare(change, start) < 0) change = change.getTimeZoneTransition('next')
    const changesToday = change !== null && Temporal.ZonedDateTime.compare(change, end) < 0
    rows.push(rowOf(timed, date, { start, end, change: changesToday ? change : null }))
    start = end
  }
  return rows
}

type DayBounds = Readonly<Record<'start' | 'end', Temporal.ZonedDateTime> & { change: Temporal.ZonedDateTime | null }>

function rowOf(sessions: readonly Timed[], date: Temporal.PlainDate, { start, end, change }: DayBounds): WeekRow {
  const zone = start.timeZoneId
  const bounds = [start, ...(change ? [change] : []), end].map((at) => at.toInstant())
  const parts = bounds.slice(1).map((to, index) => [bounds[index] ?? to, to] as const)
  const [dayStart, dayEnd] = [start.epochMilliseconds, end.epochMilliseconds]
  const today = sessions.filter(({ startMs, endMs }) => startMs < dayEnd && endMs > dayStart)
  return {
    date,
    pieces: today.flatMap((session) => parts.flatMap(([from, to]) => pieceOf(session, from, to, zone))),
    clockChange: change ? changeText(change.toInstant(), zone) : undefined,
  }
}

/** The clocks must not change between `from` and `to`: wall-clock length then equals duration. */
function pieceOf(
  { session, startMs, endMs }: Timed,
  from: Temporal.Instant,
  to: Temporal.Instant,
  zone: string,
): Piece[] {
  const start = Math.max(startMs, from.epochMilliseconds)
  const end = Math.min(endMs, to.epochMilliseconds)
  if (end <= start) return []
  const hour = hoursOf(Temporal.Instant.fromEpochMilliseconds(start), zone)
  const label = session.kind === 'closed' ? '' : labelOf(session, from, to, zone)
  return [{ session, from: hour, to: hour + (end - start) / hourMs, label }]
}

/** Wall-clock hours since midnight: 9.5 for 09:30. */
function hoursOf(at: Temporal.Instant, zone: string): number {
  const { hour, minute, second } = wallClock(at, zone)
  return hour + minute / 60 + second / 3600
}

function labelOf({ start, end }: MarketSession, from: Temporal.Instant, to: Temporal.Instant, zone: string): string {
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
