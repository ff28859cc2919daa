import type { EventState, EventStatus } from '../api/enums.ts'

/** Which events a list is made of, before any filter narrows it (§4.2 rules 1 to 3, contract §7). */
export type Listing = Readonly<{
  /** The key date lies between these, both included. */
  from: string
  to: string
  /** Events in these states are listed, unless they have lapsed. */
  states: readonly EventState[]
  /** Events that are Past in these states have lapsed; they are listed only when asked for. */
  lapsedStates: readonly EventState[]
  includesLapsed: boolean
}>

const unlapsed: readonly EventState[] = ['Approved', 'Confirmed', 'Preliminary', 'Withdrawn']
const lapsed: readonly EventState[] = ['Preliminary', 'Cancelled', 'Confirmed']

/** Events within one year of today, both sides: neither Cancelled nor Complete, and lapsed ones only when asked for. */
export function listing(today: Temporal.PlainDate, includesLapsed: boolean): Listing {
  return {
    from: today.subtract({ years: 1 }).toString(),
    to: today.add({ years: 1 }).toString(),
    states: unlapsed,
    lapsedStates: lapsed,
    includesLapsed,
  }
}

/** Where operation 8 looks: in the states that are named, else where nothing is over (§4.2). */
export function searchedStates(states: readonly EventState[] | undefined): readonly EventState[] {
  return states ?? unlapsed
}

type Dated = Readonly<{ status: string | null; startsOn: string | null; endsOn: string | null }>

/** What the data says; else Upcoming before the first of announcement, ex date and election start, Past after the last of
 *  ex date, payments and deadlines, and Active between and without any such date (contract §7). */
export function eventStatus({ status, startsOn, endsOn }: Dated, today: string): EventStatus {
  if (status !== null) return status as EventStatus
  if (startsOn !== null && today < startsOn) return 'Upcoming'
  return endsOn !== null && today > endsOn ? 'Past' : 'Active'
}
