import { notFound } from '../../core/problem.ts'
import { aligned, printable } from '../../core/text.ts'
import { findEvent, listAllEvents, parseEvent, scopeOf } from '../api/list.ts'
import type { Event, Holding } from '../api/schema.ts'
import { searchedStates } from '../rules/listing.ts'
import { deadlineOf } from '../rules/status/deadlines.ts'
import { describeStatus, type StatusTexts } from '../rules/status/texts.ts'
import { callerNamed, type EventCommand, type EventCommandDependencies } from './dependencies.ts'

/** refdesk events: what the client of a user sees, as operations 7 and 8 return it. */
export const showEvents: EventCommand = async (deps, { words: [user, eventId], options }, say) => {
  const caller = await callerNamed(deps, user)
  if (eventId !== undefined) {
    const event = await readEvent(deps, caller, eventId)
    for (const line of options.json === true ? [JSON.stringify(event)] : eventLines(event, deps.clock.now())) say(line)
    return 0
  }
  const filters = { IncludeLapsedEvents: options.lapsed === true, IncludeSubAccounts: false }
  const events = await listAllEvents(deps, caller, filters)
  const now = deps.clock.now()
  if (options.json === true) for (const event of events) say(JSON.stringify(event))
  else if (events.length === 0) say('There are no events of what the client holds.')
  else for (const line of aligned([headings, ...events.map((event) => eventRow(event, now))])) say(line)
  return 0
}

export async function readEvent(
  deps: EventCommandDependencies,
  caller: Readonly<{ ClientKey: string }>,
  eventId: string,
): Promise<Event> {
  const scope = scopeOf(caller, { IncludeSubAccounts: false })
  const found = await findEvent(deps, scope, eventId, searchedStates(undefined))
  if (!found) throw notFound(`Event ${eventId}`)
  return parseEvent(found)
}

const headings = ['EventId', 'Event', 'Instrument', 'Status', 'Elect by', 'Held']

function eventRow(event: Event, now: Temporal.Instant): string[] {
  const { EventId, EventType, Holdings = [] } = event
  const held = Holdings.reduce((sum, { Amount }) => sum + Amount, 0)
  const type = EventType.Name ?? EventType.Code
  const by = event.Electable === 'Electable' ? (deadlineOf(event, now) ?? '') : ''
  return [EventId, type, nameOf(event), statusIn(event, now).label, timeOf(by), amount(held)].map(printable)
}

/** The same status as in the console, with dates in UTC. */
const statusIn = (event: Event, now: Temporal.Instant): StatusTexts =>
  describeStatus(event, now, { short: (at) => at.slice(0, 10), long: timeOf })

const nameOf = ({ DisplayAndFormat: names, Uic }: Event): string => names?.Description ?? names?.Symbol ?? `Uic ${Uic}`
/** `2026-11-18T12:00:00Z`, or `2026-11-18` for a day. */
const timeOf = (text: string): string => text.replace(/\.\d+Z$/, 'Z').replace('T00:00:00Z', '')
const amount = (value: number): string => String(Math.round(value * 1e8) / 1e8)

function eventLines(event: Event, now: Temporal.Instant): string[] {
  const { EventType, EventId, Options = [], Holdings = [], ElectionStatus } = event
  const days = [
    ['Announced', event.AnnouncedDate],
    ['Ex', event.Ex?.Date],
    ['Record', event.Record?.Date],
    ['Effective', event.Effective?.Date],
  ].flatMap(([name, date]) => (date === undefined ? [] : [`${name} ${timeOf(date)}`]))
  const { label, explanation } = statusIn(event, now)
  const state = [event.CorporateActionType, event.EventState, event.EventStatus, ElectionStatus].filter(Boolean)
  return [
    `${EventType.Name ?? EventType.Code}, ${printable(nameOf(event))} (${printable(EventId)})`,
    state.join(', '),
    `${label}: ${explanation}`,
    ...(days.length > 0 ? [days.join(', ')] : []),
    '',
    ...aligned([['Option', 'Type', 'Default', 'Status', 'Elect by', 'Payment'], ...Options.map(optionRow)]),
    '',
    ...holdingLines(Holdings),
  ]
}

type EventOption = NonNullable<Event['Options']>[number]

const optionRow = ({ OptionId, OptionType, IsDefault, OptionStatus, Deadline, Payment }: EventOption): string[] => [
  printable(OptionId),
  printable(OptionType?.Name ?? OptionType?.Code ?? ''),
  IsDefault ? 'yes' : '',
  OptionStatus ?? '',
  timeOf(Deadline?.Date ?? Deadline?.Status ?? ''),
  timeOf(Payment?.Date ?? ''),
]

export function holdingLines(holdings: readonly Holding[]): string[] {
  const rows = holdings.map(({ AccountId, Amount, ElectedAmount, Options = [] }) => [
    printable(AccountId),
    amount(Amount),
    amount(ElectedAmount),
    Options.map(electionText).join('; ') || 'none',
  ])
  return aligned([['Account', 'Held', 'Elected', 'Elections'], ...rows])
}

/** `280 for 001 (Manual by ada)`. */
function electionText({ OptionId, ElectedAmount, ElectionType, ElectedBy }: NonNullable<Holding['Options']>[number]) {
  const how = [ElectionType, ElectedBy && `by ${printable(ElectedBy)}`].filter(Boolean).join(' ')
  return `${amount(ElectedAmount)} for ${printable(OptionId)}${how === '' ? '' : ` (${how})`}`
}
