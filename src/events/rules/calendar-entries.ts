import type { Event } from '../api/schema.ts'
import { choiceText, eventDescription, eventTitle, typeName } from './calendar-texts.ts'
import { dayOrInstant, type EventOption, isOpen, isPast, isSet, movesOnlySecurities } from './option-terms.ts'

export type CalendarEntry = Readonly<{
  /** Stable while the event has this kind of date, even if the date changes. */
  uid: string
  /** A day (YYYY-MM-DD) for an all-day entry, else an instant. */
  at: string
  title: string
  description: string
  category: string
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
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

/** Event types whose effective date is the day of a meeting. */
const meetings: readonly string[] = ['BMET', 'CMET', 'MEET', 'OMET', 'XMET']

/** The status is also in the title: calendar apps hide it, or show it by colour alone. */
const states: Partial<Record<Event['EventState'], { status: CalendarEntry['status']; prefix: string }>> = {
  Cancelled: { status: 'CANCELLED', prefix: 'Cancelled: ' },
  Preliminary: { status: 'TENTATIVE', prefix: 'Expected: ' },
  Withdrawn: { status: 'CANCELLED', prefix: 'Withdrawn: ' },
}

/** `host` makes the ids of entries globally unique. */
type EntryOptions = Readonly<{ host: string; now: Temporal.Instant }>

export function* calendarEntries(events: Iterable<Event>, options: EntryOptions): Generator<CalendarEntry> {
  for (const event of events) yield* entriesOf(event, options)
}

function entriesOf(event: Event, { host, now }: EntryOptions): CalendarEntry[] {
  const options = (event.Options ?? []).filter(isOpen)
  const { status, prefix } = states[event.EventState] ?? { status: 'CONFIRMED', prefix: '' }
  const mustChoose = event.Electable === 'Electable' && event.ElectionStatus !== 'Elected' && status !== 'CANCELLED'
  const shared = {
    description: eventDescription(event, options, now),
    category: typeName(event),
    status,
    updatedAt: event.UpdatedDateTime,
  }
  return momentsOf(event, options)
    .filter(({ at }) => isSet(at))
    .map(({ kind, at, options: affected }) => ({
      uid: uidOf(event.EventId, kind, affected[0], host),
      at,
      title: `${prefix}${headingOf(kind, event, affected)}: ${eventTitle(event)}${choiceText(affected, options)}`,
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
  const onDay = (kind: Moment['kind'], day: string | undefined): Moment[] =>
    day === undefined ? [] : [{ kind, at: day.slice(0, 10), options: [] }]
  return [
    ...onDay('ex', Ex?.Date),
    ...onDay('record', Record?.Date),
    ...onDay('effective', Effective?.Date),
    ...byDate('deadline', options, ({ Deadline }) => Deadline?.Date && dayOrInstant(Deadline.Date)),
    ...byDate('payment', options, ({ Payment }) => Payment?.Date?.slice(0, 10)),
  ]
}

function byDate(
  kind: Moment['kind'],
  options: readonly EventOption[],
  dateOf: (option: EventOption) => string | undefined,
): Moment[] {
  const dates = Map.groupBy(options, dateOf)
  return [...dates].flatMap(([at, affected]) => (at === undefined ? [] : [{ kind, at, options: affected }]))
}

/** Independent of the date, so that entries move with it. encodeURIComponent rejects lone surrogates. */
function uidOf(eventId: string, kind: string, option: EventOption | undefined, host: string): string {
  const names = [eventId, kind, ...(option ? [option.OptionId] : [])]
  return `${names.map((name) => encodeURIComponent(name.toWellFormed())).join('/')}@${host}`
}
