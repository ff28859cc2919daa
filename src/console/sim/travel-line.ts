import { type Html, html } from '../../http/html/html.ts'
import { dayAndTime } from '../shared/format.ts'
import { textWidth, timeAxis } from '../shared/time-axis.ts'

const dayMs = 86_400_000

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. */
const sizes = [
  { name: 'roomy', width: 900 },
  { name: 'compact', width: 330 },
] as const

type Mark = Readonly<{ x: number; text: string; textX: number }>
type TravelLine = Readonly<{
  here: Mark
  /** Undefined at real time: one mark is enough. */
  real: Mark | undefined
  ticks: readonly { x: number; label: string }[]
}>

/** Positions of both times and their labels, separate from the drawing for tests. */
export function layOutTravelLine(
  now: Temporal.Instant,
  real: Temporal.Instant,
  isTravelled: boolean,
  width: number,
): TravelLine {
  const [first, last] = [now, real].map(({ epochMilliseconds }) => epochMilliseconds).toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  const margin = Math.max(Math.round((last - first) * 0.3), 3 * dayMs)
  const at = Temporal.Instant.fromEpochMilliseconds
  const axis = timeAxis(at(first - margin), at(last + margin), 8, width - 8)
  const placed = (instant: Temporal.Instant, name: string): Mark => {
    const [x, text] = [axis.x(instant), `${name}: ${dayAndTime(instant, 'UTC')}`]
    const half = textWidth(text) / 2
    return { x, text, textX: Math.min(Math.max(x, half), width - half) }
  }
  return {
    here: placed(now, isTravelled ? 'service time' : 'now'),
    real: isTravelled ? placed(real, 'real time') : undefined,
    ticks: axis.ticks.filter(({ x, label }) => x > textWidth(label) / 2 && x < width - textWidth(label) / 2),
  }
}

export function travelChart(
  now: Temporal.Instant,
  real: Temporal.Instant,
  isTravelled: boolean,
  description: string,
): Html {
  return html`<div class="chart sized travel-line">${sizes.map(({ name, width }) => {
    const { here, real: there, ticks } = layOutTravelLine(now, real, isTravelled, width)
    return html`<svg class="${name}" viewBox="0 0 ${width} 118" role="img" aria-label="${description}">
${ticks.map(({ x, label }) => html`<line class="grid-line" x1="${x}" x2="${x}" y1="48" y2="60"/><text x="${x}" y="112" text-anchor="middle">${label}</text>`)}
<line class="axis" x1="8" x2="${width - 8}" y1="54" y2="54"/>
${there && html`<rect class="band" x="${Math.min(here.x, there.x)}" y="48" width="${Math.abs(here.x - there.x)}" height="12" rx="3"/><circle class="dot" cx="${there.x}" cy="54" r="6"/><text class="strong" x="${there.textX}" y="84" text-anchor="middle">${there.text}</text>`}
<line class="now" x1="${here.x}" x2="${here.x}" y1="24" y2="70"/><text class="now-word" x="${here.textX}" y="16" text-anchor="middle">${here.text}</text>
</svg>`
  })}</div>`
}
