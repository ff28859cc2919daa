import type { Event } from '../../../events/api/schema.ts'
import { isSet, keyDateOf } from '../../../events/rules/status/deadlines.ts'
import { dueEvents } from '../../../events/rules/status/status.ts'

/** What is ahead: decisions by deadline, then the others by date, before and after today. */
export type Agenda = Readonly<{
  decide: readonly Event[]
  underWay: readonly Event[]
  ahead: readonly Event[]
}>

/** The day that sorts an event. Events without one are last. */
const dayOf = (event: Event): string => {
  const on = keyDateOf(event)?.on
  return isSet(on) ? on.slice(0, 10) : '9999'
}

/** `until`: the last day of which all events were read. Later ones are left out, so that none is missing in between. */
export function agendaOf(events: readonly Event[], now: Temporal.Instant, until?: string): Agenda {
  const today = now.toString().slice(0, 10)
  const known = [...new Map(events.map((event) => [event.EventId, event])).values()]
  const days = new Map(known.map((event) => [event, dayOf(event)]))
  const day = (event: Event) => days.get(event) ?? ''
  const isAhead = (event: Event) => day(event) >= today || event.EventStatus === 'Upcoming'
  const decide = dueEvents(known, now).map(({ event }) => event)
  const decided = new Set(decide)
  const others = known
    .filter((event) => !decided.has(event) && (until === undefined || day(event) <= until))
    .toSorted((a, b) => day(a).localeCompare(day(b)))
  return {
    decide,
    underWay: others.filter((event) => !isAhead(event)),
    ahead: others.filter(isAhead),
  }
}

/** The last day that a feed in order of dates covers: undefined if it is complete. */
export const coveredUntil = (events: readonly Event[], hasMore: boolean): string | undefined => {
  const last = events.at(-1)
  return hasMore && last ? dayOf(last) : undefined
}
