import type { Event } from '../../../events/api/schema.ts'
import { deadlinesOf, isSet, paymentsOf } from '../../../events/rules/status/deadlines.ts'
import type { MarkKind } from './marks.ts'

/** A range of days, to scale. */
export type Window = Readonly<{ from: Temporal.PlainDate; days: number }>
/** `x` is a percentage of the window. Dates of one day are in lanes above each other. */
type Mark = Readonly<{ kind: MarkKind; at: string; x: number; lane: number }>
type DatedMark = Pick<Mark, 'kind' | 'at'>
export type GanttRow = Readonly<{
  event: Event
  /** All dates, in order. */
  dates: readonly DatedMark[]
  marks: readonly Mark[]
  /** From the first to the last date, as far as they are in the window. */
  bar: Readonly<{ from: number; to: number }>
}>

const dayMs = 86_400_000
const startMs = ({ from }: Window): number => from.toZonedDateTime('UTC').epochMilliseconds
const msOf = (at: string): number => Temporal.Instant.from(at.length === 10 ? `${at}T00:00:00Z` : at).epochMilliseconds

/** Where an instant is in the window, in percent: below 0 and above 100 outside of it. */
export const positionOf = (ms: number, window: Window): number =>
  Math.round(((ms - startMs(window)) / (window.days * dayMs)) * 10_000) / 100

/** Closer than two marks that touch. */
const isClose = (a: number, b: number): boolean => Math.abs(a - b) < 1

const clamped = (x: number): number => Math.min(Math.max(x, 0), 100)

function datesOf(event: Event): DatedMark[] {
  const { AnnouncedDate, Ex, Record } = event
  const one = (kind: MarkKind, at: string | undefined) => (isSet(at) ? [{ kind, at }] : [])
  return [
    ...one('announced', AnnouncedDate),
    ...one('ex', Ex?.Date),
    ...one('record', Record?.Date),
    ...deadlinesOf(event).map((at) => ({ kind: 'due' as const, at })),
    ...paymentsOf(event).map((at) => ({ kind: 'pay' as const, at })),
  ].toSorted((a, b) => msOf(a.at) - msOf(b.at))
}

/** A row per event with a date in the window, by the first of these. */
export function ganttRows(events: readonly Event[], window: Window): GanttRow[] {
  return events
    .flatMap((event): GanttRow[] => {
      const dates = datesOf(event)
      const placed = dates.map((date) => ({ ...date, x: positionOf(msOf(date.at), window) }))
      const inside = placed
        .filter(({ x }) => x >= 0 && x <= 100)
        .map((mark, index, all) => ({
          ...mark,
          lane: all.slice(0, index).filter(({ x }) => isClose(x, mark.x)).length,
        }))
      const [first, last] = [placed[0], placed.at(-1)]
      if (!first || !last || inside.length === 0) return []
      return [{ event, dates, marks: inside, bar: { from: clamped(first.x), to: clamped(last.x) } }]
    })
    .toSorted((a, b) => (a.marks[0]?.x ?? 0) - (b.marks[0]?.x ?? 0))
}

/** Mondays, which the axis names. */
export function mondaysIn(window: Window): { x: number; date: Temporal.PlainDate }[] {
  const first = window.from.add({ days: (8 - window.from.dayOfWeek) % 7 })
  return Array.from({ length: Math.ceil(window.days / 7) }, (_, week) => {
    const date = first.add({ weeks: week })
    return { date, x: positionOf(date.toZonedDateTime('UTC').epochMilliseconds, window) }
  }).filter(({ x }) => x < 100)
}
