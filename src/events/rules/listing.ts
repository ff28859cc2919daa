import type { ElectionStatus, EventState, EventStatus, StandingInstructionStatus } from '../api/enums.ts'
import { takesStandingInstructions } from './elections/closing.ts'
import type { EventFacts } from './facts.ts'

/** Events in these states are listed unless they have lapsed. */
const states: readonly EventState[] = ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn']
/** Past events in these states have lapsed; they are listed only on request. */
const lapsedStates: readonly EventState[] = ['Preliminary', 'Cancelled', 'Confirmed']

/** The events of a list before any filter: those with a key date within one year of today (§7.2). */
export function baseSelection(today: Temporal.PlainDate, includesLapsed: boolean) {
  const from = today.subtract({ years: 1 }).toString()
  const to = today.add({ years: 1 }).toString()
  return { from, to, states, lapsedStates, includesLapsed }
}
export type EventSelection = ReturnType<typeof baseSelection>

/** Why an event is not in the list before any filter: it has no key date, one that is too far away, a state that is not
 *  listed, or it has lapsed (§7.2). */
export type Unlisted = 'undated' | 'distant' | 'state' | 'lapsed'

export function whyUnlisted(
  { keyDate, state }: Pick<EventFacts, 'keyDate' | 'state'>,
  status: EventStatus,
  selection: EventSelection,
): Unlisted | undefined {
  if (keyDate === null) return 'undated'
  if (keyDate < selection.from || keyDate > selection.to) return 'distant'
  const hasLapsed = status === 'Past' && selection.lapsedStates.includes(state)
  if (hasLapsed) return selection.includesLapsed ? undefined : 'lapsed'
  return selection.states.includes(state) ? undefined : 'state'
}

/** The states in which operation 8 finds events (§7.3). */
export const searchedStates = (requested: readonly EventState[] | undefined): readonly EventState[] =>
  requested ?? states

/** The status in the data; else Upcoming before the first of announcement, ex date and election start, Past after the
 *  last of ex date, payments and deadlines, and Active otherwise (§7.5). */
export function eventStatus(
  { status, startsOn, endsOn }: Pick<EventFacts, 'status' | 'startsOn' | 'endsOn'>,
  today: string,
): EventStatus {
  if (status !== null) return status
  if (startsOn !== null && today < startsOn) return 'Upcoming'
  return endsOn !== null && today > endsOn ? 'Past' : 'Active'
}

/** Only electable events have a status (§7.5). Short positions, and elections from them, are negative. */
export function electionStatus(isElectable: boolean, amount: number, elected: number): ElectionStatus | undefined {
  if (!isElectable) return undefined
  if (elected === 0) return 'NotElected'
  return Math.abs(elected) < Math.abs(amount) ? 'PartialElected' : 'Elected'
}

/** The status in the data; else NotCreated where a standing instruction would apply (§7.5). */
export const standingInstructionStatus = (
  eventType: string,
  given: StandingInstructionStatus | undefined,
): StandingInstructionStatus | undefined => given ?? (takesStandingInstructions(eventType) ? 'NotCreated' : undefined)
