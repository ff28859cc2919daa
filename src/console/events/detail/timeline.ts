import { type Html, html } from '../../../http/html/html.ts'
import { day, groupsOf, shortDay } from '../../shared/format.ts'
import { lanes, textWidth } from '../../shared/time-axis.ts'

export type Moment = Readonly<{ at: Temporal.Instant; name: string; isDeadline?: boolean }>
/** A period. Without a start or an end it is open on that side. */
export type Span = Readonly<{ from: Temporal.Instant | undefined; to: Temporal.Instant | undefined; name: string }>
export type Timeline = Readonly<{ moments: readonly Moment[]; spans: readonly Span[]; now: Temporal.Instant }>

const width = 900
const margin = 40
const dayMs = 86_400_000

type Label = Readonly<{ x: number; at: number; width: number; lane: number; text: string; isDeadline: boolean }>
type PlacedSpan = Readonly<{ left: number; right: number; name: string }>

/** All positions, separate from the drawing for tests. */
export function layOutTimeline({ moments, spans, now }: Timeline) {
  const days = byDay(moments)
  const ends = spans.flatMap(({ from, to }) => [from, to].filter((end) => end !== undefined))
  const showsNow = isNear(now, [...moments.map(({ at }) => at), ...ends])
  const named = days.map(({ at }) => at)
  const { x, isLinear } = axisOf(named, showsNow ? [...ends, now] : ends)
  const [onLine, ...otherSpans] = spans.map((span) => placeSpan(span, x))
  const { year } = dateOf(now)
  const isThisYear = days.every(({ at }) => dateOf(at).year === year)
  const dayText = isThisYear ? shortDay : day
  const dates = days.map(({ at, isDeadline }) => labelAt(x(at), dayText(dateOf(at)), isDeadline))
  const below = days.flatMap(({ at, names }) => names.map(({ name, isDeadline }) => labelAt(x(at), name, isDeadline)))
  return {
    isLinear,
    onLine,
    otherSpans,
    dots: days.map(({ at, isDeadline }) => ({ x: x(at), isDeadline })),
    above: inLanes(dates),
    below: inLanes([...below, ...(onLine ? [labelAt((onLine.left + onLine.right) / 2, onLine.name, false)] : [])]),
    now: showsNow ? x(now) : undefined,
  }
}

/** Today is drawn unless the event is too far away. */
function isNear(now: Temporal.Instant, all: readonly Temporal.Instant[]): boolean {
  const times = all.map(({ epochMilliseconds }) => epochMilliseconds)
  const [start, end] = [Math.min(...times), Math.max(...times)]
  const reach = Math.max(end - start, 60 * dayMs) * 2
  return now.epochMilliseconds > start - reach && now.epochMilliseconds < end + reach
}

const maxLinearDays = 60

/** To scale if all is within 60 days. Else gaps grow with the square root of their length: many events are announced
 *  months before a few busy weeks. Then stops in `named` get room for a label. */
function axisOf(named: readonly Temporal.Instant[], others: readonly Temporal.Instant[]) {
  const isNamed = new Set(named.map(({ epochMilliseconds }) => epochMilliseconds))
  const all = [...isNamed, ...others.map(({ epochMilliseconds }) => epochMilliseconds)]
  const stops = [...new Set(all)].toSorted((a, b) => a - b)
  const isLinear = ((stops.at(-1) ?? 0) - (stops[0] ?? 0)) / dayMs <= maxLinearDays
  const gaps = stops.slice(1).map((stop, index) => {
    const previous = stops[index] ?? stop
    if (isLinear) return (stop - previous) / dayMs
    const room = isNamed.has(stop) && isNamed.has(previous) ? 1 : 0.4
    return room + 0.3 * Math.sqrt((stop - previous) / dayMs)
  })
  const unit = (width - 2 * margin) / (gaps.reduce((sum, gap) => sum + gap, 0) || 1)
  const positions: number[] = [margin]
  for (const gap of gaps) positions.push((positions.at(-1) ?? margin) + gap * unit)
  if (stops.length === 1) positions[0] = width / 2
  const x = (at: Temporal.Instant | 'start' | 'end'): number => {
    if (at === 'start') return margin / 2
    if (at === 'end') return width - margin / 2
    return round(positions[stops.indexOf(at.epochMilliseconds)] ?? margin)
  }
  return { x, isLinear }
}

const dateOf = (at: Temporal.Instant): Temporal.PlainDate => at.toZonedDateTimeISO('UTC').toPlainDate()

function byDay(moments: readonly Moment[]) {
  const hasDeadline = (some: readonly Moment[]) => some.some(({ isDeadline }) => isDeadline === true)
  const inOrder = moments.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  return groupsOf(inOrder, ({ at }) => dateOf(at).toString()).map((together) => {
    const byName = Map.groupBy(together, ({ name }) => name)
    const names = [...byName].map(([name, same]) => ({ name, isDeadline: hasDeadline(same) }))
    return { at: together[0].at, names, isDeadline: hasDeadline(together) }
  })
}

function placeSpan({ from, to, name }: Span, x: ReturnType<typeof axisOf>['x']): PlacedSpan {
  const left = x(from ?? 'start')
  return { left, right: Math.max(x(to ?? 'end'), left + 8), name }
}

/** A label centred on its position, moved inwards at the edges. */
function labelAt(at: number, text: string, isDeadline: boolean): Omit<Label, 'lane'> {
  const half = textWidth(text) / 2
  return { x: round(Math.min(Math.max(at, half), width - half)), at, width: half * 2, text, isDeadline }
}

function inLanes(labels: readonly Omit<Label, 'lane'>[]): Label[] {
  const lane = lanes(labels)
  return labels.map((label, index) => ({ ...label, lane: lane[index] ?? 0 }))
}

const depth = (labels: readonly Label[]): number => Math.max(-1, ...labels.map(({ lane }) => lane)) + 1
const round = (value: number): number => Math.round(value * 10) / 10

const lane = 17
const spanRow = 22

export function timelineChart(timeline: Timeline, description: string): Html {
  const layout = layOutTimeline(timeline)
  const line = 34 + depth(layout.above) * lane
  const spansTop = line + 22 + depth(layout.below) * lane
  const height = spansTop + layout.otherSpans.length * spanRow + 4
  const above = (label: Label) => line - 14 - label.lane * lane
  const below = (label: Label) => line + 25 + label.lane * lane
  return html`<div class="chart" role="region" aria-label="Timeline" tabindex="0"><svg class="event-line" viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">
${layout.now !== undefined && html`<line class="now" x1="${layout.now}" x2="${layout.now}" y1="18" y2="${height}"/><text class="now-word" x="${layout.now}" y="13" text-anchor="middle">today</text>`}
<line class="axis" x1="8" x2="${width - 8}" y1="${line}" y2="${line}"/>
${layout.above.map((label) => leader(label, line, above(label)))}
${layout.below.map((label) => leader(label, line, below(label) - 9))}
${layout.onLine && html`<rect class="band" x="${layout.onLine.left}" y="${line - 6}" width="${round(layout.onLine.right - layout.onLine.left)}" height="12" rx="6"/>`}
${layout.dots.map(({ x, isDeadline }) => html`<circle class="dot${isDeadline && ' deadline'}" cx="${x}" cy="${line}" r="${isDeadline ? 6.5 : 5}"/>`)}
${layout.above.map((label) => text(label, above(label), 'strong'))}
${layout.below.map((label) => text(label, below(label), label.isDeadline ? 'deadline-word' : 'word'))}
${layout.otherSpans.map((span, index) => spanMark(span, spansTop + index * spanRow))}
</svg></div>${!layout.isLinear && html`<p class="hint">The timeline is not to scale: long gaps are shortened.</p>`}`
}

const text = ({ x, text }: Label, y: number, kind: string): Html =>
  html`<text class="${kind}" x="${x}" y="${y}" text-anchor="middle">${text}</text>`

/** A thin line from a dot to a label that is not next to it. */
const leader = ({ at, lane }: Label, from: number, to: number): Html | undefined =>
  lane === 0 ? undefined : html`<line class="leader" x1="${at}" x2="${at}" y1="${from}" y2="${to}"/>`

function spanMark({ left, right, name }: PlacedSpan, top: number): Html {
  const [x, anchor] = right + textWidth(name) < width ? [right + 7, 'start'] : [left - 7, 'end']
  const [inX, inAnchor] = anchor === 'end' && x < textWidth(name) ? [(left + right) / 2, 'middle'] : [x, anchor]
  return html`<rect class="span" x="${left}" y="${top + 4}" width="${round(right - left)}" height="8" rx="4"/><text class="word" x="${round(inX)}" y="${top + 12}" text-anchor="${inAnchor}">${name}</text>`
}
