import { epochDay } from '../../../core/time/days.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { day, figure, shortDay } from '../../shared/format.ts'
import { lanes, midnight, type TimeAxis, textWidth, timeAxis } from '../../shared/time-axis.ts'
import { roundSteps } from './strike-map.ts'

type CurvePoint = Readonly<{ symbol: string; expiry: string; days: number; price?: number | undefined }>

type Size = (typeof sizes)[number]

/** Drawn twice, for wide and for narrow screens; the stylesheet shows one. */
const sizes = [
  { name: 'roomy', width: 900, left: 70, right: 872, panelHeight: 180 },
  { name: 'compact', width: 330, left: 46, right: 306, panelHeight: 130 },
]

const panelTop = 22
const laneHeight = 17
const maxLanes = 2

type Placed = CurvePoint & { x: number; dateLane: number; symbolLane: number }
type Scale = Readonly<{ y: (price: number) => number; steps: number[] }>

const instantOf = (expiry: string): Temporal.Instant => midnight(epochDay(expiry.slice(0, 10)))

export function placed(points: readonly CurvePoint[], axis: TimeAxis): Placed[] {
  const xs = points.map(({ expiry }) => axis.x(instantOf(expiry)))
  const lanesOf = (text: (point: CurvePoint) => string) =>
    lanes(points.map((point, index) => ({ x: xs[index] ?? 0, width: textWidth(text(point)) })))
  const dateLanes = lanesOf(({ expiry }) => shortDay(expiry))
  const symbolLanes = lanesOf(({ symbol }) => symbol)
  return points.map((point, index) => {
    return { ...point, x: xs[index] ?? 0, dateLane: dateLanes[index] ?? 0, symbolLane: symbolLanes[index] ?? 0 }
  })
}

export function priceScale(prices: readonly number[], height: number): Scale | undefined {
  if (prices.length < 2) return undefined
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)]
  const margin = (highest - lowest) * 0.15 || Math.abs(highest) * 0.01 || 1
  const [low, high] = [lowest - margin, highest + margin]
  const y = (price: number) => Math.round((panelTop + ((high - price) / (high - low)) * height) * 10) / 10
  return { y, steps: roundSteps(low, high, 4) }
}

export function futuresCurve(caption: string, points: readonly CurvePoint[], today: Temporal.PlainDate): Html {
  return html`<div class="chart sized">${sizes.map((size) => drawn(size, caption, points, today))}</div>`
}

function drawn(size: Size, caption: string, points: readonly CurvePoint[], today: Temporal.PlainDate): Html {
  const { left, right, width, panelHeight } = size
  const last = instantOf(points.reduce((latest, { expiry }) => (expiry > latest ? expiry : latest), ''))
  const axis = timeAxis(instantOf(today.toString()), last, left, right)
  const all = placed(points, axis)
  const prices = points.flatMap(({ price }) => price ?? [])
  const scale = priceScale(prices, panelHeight)
  const panelEnd = panelTop + panelHeight
  const line = (scale ? panelEnd + 14 : 0) + 20 + maxLanes * laneHeight
  const bottom = line + maxLanes * laneHeight + 34
  const [gridTop, gridEnd] = scale ? [panelTop, panelEnd] : [line, bottom - 16]
  return html`<svg class="${size.name}" viewBox="0 0 ${width} ${bottom}" role="img" aria-label="${caption}">
${axis.ticks.map(({ x, label }) => html`<line class="grid-line" x1="${x}" x2="${x}" y1="${gridTop}" y2="${gridEnd}"/><text x="${x}" y="${bottom - 3}" text-anchor="middle">${label}</text>`)}
${scale && pricePanel(all, scale, size)}
<line class="axis" x1="${left}" x2="${right}" y1="${line}" y2="${line}"/>
${all.map((point) => future(point, line))}
<line class="now" x1="${left}" x2="${left}" y1="${line - 7}" y2="${line + 7}"/><text class="now-word" x="${left - 6}" y="${line + 4}" text-anchor="end">today</text>
</svg>`
}

function pricePanel(all: readonly Placed[], { y, steps }: Scale, { left, right, panelHeight }: Size): Html {
  const priced = all.flatMap(({ x, price, symbol }) => (price === undefined ? [] : [{ x, y: y(price), price, symbol }]))
  const [first, last] = [priced[0], priced.at(-1)]
  // Labels are on the side of the curve that it does not cross.
  const rises = first !== undefined && last !== undefined && last.price >= first.price
  return html`${steps.map((step) => html`<line class="grid-line" x1="${left}" x2="${right}" y1="${y(step)}" y2="${y(step)}"/><text x="${left - 6}" y="${y(step) + 4}" text-anchor="end">${figure(step)}</text>`)}
<line class="now" x1="${left}" x2="${left}" y1="${panelTop}" y2="${panelTop + panelHeight}"/>
<polyline class="curve" points="${priced.map((point) => `${point.x},${point.y}`).join(' ')}"/>
${priced.map((point) => html`<circle class="dot" cx="${point.x}" cy="${point.y}" r="4"><title>${point.symbol} ${figure(point.price)}</title></circle>`)}
${first && html`<text class="strong" x="${first.x + 8}" y="${first.y + (rises ? 16 : -8)}">${figure(first.price)}</text>`}
${last && html`<text class="strong" x="${last.x}" y="${last.y + (rises ? -10 : 18)}" text-anchor="end">${figure(last.price)}</text>`}`
}

function future({ x, symbol, expiry, days, dateLane, symbolLane }: Placed, line: number): Html {
  return html`<circle class="dot" cx="${x}" cy="${line}" r="4"><title>${symbol}, ${day(expiry)}, ${days} days</title></circle>
${dateLane < maxLanes && html`<text class="strong" x="${x}" y="${line - 11 - dateLane * laneHeight}" text-anchor="middle">${shortDay(expiry)}</text>`}
${symbolLane < maxLanes && html`<text x="${x}" y="${line + 20 + symbolLane * laneHeight}" text-anchor="middle">${symbol}</text>`}`
}
