import { type Html, html } from '../../../http/html/html.ts'
import { day, dayAndTime, fromNow, shortDay } from '../../shared/format.ts'
import { type TimeAxis, textWidth, timeAxis } from '../../shared/time-axis.ts'
import { type SecretState, type SecretUse, stateOf } from './model.ts'

const [width, left, right] = [900, 14, 886]
const [top, rowHeight, bandHeight] = [34, 46, 14]
const dayMs = 86_400_000

/** When each secret of an app is valid: a band each, what was last used as a dot, now as a line. */
export function secretTimeline(secrets: readonly SecretUse[], now: Temporal.Instant, zone: string): Html {
  const rows = secrets.toSorted((a, b) => startOf(a) - startOf(b))
  const axis = axisFor(rows, now)
  const bottom = top + rows.length * rowHeight
  const nowAt = axis.x(now)
  return html`<div class="chart secret-timeline" role="region" aria-label="Timeline of the secrets" tabindex="0">
<svg viewBox="0 0 ${width} ${bottom + 24}" role="img" aria-label="${rows.map((row) => spoken(row, now, zone)).join(' ')}">
${axis.ticks.map(({ x, label }) => html`<line class="grid-line" x1="${x}" x2="${x}" y1="22" y2="${bottom}"/><text x="${x}" y="14" text-anchor="${anchorAt(x)}">${label}</text>`)}
<line class="axis" x1="${left}" x2="${right}" y1="22" y2="22"/>
${rows.map((row, index) => band(row, axis, top + index * rowHeight, now))}
<line class="now" x1="${nowAt}" x2="${nowAt}" y1="22" y2="${bottom + 4}"/>
<text class="now-word" x="${nowAt}" y="${bottom + 18}" text-anchor="${anchorAt(nowAt)}">now</text>
${rows.map((row, index) => words(row, axis, top + index * rowHeight, now, zone))}
</svg></div>`
}

const startOf = ({ ValidFrom }: SecretUse): number => Temporal.Instant.from(ValidFrom).epochMilliseconds

/** From the first beginning to the last end with now between them, and some air on both sides. */
function axisFor(rows: readonly SecretUse[], now: Temporal.Instant): TimeAxis {
  const times = rows.flatMap(({ ValidFrom, ValidUntil }) => [
    Temporal.Instant.from(ValidFrom).epochMilliseconds,
    Temporal.Instant.from(ValidUntil).epochMilliseconds,
  ])
  const [first, last] = [Math.min(now.epochMilliseconds, ...times), Math.max(now.epochMilliseconds, ...times)]
  const air = Math.max(Math.round((last - first) * 0.03), dayMs)
  const at = Temporal.Instant.fromEpochMilliseconds
  return timeAxis(at(first - air), at(last + air), left, right)
}

/** A word at an edge stands inside of it. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < left + 24) return 'start'
  return x > right - 24 ? 'end' : 'middle'
}

function band(row: SecretUse, axis: TimeAxis, y: number, now: Temporal.Instant): Html {
  const [from, until] = [axis.x(Temporal.Instant.from(row.ValidFrom)), axis.x(Temporal.Instant.from(row.ValidUntil))]
  return html`<rect class="secret ${stateOf(row, now)}" x="${from}" y="${y + 19}" width="${Math.max(until - from, 3)}" height="${bandHeight}" rx="5"/>
${row.LastUsedAt && html`<circle class="secret-used" cx="${axis.x(Temporal.Instant.from(row.LastUsedAt))}" cy="${y + 19 + bandHeight / 2}" r="4"/>`}`
}

/** Drawn last, with a halo: they stay readable where the line of now crosses them. */
function words(row: SecretUse, axis: TimeAxis, y: number, now: Temporal.Instant, zone: string): Html {
  const text = label(row, stateOf(row, now), now, zone)
  const x = Math.max(Math.min(axis.x(Temporal.Instant.from(row.ValidFrom)), right - textWidth(text)), left)
  return html`<text class="strong halo" x="${x}" y="${y + 12}">${text}</text>`
}

/** The day, with its year where that is another than this one. */
function dayIn(at: string, now: Temporal.Instant, zone: string): string {
  const date = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate()
  return date.year === now.toZonedDateTimeISO(zone).year ? shortDay(date) : day(date)
}

function label(row: SecretUse, state: SecretState, now: Temporal.Instant, zone: string): string {
  const when = {
    valid: `valid until ${dayIn(row.ValidUntil, now, zone)}`,
    coming: `from ${dayIn(row.ValidFrom, now, zone)}`,
    ended: `ended ${dayIn(row.ValidUntil, now, zone)}`,
  }[state]
  const used = row.LastUsedAt === undefined ? [] : [`used ${lastUsed(row.LastUsedAt, now)}`]
  return [`Secret ${row.nth}`, when, ...used].join(' · ')
}

/** `4 minutes ago`, or `just now`. */
export function lastUsed(at: string, now: Temporal.Instant): string {
  const words = fromNow(at, now)
  return words === 'now' ? 'just now' : words
}

function spoken(row: SecretUse, now: Temporal.Instant, zone: string): string {
  const validity = `valid from ${dayAndTime(row.ValidFrom, zone)} until ${dayAndTime(row.ValidUntil, zone)}`
  const state = { valid: 'now valid', coming: 'not yet valid', ended: 'ended' }[stateOf(row, now)]
  const used = row.LastUsedAt === undefined ? 'not used yet' : `last used ${lastUsed(row.LastUsedAt, now)}`
  return `Secret ${row.nth}: ${validity}, ${state}, ${used}.`
}
