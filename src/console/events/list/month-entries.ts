import type { Event } from '../../../events/api/schema.ts'
import { deadlinesOf, isSet, paymentsOf } from '../labels.ts'

/** What a month shows of events: the days on which something of the three kinds happens. */
export type EntryKind = 'ex' | 'due' | 'pay'
export type Entry = Readonly<{ day: string; kind: EntryKind; event: Event; at: string }>

const kinds: readonly EntryKind[] = ['due', 'ex', 'pay']

/** The days of a kind, as YYYY-MM-DD in UTC, which events count in (contract §2). */
const timesOf: Record<EntryKind, (event: Event) => readonly string[]> = {
  ex: ({ Ex }) => (isSet(Ex?.Date) ? [Ex.Date] : []),
  due: deadlinesOf,
  pay: paymentsOf,
}

/** By day; what has to be answered first, then by name of the event. Events may be told more than once. */
export function entriesIn(month: Temporal.PlainYearMonth, events: readonly Event[]): Map<string, Entry[]> {
  const prefix = month.toString()
  const known = [...new Map(events.map((event) => [event.EventId, event])).values()]
  const all = kinds.flatMap((kind) => known.flatMap((event) => entriesOf(event, kind)))
  return Map.groupBy(
    all.filter(({ day }) => day.startsWith(prefix)),
    ({ day }) => day,
  )
}

/** Options of one event that share a day share an entry. */
function entriesOf(event: Event, kind: EntryKind): Entry[] {
  const byDay = new Map(timesOf[kind](event).map((at) => [utcDay(at), at]))
  return [...byDay].map(([day, at]) => ({ day, kind, event, at }))
}

const utcDay = (at: string): string =>
  at.length === 10 ? at : Temporal.Instant.from(at).toZonedDateTimeISO('UTC').toPlainDate().toString()

/** Weeks from Monday to Sunday; undefined where another month has the day. */
export function weeksOf(month: Temporal.PlainYearMonth): (Temporal.PlainDate | undefined)[][] {
  const first = month.toPlainDate({ day: 1 })
  const cells = Array.from({ length: Math.ceil((first.dayOfWeek - 1 + month.daysInMonth) / 7) * 7 }, (_, index) => {
    const day = index - (first.dayOfWeek - 1)
    return day >= 0 && day < month.daysInMonth ? first.add({ days: day }) : undefined
  })
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}
