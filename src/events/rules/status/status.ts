import type { Event } from '../../api/schema.ts'
import {
  canBeElected,
  compareEnds,
  deadlineOf,
  defaultOption,
  electionStartOf,
  isAhead,
  isSet,
  paymentsOf,
  utcDayOf,
} from './deadlines.ts'

/** How far an event has come, in one word for all of EventState, EventStatus, ElectionStatus and its dates. None of them
 *  is contradicted: Upcoming and Past are those of EventStatus, Elected that of ElectionStatus. */
export type Progress =
  | 'Cancelled'
  | 'Withdrawn'
  | 'Complete'
  | 'Lapsed'
  | 'Decide'
  | 'Opens'
  | 'Open'
  | 'Elected'
  | 'StandingInstruction'
  | 'StandingInstructionApplied'
  | 'Default'
  | 'DefaultApplied'
  | 'Missed'
  | 'Ex'
  | 'Effective'
  | 'Pays'
  | 'Paid'
  | 'Upcoming'
  | 'Active'
  | 'Past'

/** `at`: the date that it depends on. */
export type Status = Readonly<{ progress: Progress; at?: string | undefined }>

const lastStatuses = new WeakMap<Event, Readonly<{ now: Temporal.Instant; status: Status }>>()

/** Of an event, which never changes. A page asks several times at the same moment. */
export function statusOf(event: Event, now: Temporal.Instant): Status {
  const last = lastStatuses.get(event)
  if (last?.now === now) return last.status
  const status = statusAt(event, now)
  lastStatuses.set(event, { now, status })
  return status
}

function statusAt(event: Event, now: Temporal.Instant): Status {
  const { EventState, EventStatus, Electable, ElectionStatus } = event
  if (EventState === 'Cancelled' || EventState === 'Withdrawn' || EventState === 'Complete')
    return { progress: EventState }
  // Not lapsed as in §7.2, which hides all that were never approved: a confirmed dividend was paid on its day.
  if (EventStatus === 'Past' && EventState === 'Preliminary' && ElectionStatus !== 'Elected')
    return { progress: 'Lapsed' }
  return (Electable === 'Electable' ? electionOf(event, now) : undefined) ?? datesOf(event, now)
}

/** Undefined once the election says nothing any more: what it led to has been booked. */
function electionOf(event: Event, now: Temporal.Instant): Status | undefined {
  const at = deadlineOf(event, now)
  if (at !== undefined && !isAhead(at, now)) return closedElection(event, now, at)
  if (event.ElectionStatus === 'Elected') return { progress: 'Elected', at }
  if (hasStandingInstructions(event)) return { progress: 'StandingInstruction', at }
  const opens = canBeElected(event, now) ? undefined : electionStartOf(event, now)
  if (opens !== undefined) return { progress: 'Opens', at: opens }
  return at === undefined ? { progress: 'Open' } : { progress: 'Decide', at }
}

/** Every account that holds it has one. */
const hasStandingInstructions = ({ Holdings = [] }: Event): boolean =>
  Holdings.length > 0 && Holdings.every(({ StandingInstructionStatus: status }) => status === 'Created')

function closedElection(event: Event, now: Temporal.Instant, at: string): Status | undefined {
  const isElected = event.ElectionStatus === 'Elected'
  const fallback = defaultOption(event)
  if (!isElected && !fallback) return { progress: 'Missed', at }
  if (isPaid(event, now)) return undefined
  if (!isElected) return { progress: 'Default', at }
  const applied = appliedOptions(event)
  if (applied.length === 0) return { progress: 'Elected', at }
  const isDefault = applied.some((id) => id === fallback?.OptionId)
  return { progress: isDefault ? 'DefaultApplied' : 'StandingInstructionApplied', at }
}

/** The options that holdings got after the deadline (§7.9): elected by no one. */
const appliedOptions = ({ Holdings = [] }: Event): string[] =>
  Holdings.flatMap(({ Options = [] }) => Options)
    .filter(({ ElectionType, ElectedBy }) => ElectionType === 'Auto' && ElectedBy === undefined)
    .map(({ OptionId }) => OptionId)

const isPaid = (event: Event, now: Temporal.Instant): boolean => {
  const last = paymentsOf(event).at(-1)
  return last !== undefined && last < utcDayOf(now)
}

function datesOf(event: Event, now: Temporal.Instant): Status {
  const { EventStatus, Ex, Effective } = event
  if (EventStatus === 'Upcoming') return { progress: 'Upcoming' }
  const today = utcDayOf(now)
  const payments = paymentsOf(event)
  const last = payments.at(-1)
  if (last !== undefined && last < today) return { progress: 'Paid', at: last }
  if (EventStatus === 'Past') return { progress: 'Past' }
  const dates: readonly (readonly [Progress, string | undefined])[] = [
    ['Ex', Ex?.Date],
    ['Effective', Effective?.Date],
    ...payments.map((at) => ['Pays', at] as const),
  ]
  const ahead = dates.flatMap(([progress, at]) =>
    isSet(at) && at.slice(0, 10) >= today ? [{ progress, at: at.slice(0, 10) }] : [],
  )
  return ahead.toSorted((a, b) => a.at.localeCompare(b.at))[0] ?? { progress: 'Active' }
}

export const needsDecision = (event: Event, now: Temporal.Instant): boolean =>
  statusOf(event, now).progress === 'Decide'

export type Due = Readonly<{ event: Event; at: string }>

/** What needs a decision, earliest deadline first. */
export function dueEvents(events: readonly Event[], now: Temporal.Instant): Due[] {
  return events
    .flatMap((event) => {
      const { progress, at } = statusOf(event, now)
      return progress === 'Decide' && at !== undefined ? [{ event, at }] : []
    })
    .toSorted((a, b) => compareEnds(a.at, b.at))
}

export type Decisions = Readonly<{
  due: readonly Due[]
  /** The last deadline that was read, if there were too many events to read all. */
  until?: string | undefined
  isComplete: boolean
}>
