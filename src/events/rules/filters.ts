import { invalid } from '../../core/problem.ts'
import type { ElectionStatus, EventStatus } from '../api/enums.ts'
import type { EventFilters } from '../api/schema.ts'
import type { EventFacts } from './facts.ts'
import { type EventSelection, eventStatus, whyUnlisted } from './listing.ts'

/** A range of days, inclusive; an undefined end is open. */
export type DayRange = Readonly<{ from: string | undefined; to: string | undefined }>
export type DayRanges = Readonly<Record<DayKind, DayRange>>

/** A filter that a request has: which events pass, and what an event that does not pass has instead. */
export type EventFilter = Readonly<{
  parameters: string
  passes(event: EventFacts, status: EventStatus): boolean
  actual(event: EventFacts, status: EventStatus): string
}>

/** What a list is made by: the rules without filters, the filters of the request, and that by what was elected. */
export type EventCriteria = Readonly<{
  selection: EventSelection
  filters: readonly EventFilter[]
  electionStatuses: readonly ElectionStatus[] | undefined
}>

const dayKinds = ['Deadline', 'Ex', 'Pay', 'Record'] as const
export type DayKind = (typeof dayKinds)[number]

/** The date filters (§7.2). All ranges that end before they begin are reported together. */
export function dayRanges(filters: EventFilters): DayRanges {
  const ranges = Object.fromEntries(
    dayKinds.map((kind) => [kind, { from: filters[`From${kind}Date`], to: filters[`To${kind}Date`] }]),
  ) as Record<DayKind, DayRange>
  const reversed = dayKinds.filter((kind) => {
    const { from, to } = ranges[kind]
    return from !== undefined && to !== undefined && from > to
  })
  if (reversed.length === 0) return ranges
  throw invalid(Object.fromEntries(reversed.map((kind) => [`From${kind}Date`, [`Must not be after To${kind}Date.`]])))
}

/** The words of Keywords, all of which must match (§7.2). */
export function keywordsOf(text: string | undefined): string[] {
  const words = (text ?? '').toLowerCase().split(/\s+/u)
  return [...new Set(words)].filter((word) => word !== '')
}

export const eventCriteria = (filters: EventFilters, selection: EventSelection): EventCriteria => ({
  selection,
  filters: [
    ...dayFilters(dayRanges(filters)),
    ...valueFilters(filters),
    ...keywordFilters(keywordsOf(filters.Keywords)),
  ],
  electionStatuses: filters.ElectionStatuses,
})

/** Whether an event is listed, as far as that does not depend on holdings (§7.2). */
export function passesFilters(event: EventFacts, { selection, filters }: EventCriteria, today: string): boolean {
  const status = eventStatus(event, today)
  if (whyUnlisted(event, status, selection)) return false
  for (const filter of filters) if (!filter.passes(event, status)) return false
  return true
}

type DaysOf = Readonly<
  { name: string } & ({ day(event: EventFacts): string | null } | { days(event: EventFacts): readonly string[] })
>

const daysOf: Readonly<Record<DayKind, DaysOf>> = {
  Ex: { name: 'ex date', day: ({ exOn }) => exOn },
  Record: { name: 'record date', day: ({ recordOn }) => recordOn },
  Deadline: { name: 'deadline', days: ({ deadlines }) => deadlines },
  Pay: { name: 'pay date', days: ({ payments }) => payments },
}

function dayFilters(ranges: DayRanges): EventFilter[] {
  return dayKinds.flatMap((kind) => {
    const { from, to } = ranges[kind]
    if (from === undefined && to === undefined) return []
    const isWithin = (day: string | null): boolean =>
      day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
    const of = daysOf[kind]
    const passes =
      'day' in of
        ? (event: EventFacts) => isWithin(of.day(event))
        : (event: EventFacts) => of.days(event).some(isWithin)
    const given = [from !== undefined && `From${kind}Date`, to !== undefined && `To${kind}Date`]
    const parameters = given.filter((each) => each !== false).join(' and ')
    return [{ parameters, passes, actual: (event: EventFacts) => actualDays(of, event) }]
  })
}

function actualDays(of: DaysOf, event: EventFacts): string {
  const days = 'day' in of ? [of.day(event) ?? []].flat() : of.days(event)
  return days.length === 0 ? `It has no ${of.name}.` : `Its ${of.name} is ${days.join(', ')}.`
}

type ValueOf = (event: EventFacts, status: EventStatus) => string

function valueFilters(filters: EventFilters): EventFilter[] {
  const among = (parameters: string, name: string, values: readonly string[] | undefined, valueOf: ValueOf) =>
    values === undefined
      ? []
      : [
          {
            parameters,
            passes: (event: EventFacts, status: EventStatus) => values.includes(valueOf(event, status)),
            actual: (event: EventFacts, status: EventStatus) => `Its ${name} is ${valueOf(event, status)}.`,
          },
        ]
  const { AssetTypes, CorporateActionTypes, EventTypes, EventStates, EventStatus } = filters
  return [
    ...among('AssetTypes', 'asset type', AssetTypes, ({ assetType }) => assetType),
    ...among(
      'CorporateActionTypes',
      'corporate action type',
      CorporateActionTypes,
      ({ corporateActionType }) => corporateActionType,
    ),
    ...among('EventTypes', 'event type', EventTypes, ({ eventType }) => eventType),
    ...among('EventStates', 'state', EventStates, ({ state }) => state),
    ...among('EventStatus', 'status', EventStatus && [EventStatus], (_, status) => status),
  ]
}

function keywordFilters(keywords: readonly string[]): EventFilter[] {
  if (keywords.length === 0) return []
  const isIn = (event: EventFacts) => {
    const names = namesOf(event)
    return (word: string) => names.includes(word)
  }
  return [
    {
      parameters: 'Keywords',
      passes: (event) => keywords.every(isIn(event)),
      actual: (event) => {
        const isNamed = isIn(event)
        const missing = keywords.filter((word) => !isNamed(word))
        return `Its description, ISIN and symbol do not contain ${missing.map((word) => JSON.stringify(word)).join(', ')}.`
      },
    },
  ]
}

const namesOf = ({ description, isin, symbol }: EventFacts): string =>
  [description, isin, symbol]
    .filter((name) => name !== null)
    .join('\n')
    .toLowerCase()
