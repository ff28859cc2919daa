import type { ExplainedRow, ExplanationStep } from '../../core/explain/schema.ts'
import { plainStep, StepTally } from '../../core/explain/step-tally.ts'
import { plural } from '../../core/text.ts'
import type { EventFacts, Moment } from './facts.ts'
import type { EventCriteria } from './filters.ts'
import { type Held, pastRecordDate } from './holdings.ts'
import { eventStatus, type Unlisted, whyUnlisted } from './listing.ts'
import type { ListedEvent } from './order.ts'
import { electionStatusOf, hasElectionStatus, type Match } from './page.ts'

export const eventRow = ({ eventId, eventTypeName, description }: EventFacts, reason: string): ExplainedRow => ({
  Id: eventId,
  Name: [eventTypeName, description].filter((name) => name !== null).join(', '),
  Reason: reason,
})

const unlistedReasons: Readonly<Record<Unlisted, (event: EventFacts) => string>> = {
  undated: () => 'It has no date by which it could be listed.',
  distant: ({ keyDate }) => `Its key date, ${keyDate}, is more than a year away.`,
  state: ({ state }) => `It is ${state.toLowerCase()}.`,
  lapsed: ({ state }) => `It has lapsed: it is past and ${state.toLowerCase()}. IncludeLapsedEvents=true lists it.`,
}

/** Why an event does not apply to the selected accounts (§7.1). */
export function unheldReason(event: EventFacts, today: string): string {
  const recordDate = pastRecordDate(event, today)
  return recordDate === undefined
    ? 'It is not held today.'
    : `It was not held at the end of its record date, ${recordDate}, nor is it held today.`
}

/** Why what was elected does not pass the filter ElectionStatuses. */
function electionReason({ event, applied }: ListedEvent): string {
  const status = electionStatusOf(event, applied)
  return status === undefined
    ? 'It is not electable, so it has no election status.'
    : `Its election status is ${status}.`
}

const days = ({ selection: { from, to } }: EventCriteria): string => `Key date from ${from} to ${to}`

/** Finds the events that match like `matchingEvents`, by the same rules, and counts what each removes. */
export class ListTrace {
  readonly #criteria: EventCriteria
  readonly #today: string
  readonly #selected: StepTally
  readonly #filtered: readonly StepTally[]
  readonly #held = new StepTally({
    section: '§7.1',
    title: 'Holdings',
    text: 'Held today, or at the end of a past record date, by one of the selected accounts.',
  })
  readonly #elected: StepTally | undefined
  #instruments = 0
  #announced = 0

  constructor(criteria: EventCriteria, { today }: Moment) {
    const { selection, filters, electionStatuses } = criteria
    this.#criteria = criteria
    this.#today = today
    const lapsed = selection.includesLapsed ? 'lapsed events included' : 'not lapsed'
    const text = `${days(criteria)}; state ${selection.states.join(', ')}; ${lapsed}.`
    this.#selected = new StepTally({ section: '§7.2', title: 'Listed events', text })
    const filterTally = (parameters: string) =>
      new StepTally({ section: '§7.2', title: parameters, text: `Only events that pass the filter ${parameters}.` })
    this.#filtered = filters.map(({ parameters }) => filterTally(parameters))
    this.#elected = electionStatuses && filterTally('ElectionStatuses')
  }

  readonly match: Match = (holdings, eventsOf, _criteria, moment) => {
    const matching: ListedEvent[] = []
    for (const [instrument, held] of holdings) {
      if (!held.wasHeld(this.#today)) continue
      this.#instruments += 1
      for (const event of eventsOf(instrument)) {
        this.#announced += 1
        const one = this.#passes(event) ? this.#applied(event, held, moment) : undefined
        if (one) matching.push(one)
      }
    }
    return matching
  }

  #passes(event: EventFacts): boolean {
    const status = eventStatus(event, this.#today)
    const unlisted = whyUnlisted(event, status, this.#criteria.selection)
    if (unlisted) {
      this.#selected.remove(() => eventRow(event, unlistedReasons[unlisted](event)))
      return false
    }
    this.#selected.pass()
    for (const [at, filter] of this.#criteria.filters.entries()) {
      const tally = this.#filtered[at] as StepTally
      if (!filter.passes(event, status)) {
        tally.remove(() => eventRow(event, filter.actual(event, status)))
        return false
      }
      tally.pass()
    }
    return true
  }

  #applied(event: EventFacts, held: Held, moment: Moment): ListedEvent | undefined {
    const applied = held.applied(event, moment)
    if (!applied) {
      this.#held.remove(() => eventRow(event, unheldReason(event, this.#today)))
      return undefined
    }
    this.#held.pass()
    const one = { event, applied }
    if (!hasElectionStatus(event, applied, this.#criteria)) {
      this.#elected?.remove(() => eventRow(event, electionReason(one)))
      return undefined
    }
    this.#elected?.pass()
    return one
  }

  get announced(): number {
    return this.#announced
  }

  get steps(): ExplanationStep[] {
    const source = plainStep({
      section: '§7.1',
      title: 'Announced events',
      text: `All events of what the selected accounts hold or held: ${plural(this.#instruments, 'instrument')}.`,
    })
    const tallies = [this.#selected, ...this.#filtered, this.#held, ...(this.#elected ? [this.#elected] : [])]
    return [{ ...source, RowsOut: this.#announced }, ...tallies.map(({ step }) => step)]
  }
}
