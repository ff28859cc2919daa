import { type Html, html } from '../../http/html/html.ts'
import { weekdayName } from '../shared/format.ts'
import type { MarketSession } from './rules/market-status.ts'

export type Strip = Readonly<{
  /** The position of an instant in percent, clamped to the ends. */
  x(at: Temporal.Instant): number
  ticks: readonly Readonly<{ x: number; label: string }>[]
}>

const hours = 36
/** Shortly after midnight, some of the day before is shown. */
const hoursBefore = 2
const tickHours = 6

/** 36 hours from the start of the reader's day, with ticks at full hours of the reader's time zone. */
export function dayStrip(now: Temporal.Instant, zone: string): Strip {
  const local = now.toZonedDateTimeISO(zone)
  const hour = local.round({ smallestUnit: 'hour', roundingMode: 'floor' }).toInstant()
  const midnight = local.startOfDay().toInstant()
  const late = hour.subtract({ hours: hoursBefore })
  const start = Temporal.Instant.compare(midnight, late) < 0 ? midnight : late
  const x = (at: Temporal.Instant): number => {
    const share = (at.epochMilliseconds - start.epochMilliseconds) / (hours * 3_600_000)
    return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10
  }
  const ticks = Array.from({ length: hours }, (_, index) => start.add({ hours: index }))
    .map((at) => ({ at, local: at.toZonedDateTimeISO(zone) }))
    .filter(({ local }) => local.hour % tickHours === 0)
    .map(({ at, local }) => ({
      x: x(at),
      label: local.hour === 0 ? weekdayName(local.toPlainDate()) : String(local.hour).padStart(2, '0'),
    }))
  return { x, ticks }
}

/** The pattern of breaks, once per page. */
export const stripPatterns = html`<svg class="strip-patterns" aria-hidden="true" focusable="false"><pattern id="hatched" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2.5" height="5"/></pattern></svg>`

const line = (name: string, x: number): Html => html`<line class="${name}" x1="${x}%" x2="${x}%" y1="0" y2="100%"/>`

/** The sessions of a market, those that are over paler, and now. The status next to it says the same in words. */
export function stripBar({ x, ticks }: Strip, sessions: readonly MarketSession[], now: Temporal.Instant): Html {
  const isOver = ({ end }: MarketSession) => Temporal.Instant.compare(end, now) <= 0
  const drawn = sessions
    .filter(({ kind }) => kind !== 'closed')
    .map((session) => ({ ...session, from: x(session.start), to: x(session.end), past: isOver(session) && ' past' }))
    .filter(({ from, to }) => to > from)
  const hatched = (kind: string) => kind === 'pause' && html` fill="url(#hatched)"`
  return html`<svg class="strip" aria-hidden="true" focusable="false">${ticks.map((tick) => line('tick', tick.x))}<rect class="day" width="100%" y="4" height="8" rx="4"/>${drawn.map(
    ({ kind, from, to, past }) =>
      html`<rect class="${kind}${past}"${hatched(kind)} x="${from}%" width="${Math.round((to - from) * 10) / 10}%" y="3" height="10" rx="2"/>`,
  )}${line('now', x(now))}</svg>`
}

/** The hours above the bars, in the time zone of the reader. */
export function stripAxis({ x, ticks }: Strip, now: Temporal.Instant): Html {
  const nowAt = x(now)
  // Two labels side by side are up to 17 % of the narrowest strip.
  const shown = ticks.filter((tick) => Math.abs(tick.x - nowAt) > 17)
  return html`<svg class="strip-axis" aria-hidden="true" focusable="false"><text class="now-word" x="${nowAt}%" y="12">now</text>${shown.map(
    (tick) => html`<text x="${tick.x}%" y="12">${tick.label}</text>`,
  )}</svg>`
}
