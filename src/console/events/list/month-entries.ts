import type { Event } from '../../../events/api/schema.ts'
import { deadlinesOf, isSet, paymentsOf } from '../../../events/rules/status/deadlines.ts'

export type EntryKind = 'ex' | 'due' | 'pay'
export type Entry = Readonly<{ day: string; kind: EntryKind; event: Event; at: string }>

const kinds: readonly EntryKind[] = ['due', 'ex', 'pay']

const timesOf: Record<EntryKind, (event: Event) => readonly string[]> = {
  ex: ({ Ex }) => (isSet(Ex?.Date) ? [Ex.Date] : []),
  due: deadlinesOf,
  pay: paymentsOf,
}

/** The entries of a month by day, deadlines first. Repeated events count once. */
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

/** Dates of events are in UTC (§2.2). */
const utcDay = (at: string): string =>
  at.length === 10 || at.endsWith('Z')
    ? at.slice(0, 10)
    : Temporal.Instant.from(at).toZonedDateTimeISO('UTC').toPlainDate().toString()

/** Weeks from Monday to Sunday, with undefined for days of other months. */
export function weeksOf(month: Temporal.PlainYearMonth): (Temporal.PlainDate | undefined)[][] {
  const first = month.toPlainDate({ day: 1 })
  const offset = first.dayOfWeek - 1
  return Array.from({ length: Math.ceil((offset + month.daysInMonth) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const day = week * 7 + weekday - offset
      return day >= 0 && day < month.daysInMonth ? first.add({ days: day }) : undefined
    }),
  )
}
