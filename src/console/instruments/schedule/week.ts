import { type Html, html } from '../../../http/html/html.ts'
import { shortDay, time, weekdayName } from '../../shared/format.ts'
import { hoursOf, type Piece, type SessionKind, type WeekRow, type WeekSession, weekRows } from './week-rows.ts'

/** Holidays and early closes, by date. */
type DayNotes = ReadonlyMap<string, string>

type WeekProps = Readonly<{
  caption: string
  sessions: readonly WeekSession[]
  zone: string
  now: Temporal.Instant
  notes: DayNotes
}>

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. */
type Size = Readonly<{
  name: 'roomy' | 'compact'
  width: number
  left: number
  hourWidth: number
  tickHours: number
  dayName: (date: Temporal.PlainDate) => string
}>

const sizes: readonly Size[] = [
  {
    name: 'roomy',
    width: 900,
    left: 92,
    hourWidth: 33,
    tickHours: 3,
    dayName: (date) => `${weekdayName(date)} ${shortDay(date)}`,
  },
  {
    name: 'compact',
    width: 330,
    left: 48,
    hourWidth: 11.5,
    tickHours: 6,
    dayName: (date) => `${weekdayName(date)} ${date.day}`,
  },
]

const top = 44
const bandHeight = 20
const rowHeight = 28
const noteHeight = 18

const rounded = (value: number): number => Math.round(value * 10) / 10
const xOf = ({ left, hourWidth }: Size, hours: number): number =>
  rounded(left + Math.min(Math.max(hours, 0), 24) * hourWidth)

export const kindNames: Record<SessionKind, string> = {
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

/** The next seven days: a row for each day, its hours from left to right, sessions as bands, now in red. */
export function weekChart({ caption, sessions, zone, now, notes }: WeekProps): Html {
  const { lines, bottom } = linesOf(weekRows(sessions, zone, now), notes)
  return html`<div class="chart sized">${sizes.map(
    (size) => html`<svg class="${size.name}" viewBox="0 0 ${size.width} ${bottom}" role="img" aria-label="${caption}">
${hourTicks(size, bottom)}
${lines.map((line) => dayLine(size, line))}
${nowMark(size, now, zone)}
</svg>`,
  )}</div>`
}

function hourTicks(size: Size, bottom: number): Html[] {
  return Array.from({ length: 24 / size.tickHours + 1 }, (_, index) => {
    const hour = index * size.tickHours
    const x = xOf(size, hour)
    return html`<line class="grid-line" x1="${x}" x2="${x}" y1="18" y2="${bottom}"/><text x="${x}" y="12" text-anchor="${hour === 24 ? 'end' : 'middle'}">${String(hour).padStart(2, '0')}</text>`
  })
}

function dayLine(size: Size, { row, y, note, isNoteInside }: Line): Html {
  const noteY = isNoteInside ? y + 14 : y + bandHeight + 15
  const noteX = size.name === 'compact' && !isNoteInside ? 0 : size.left + 8
  return html`<text class="strong" x="0" y="${y + 14}">${size.dayName(row.date)}</text>
<rect class="unknown" x="${size.left}" y="${y}" width="${24 * size.hourWidth}" height="${bandHeight}" rx="4"/>
${row.pieces.map((piece) => band(size, piece, y))}
${note !== '' && html`<text class="strong" x="${noteX}" y="${noteY}">${note}</text>`}`
}

function band(size: Size, { session, from, to, label }: Piece, y: number): Html {
  const [start, end] = [xOf(size, from), xOf(size, to)]
  const hasRoom = label !== '' && end - start > label.length * 6.6
  return html`<rect class="session ${session.kind}" x="${start}" y="${y}" width="${rounded(Math.max(end - start, 1))}" height="${bandHeight}" rx="4"><title>${session.name}${label && ` ${label}`}</title></rect>
${hasRoom && html`<text class="on-${session.kind}" x="${rounded((start + end) / 2)}" y="${y + 14}" text-anchor="middle">${label}</text>`}`
}

/** Today is the first row. */
function nowMark(size: Size, now: Temporal.Instant, zone: string): Html {
  const x = xOf(size, hoursOf(now, zone))
  const anchor = x < size.left + 40 ? 'start' : x > size.width - 50 ? 'end' : 'middle'
  return html`<line class="now" x1="${x}" x2="${x}" y1="${top - 8}" y2="${top + bandHeight + 4}"/>
<text class="now-word" x="${x}" y="${top - 12}" text-anchor="${anchor}">now ${time(now, zone)}</text>`
}

export function weekLegend(sessions: readonly WeekSession[]): Html {
  const kinds = (Object.keys(kindNames) as SessionKind[]).filter((kind) => sessions.some((one) => one.kind === kind))
  return html`<ul class="legend">${kinds.map((kind) => html`<li><span class="swatch ${kind}"></span>${kindNames[kind]}</li>`)}<li><span class="swatch now"></span>now</li></ul>`
}
