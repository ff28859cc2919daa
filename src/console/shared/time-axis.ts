import { monthName, shortDay } from './format.ts'

export type TimeAxis = Readonly<{
  /** The x position of an instant, clamped to the ends of the axis. */
  x(at: Temporal.Instant): number
  ticks: readonly { x: number; label: string }[]
}>

const dayMs = 86_400_000

/** Ticks at days (midnight UTC), weeks, months or years, depending on the room for labels. */
export function timeAxis(from: Temporal.Instant, to: Temporal.Instant, left: number, right: number): TimeAxis {
  const start = from.epochMilliseconds
  const length = Math.max(to.epochMilliseconds - start, 1)
  const x = (at: Temporal.Instant): number => {
    const share = (at.epochMilliseconds - start) / length
    return Math.round((left + Math.min(Math.max(share, 0), 1) * (right - left)) * 10) / 10
  }
  const room = Math.max(Math.floor((right - left) / 70), 2)
  const ticks = tickDays(from, length / dayMs, room)
    .map(({ date, label }) => ({ at: date.toZonedDateTime('UTC').toInstant(), label }))
    .filter(({ at }) => at.epochMilliseconds >= start && at.epochMilliseconds <= start + length)
    .map(({ at, label }) => ({ x: x(at), label }))
  return { x, ticks }
}

/** The start of a day in UTC, which is counted since 1970. */
export const midnight = (day: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(day * dayMs)

/** An axis over all times, with a margin on both sides: a share of the length, but at least some days. */
export function paddedAxis(
  times: readonly Temporal.Instant[],
  { share, minDays }: { share: number; minDays: number },
  [left, right]: readonly [number, number],
): TimeAxis {
  const all = times.map(({ epochMilliseconds }) => epochMilliseconds)
  const [first, last] = [Math.min(...all), Math.max(...all)]
  const margin = Math.max(Math.round((last - first) * share), minDays * dayMs)
  const at = Temporal.Instant.fromEpochMilliseconds
  return timeAxis(at(first - margin), at(last + margin), left, right)
}

type Tick = Readonly<{ date: Temporal.PlainDate; label: string }>

function tickDays(from: Temporal.Instant, days: number, room: number): Tick[] {
  const first = from.toZonedDateTimeISO('UTC').toPlainDate()
  const step = [1, 2, 7, 14].find((step) => days / step <= room)
  if (step !== undefined) {
    const start = step >= 7 ? first.add({ days: (8 - first.dayOfWeek) % 7 }) : first
    return Array.from({ length: Math.ceil(days / step) + 1 }, (_, index) => {
      const date = start.add({ days: index * step })
      return { date, label: shortDay(date) }
    })
  }
  const months = days / 30
  const monthStep =
    [1, 2, 3, 6, 12, 24, 60, 120].find((step) => months / step <= room) ?? 12 * Math.ceil(months / 12 / room)
  // Counted from January, so the tick that shows the year is included.
  const start = first.with({ day: 1, month: first.month - ((first.month - 1) % Math.min(monthStep, 12)) })
  return Array.from({ length: Math.ceil(months / monthStep) + 3 }, (_, index) => {
    const date = start.add({ months: index * monthStep })
    return { date, label: date.month === 1 ? String(date.year) : monthName(date.month) }
  })
}

/** Distributes labels over as few lanes as possible without overlaps. Returns the lane of each. */
export function lanes(labels: readonly { x: number; width: number }[]): number[] {
  const ends: number[] = []
  const order = labels.map((_, index) => index).sort((a, b) => leftOf(labels[a]) - leftOf(labels[b]))
  const result: number[] = new Array(labels.length).fill(0)
  for (const index of order) {
    const start = leftOf(labels[index])
    const free = ends.findIndex((end) => end <= start)
    const lane = free < 0 ? ends.length : free
    ends[lane] = start + (labels[index]?.width ?? 0)
    result[index] = lane
  }
  return result
}

const leftOf = (label: { x: number; width: number } | undefined): number => (label ? label.x - label.width / 2 : 0)

/** An upper estimate of a label's width at 12 px: the reader's font is unknown. */
export const textWidth = (text: string): number => text.length * 7 + 8
