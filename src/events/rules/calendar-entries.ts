import type { Event } from '../api/schema.ts'
import { choiceText, eventDescription, eventTitle, typeName } from './calendar-texts.ts'
import { type EventOption, isOpen, isPast, isSet, movesOnlySecurities } from './option-terms.ts'

/** What a calendar shows of an event: one thing that happens. */
export type CalendarEntry = Readonly<{
  /** The same for as long as the event has such a day, wherever that moves. */
  uid: string
  /** A day (YYYY-MM-DD) for an entry of the whole day, else an instant. */
  at: string
  title: string
  description: string
  category: string
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  /** Somebody has still to choose. */
  hasAlarm: boolean
  updatedAt: string
}>

type Moment = Readonly<{ kind: keyof typeof kinds; at: string; options: readonly EventOption[] }>

const kinds = {
  ex: 'Ex date',
  record: 'Record date',
  effective: 'Effective date',
  deadline: 'Deadline',
  payment: 'Payment',
} as const

/** Codes of events whose effective date is the day of a meeting. */
const meetings: readonly string[] = ['BMET', 'CMET', 'MEET', 'OMET', 'XMET']

/** Programs hide a status, or show it by colour alone. */
const prefixes: Partial<Record<Event['EventState'], string>> = {
  Cancelled: 'Cancelled: ',
  Preliminary: 'Expected: ',
  Withdrawn: 'Withdrawn: ',
}

/** `host` makes the ids of entries different from everybody else's. */
type ViewOptions = Readonly<{ host: string; now: Temporal.Instant }>

/** The days and deadlines of events, in the events' order. */
export function* calendarEntries(events: Iterable<Event>, telling: ViewOptions): Generator<CalendarEntry> {
  for (const event of events) yield* entriesOf(event, telling)
}

function entriesOf(event: Event, { host, now }: ViewOptions): CalendarEntry[] {
  const options = (event.Options ?? []).filter(isOpen)
  const status = statusOf(event)
  const mustChoose = event.Electable === 'Electable' && event.ElectionStatus !== 'Elected' && status !== 'CANCELLED'
  const prefix = prefixes[event.EventState] ?? ''
  const shared = {
    description: eventDescription(event, options, now),
    category: typeName(event),
    status,
    updatedAt: event.UpdatedDateTime,
  }
  return momentsOf(event, options)
    .filter(({ at }) => isSet(at))
    .map(({ kind, at, options: concerned }) => ({
      uid: uidOf(event.EventId, kind, concerned[0], host),
      at,
      title: `${prefix}${headingOf(kind, event, concerned)}: ${eventTitle(event)}${choiceText(concerned, options)}`,
      hasAlarm: mustChoose && kind === 'deadline' && !isPast(at, now),
      ...shared,
    }))
}

function headingOf(kind: Moment['kind'], { EventType }: Event, options: readonly EventOption[]): string {
  if (kind === 'effective' && meetings.includes(EventType.Code)) return 'Meeting'
  if (kind === 'payment' && options.every(movesOnlySecurities)) return 'New securities'
  return kinds[kind]
}

function momentsOf({ Ex, Record, Effective }: Event, options: readonly EventOption[]): Moment[] {
  const days = { ex: Ex?.Date, record: Record?.Date, effective: Effective?.Date }
  return [
    ...(['ex', 'record', 'effective'] as const).flatMap((kind) => {
      const day = days[kind]
      return day === undefined ? [] : [{ kind, at: day.slice(0, 10), options: [] }]
    }),
    ...byDate('deadline', options, ({ Deadline }) => Deadline?.Date),
    ...byDate('payment', options, ({ Payment }) => Payment?.Date.slice(0, 10)),
  ]
}

/** Options that share a date share an entry. */
function byDate(
  kind: Moment['kind'],
  options: readonly EventOption[],
  dateOf: (option: EventOption) => string | undefined,
): Moment[] {
  const dates = Map.groupBy(options, dateOf)
  return [...dates].flatMap(([at, concerned]) => (at === undefined ? [] : [{ kind, at, options: concerned }]))
}

/** By event, kind and first option, never by date: an entry whose date changes moves, and is not another one. The parts
 *  are escaped, so that no two lists of them make the same id; half a surrogate pair cannot be. */
function uidOf(eventId: string, kind: string, option: EventOption | undefined, host: string): string {
  const parts = [eventId, kind, ...(option ? [option.OptionId] : [])]
  return `${parts.map((part) => encodeURIComponent(part.toWellFormed())).join('/')}@${host}`
}

function statusOf({ EventState }: Event): CalendarEntry['status'] {
  if (EventState === 'Cancelled' || EventState === 'Withdrawn') return 'CANCELLED'
  return EventState === 'Preliminary' ? 'TENTATIVE' : 'CONFIRMED'
}
