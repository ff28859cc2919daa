import { plainStep, StepTally } from '../../core/explain/step-tally.ts'
import { notFound } from '../../core/problem.ts'
import { plural, shareOf } from '../../core/text.ts'
import { type Asked, type Explained, type Explainer, explainer } from '../../http/explain/explainer.ts'
import { eventRow, ListTrace, unheldReason } from '../rules/explained.ts'
import { instrumentKey } from '../rules/facts.ts'
import { searchedStates } from '../rules/listing.ts'
import { cursorOf, type ListedEvent } from '../rules/order.ts'
import type { EventPage } from '../rules/page.ts'
import { eventsAt, type PresentEvents } from './as-of.ts'
import { type EventDependencies, holdingsOfEvent, listEventPage, momentOf, scopeOf } from './list.ts'
import { getEvent, listEvents, requestedPage } from './routes.ts'

export const eventExplainers = (deps: PresentEvents): Explainer[] => [
  explainer(
    listEvents,
    async (asked) => (await explainList(await eventsAt(deps, asked.caller, asked.query.AsOf), asked)).explained,
  ),
  explainer(getEvent, async (asked) => explainEvent(await eventsAt(deps, asked.caller, asked.query.AsOf), asked)),
]

/** Runs operation 7 with a trace of its rules. Also returns the rows of the page. */
export async function explainList(
  deps: EventDependencies,
  { caller, query }: Asked<typeof listEvents>,
): Promise<{ explained: Explained; rows: readonly ListedEvent[] }> {
  const page = requestedPage(query)
  let trace: ListTrace | undefined
  const { rows, total } = await listEventPage(deps, caller, query, page, (criteria, moment) => {
    trace = new ListTrace(criteria, moment)
    return trace.match
  })
  const explained = {
    summary: `${shareOf(total, trace?.announced ?? 0, 'announced event')} ${total === 1 ? 'is' : 'are'} listed.`,
    count: total,
    rows: rows.map((one) => eventRow(one.event, orderReason(page, one))),
    steps: [...(trace?.steps ?? []), orderStep(page), pageStep(page, total, rows.length)],
  }
  return { explained, rows }
}

const valueText = (page: EventPage, one: ListedEvent): string => {
  const { column } = page.order
  if (column === 'Date') return one.event.keyDate ?? 'unknown'
  if (column === 'AnnouncedDate') return one.event.announcedOn ?? 'unknown'
  return cursorOf(page.order, one).value
}

const orderReason = (page: EventPage, one: ListedEvent): string => `${page.order.column}: ${valueText(page, one)}.`

function orderStep({ order: { column, type } }: EventPage) {
  const direction = type === 'Asc' ? 'ascending' : 'descending'
  return plainStep({
    section: '§7.2',
    title: 'Order',
    text: `By ${column}, ${direction} (SortColumn, SortType). Ties are ordered by EventId, ascending.`,
  })
}

function pageStep({ top, skip, after }: EventPage, total: number, onPage: number) {
  const start = after ? 'from the cursor in $skiptoken on' : `after ${plural(skip, 'row')} ($skip)`
  const text = `At most ${plural(top, 'row')} ($top), ${start}.`
  return { ...plainStep({ section: '§2.3', title: 'Page', text }), RowsIn: total, RowsOut: onPage }
}

/** Operation 8. An event of something that the selected accounts never held is explained like an unknown one. */
async function explainEvent(
  deps: EventDependencies,
  { caller, params, query }: Asked<typeof getEvent>,
): Promise<Explained> {
  const moment = momentOf(deps)
  const states = searchedStates(query.EventStates)
  const { holdings } = await holdingsOfEvent(deps, scopeOf(caller, query), moment.today, params.EventId)
  const event = deps.catalogue.find(params.EventId)
  const held = event && holdings.get(instrumentKey(event.assetType, event.uic))
  const announced = plainStep({
    section: '§7.1',
    title: 'Announced events',
    text: `The event with the id ${params.EventId}, of something that the selected accounts hold or held.`,
  })
  const problem = notFound(`Event ${params.EventId}`)
  if (!event || !held?.wasHeld(moment.today))
    return {
      summary: 'No event with this id was announced for what the selected accounts hold or held.',
      steps: [{ ...announced, RowsOut: 0 }],
      problem,
    }
  const inState = new StepTally({
    section: '§7.3',
    title: 'EventStates',
    text: `State ${states.join(', ')}.`,
  })
  const isInState = states.includes(event.state)
  if (isInState) inState.pass()
  const hint = `EventStates=${event.state} finds it.`
  if (!isInState) inState.remove(() => eventRow(event, `Its state is ${event.state}. ${hint}`))
  const steps = [{ ...announced, RowsOut: 1 }, inState.step]
  if (!isInState) return { summary: `The event is ${event.state.toLowerCase()}. ${hint}`, steps, problem }
  const applies = new StepTally({
    section: '§7.1',
    title: 'Holdings',
    text: 'Held today, or at the end of a past record date, by one of the selected accounts.',
  })
  const applied = held.applied(event, moment)
  if (applied) applies.pass()
  else applies.remove(() => eventRow(event, unheldReason(event, moment.today)))
  const all = [...steps, applies.step]
  if (!applied) return { summary: 'The event does not apply to the selected accounts.', steps: all, problem }
  const rows = [eventRow(event, `It applies to ${plural(applied.affected, 'account')}.`)]
  return { summary: 'The event is found.', steps: all, rows, count: 1 }
}
