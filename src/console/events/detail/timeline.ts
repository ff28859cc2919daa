import { type Html, html } from '../../../http/html/html.ts'
import { shortDay } from '../../shared/format.ts'
import { lanes, textWidth } from '../../shared/time-axis.ts'

/** Something that happens on a day, or at a moment of it. */
export type Moment = Readonly<{ at: Temporal.Instant; word: string; isDeadline?: boolean }>
/** Something that lasts; without a start or an end it is open on that side. */
export type Span = Readonly<{ from: Temporal.Instant | undefined; to: Temporal.Instant | undefined; word: string }>
export type Timeline = Readonly<{ moments: readonly Moment[]; spans: readonly Span[]; now: Temporal.Instant }>

const width = 900
const margin = 40
const dayMs = 86_400_000

type Label = Readonly<{ x: number; at: number; width: number; lane: number; text: string; isDeadline: boolean }>
type Placed = Readonly<{ left: number; right: number; word: string }>

/** Where everything stands. Apart from the drawing, so that a test can see that no two labels touch. */
export function layTimeline({ moments, spans, now }: Timeline) {
  const days = byDay(moments)
  const ends = spans.flatMap(({ from, to }) => [from, to].filter((end) => end !== undefined))
  const showsNow = isNear(now, [...moments.map(({ at }) => at), ...ends])
  const x = axisOf(
    days.map(({ at }) => at),
    [...ends, ...(showsNow ? [now] : [])],
  )
  const [onLine, ...otherSpans] = spans.map((span) => placed(span, x))
  const isOneYear = new Set(days.map(({ at }) => dayOfInstant(at).year)).size === 1
  const dates = days.map(({ at, isDeadline }) => labelAt(x(at), dateText(at, isOneYear), isDeadline))
  const below = days.flatMap(({ at, words }) => words.map(({ word, isDeadline }) => labelAt(x(at), word, isDeadline)))
  return {
    onLine,
    otherSpans,
    dots: days.map(({ at, isDeadline }) => ({ x: x(at), isDeadline })),
    above: inLanes(dates),
    below: inLanes([...below, ...(onLine ? [labelAt((onLine.left + onLine.right) / 2, onLine.word, false)] : [])]),
    now: showsNow ? x(now) : undefined,
  }
}

/** Today is drawn unless the event is so far away that it would say nothing. */
function isNear(now: Temporal.Instant, all: readonly Temporal.Instant[]): boolean {
  const times = all.map(({ epochMilliseconds }) => epochMilliseconds)
  const [start, end] = [Math.min(...times), Math.max(...times)]
  const reach = Math.max(end - start, 60 * dayMs) * 2
  return now.epochMilliseconds > start - reach && now.epochMilliseconds < end + reach
}

/**
 * Days stand in their order with room for the words of each, so that long gaps are drawn shorter than they are: a
 * rights issue is announced months before it, and then much happens in two weeks. `named` have words, `others` do not.
 */
function axisOf(named: readonly Temporal.Instant[], others: readonly Temporal.Instant[]) {
  const isNamed = new Set(named.map(({ epochMilliseconds }) => epochMilliseconds))
  const stops = [...new Set([...named, ...others].map(({ epochMilliseconds }) => epochMilliseconds))].toSorted(
    (a, b) => a - b,
  )
  const gaps = stops.slice(1).map((stop, index) => {
    const previous = stops[index] ?? stop
    const room = isNamed.has(stop) && isNamed.has(previous) ? 1 : 0.4
    return room + 0.3 * Math.sqrt((stop - previous) / dayMs)
  })
  const unit = (width - 2 * margin) / (gaps.reduce((sum, gap) => sum + gap, 0) || 1)
  const places: number[] = [margin]
  for (const gap of gaps) places.push((places.at(-1) ?? margin) + gap * unit)
  if (stops.length === 1) places[0] = width / 2
  return (at: Temporal.Instant | 'start' | 'end'): number => {
    if (at === 'start') return margin / 2
    if (at === 'end') return width - margin / 2
    return round(places[stops.indexOf(at.epochMilliseconds)] ?? margin)
  }
}

const dayOfInstant = (at: Temporal.Instant): Temporal.PlainDate => at.toZonedDateTimeISO('UTC').toPlainDate()

type Day = Readonly<{ at: Temporal.Instant; words: { word: string; isDeadline: boolean }[]; isDeadline: boolean }>

/** What happens on one day shares a dot and a date. */
function byDay(moments: readonly Moment[]): Day[] {
  const inOrder = moments.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))
  const days = Map.groupBy(inOrder, ({ at }) => dayOfInstant(at).toString())
  return [...days.values()].flatMap((together) => {
    const words = [...Map.groupBy(together, ({ word }) => word)].map(([word, same]) => ({
      word,
      isDeadline: same.some(({ isDeadline }) => isDeadline === true),
    }))
    const [first] = together
    return first ? [{ at: first.at, words, isDeadline: words.some(({ isDeadline }) => isDeadline) }] : []
  })
}

/** The year is told where the line runs over more than one. */
function dateText(at: Temporal.Instant, isOneYear: boolean): string {
  const date = dayOfInstant(at)
  return isOneYear ? shortDay(date) : `${shortDay(date)} ${date.year}`
}

function placed({ from, to, word }: Span, x: ReturnType<typeof axisOf>): Placed {
  const left = x(from ?? 'start')
  // Nothing is so short that it cannot be seen.
  return { left, right: Math.max(x(to ?? 'end'), left + 8), word }
}

/** Stands over its place, or as near to it as the edge allows. */
function labelAt(at: number, text: string, isDeadline: boolean): Omit<Label, 'lane'> {
  const half = textWidth(text) / 2
  return { x: round(Math.min(Math.max(at, half), width - half)), at, width: half * 2, text, isDeadline }
}

function inLanes(words: readonly Omit<Label, 'lane'>[]): Label[] {
  const lane = lanes(words)
  return words.map((word, index) => ({ ...word, lane: lane[index] ?? 0 }))
}

const depth = (labels: readonly Label[]): number => Math.max(-1, ...labels.map(({ lane }) => lane)) + 1
const round = (value: number): number => Math.round(value * 10) / 10

const lane = 17
const spanRow = 22

/** Dates above, words below, the election as a band on the line, today in red. `description` says it all in words. */
export function timelineChart(timeline: Timeline, description: string): Html {
  const laid = layTimeline(timeline)
  const line = 34 + depth(laid.above) * lane
  const spansTop = line + 22 + depth(laid.below) * lane
  const height = spansTop + laid.otherSpans.length * spanRow + 4
  const above = (label: Label) => line - 14 - label.lane * lane
  const below = (label: Label) => line + 25 + label.lane * lane
  return html`<div class="chart" role="region" aria-label="Timeline" tabindex="0"><svg class="event-line" viewBox="0 0 ${width} ${height}" role="img" aria-label="${description}">
${laid.now !== undefined && html`<line class="now" x1="${laid.now}" x2="${laid.now}" y1="18" y2="${height}"/><text class="now-word" x="${laid.now}" y="13" text-anchor="middle">today</text>`}
<line class="axis" x1="8" x2="${width - 8}" y1="${line}" y2="${line}"/>
${laid.above.map((label) => leader(label, line, above(label)))}
${laid.below.map((label) => leader(label, line, below(label) - 9))}
${laid.onLine && html`<rect class="band" x="${laid.onLine.left}" y="${line - 6}" width="${round(laid.onLine.right - laid.onLine.left)}" height="12" rx="6"/>`}
${laid.dots.map(({ x, isDeadline }) => html`<circle class="dot${isDeadline && ' deadline'}" cx="${x}" cy="${line}" r="${isDeadline ? 6.5 : 5}"/>`)}
${laid.above.map((label) => text(label, above(label), 'strong'))}
${laid.below.map((label) => text(label, below(label), label.isDeadline ? 'deadline-word' : 'word'))}
${laid.otherSpans.map((span, index) => spanMark(span, spansTop + index * spanRow))}
</svg></div>`
}

const text = ({ x, text }: Label, y: number, kind: string): Html =>
  html`<text class="${kind}" x="${x}" y="${y}" text-anchor="middle">${text}</text>`

/** A thin line from the dot to words that had to move away from it. */
const leader = ({ at, lane }: Label, from: number, to: number): Html | undefined =>
  lane === 0 ? undefined : html`<line class="leader" x1="${at}" x2="${at}" y1="${from}" y2="${to}"/>`

/** The words beside the band, where there is room for them. */
function spanMark({ left, right, word }: Placed, top: number): Html {
  const [x, anchor] = right + textWidth(word) < width ? [right + 7, 'start'] : [left - 7, 'end']
  const [inX, inAnchor] = anchor === 'end' && x < textWidth(word) ? [(left + right) / 2, 'middle'] : [x, anchor]
  return html`<rect class="span" x="${left}" y="${top + 4}" width="${round(right - left)}" height="8" rx="4"/><text class="word" x="${round(inX)}" y="${top + 12}" text-anchor="${inAnchor}">${word}</text>`
}
