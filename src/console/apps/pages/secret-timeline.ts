import { type Html, html } from '../../../http/html/html.ts'
import { dayAndTime, dayIn, fromNow } from '../../shared/format.ts'
import { paddedAxis, type TimeAxis, textWidth } from '../../shared/time-axis.ts'
import { nameOf, type SecretState, type SecretUse, stateOf } from './model.ts'

const [width, left, right] = [900, 14, 886]
const [top, rowHeight, bandHeight] = [34, 46, 14]

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
${rows.map((row, index) => labelText(row, axis, top + index * rowHeight, now, zone))}
</svg></div>`
}

const startOf = ({ ValidFrom }: SecretUse): number => Temporal.Instant.from(ValidFrom).epochMilliseconds

function axisFor(rows: readonly SecretUse[], now: Temporal.Instant): TimeAxis {
  const times = rows.flatMap(({ ValidFrom, ValidUntil }) =>
    [ValidFrom, ValidUntil].map((at) => Temporal.Instant.from(at)),
  )
  return paddedAxis([now, ...times], { share: 0.03, minDays: 1 }, [left, right])
}

/** Labels at the edge grow inwards. */
function anchorAt(x: number): 'start' | 'middle' | 'end' {
  if (x < left + 24) return 'start'
  return x > right - 24 ? 'end' : 'middle'
}

function band(row: SecretUse, axis: TimeAxis, y: number, now: Temporal.Instant): Html {
  const [from, until] = [axis.x(Temporal.Instant.from(row.ValidFrom)), axis.x(Temporal.Instant.from(row.ValidUntil))]
  return html`<rect class="secret ${stateOf(row, now)}" x="${from}" y="${y + 19}" width="${Math.max(until - from, 3)}" height="${bandHeight}" rx="5"/>
${row.LastUsedAt && html`<circle class="secret-used" cx="${axis.x(Temporal.Instant.from(row.LastUsedAt))}" cy="${y + 19 + bandHeight / 2}" r="4"/>`}`
}

/** Drawn last, to stay readable over the line for now. */
function labelText(row: SecretUse, axis: TimeAxis, y: number, now: Temporal.Instant, zone: string): Html {
  const text = label(row, stateOf(row, now), now, zone)
  const x = Math.max(Math.min(axis.x(Temporal.Instant.from(row.ValidFrom)), right - textWidth(text)), left)
  return html`<text class="strong halo" x="${x}" y="${y + 12}">${text}</text>`
}

function label(row: SecretUse, state: SecretState, now: Temporal.Instant, zone: string): string {
  const local = (at: Temporal.Instant | string) =>
    Temporal.Instant.from(String(at)).toZonedDateTimeISO(zone).toPlainDate()
  const dateOf = (at: string) => dayIn(local(now).year, local(at))
  const when = {
    valid: `valid until ${dateOf(row.ValidUntil)}`,
    upcoming: `from ${dateOf(row.ValidFrom)}`,
    expired: `expired ${dateOf(row.ValidUntil)}`,
  }[state]
  const used = row.LastUsedAt === undefined ? [] : [`used ${lastUsed(row.LastUsedAt, now)}`]
  return [`Secret ${nameOf(row)}`, when, ...used].join(' · ')
}

export function lastUsed(at: string, now: Temporal.Instant): string {
  const text = fromNow(at, now)
  return text === 'now' ? 'just now' : text
}

function spoken(row: SecretUse, now: Temporal.Instant, zone: string): string {
  const validity = `valid from ${dayAndTime(row.ValidFrom, zone)} until ${dayAndTime(row.ValidUntil, zone)}`
  const state = { valid: 'valid now', upcoming: 'not yet valid', expired: 'expired' }[stateOf(row, now)]
  const used = row.LastUsedAt === undefined ? 'never used' : `last used ${lastUsed(row.LastUsedAt, now)}`
  return `Secret ${nameOf(row)}: ${validity}, ${state}, ${used}.`
}
