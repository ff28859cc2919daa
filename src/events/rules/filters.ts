import { invalid } from '../../core/problem.ts'
import type { EventFilters } from '../api/schema.ts'
import type { EventFacts } from './facts.ts'
import { type EventSelection, eventStatus, isSelected } from './listing.ts'

/** A range of days, inclusive; an undefined end is open. */
export type DayRange = Readonly<{ from: string | undefined; to: string | undefined }>
export type DayRanges = Readonly<Record<DayKind, DayRange>>

export type EventCriteria = Readonly<{
  selection: EventSelection
  filters: EventFilters
  days: DayRanges
  keywords: readonly string[]
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

/** Whether an event is listed, as far as that does not depend on holdings (§7.2). */
export function passesFilters(event: EventFacts, criteria: EventCriteria, today: string): boolean {
  const { selection, filters, days, keywords } = criteria
  const status = eventStatus(event, today)
  return (
    isSelected(event, status, selection) &&
    isWithin(event.exOn, days.Ex) &&
    isWithin(event.recordOn, days.Record) &&
    isAnyWithin(event.deadlines, days.Deadline) &&
    isAnyWithin(event.payments, days.Pay) &&
    isAmong(event.assetType, filters.AssetTypes) &&
    isAmong(event.corporateActionType, filters.CorporateActionTypes) &&
    isAmong(event.eventType, filters.EventTypes) &&
    isAmong(event.state, filters.EventStates) &&
    (filters.EventStatus === undefined || filters.EventStatus === status) &&
    (keywords.length === 0 || hasKeywords(event, keywords))
  )
}

const isAmong = (value: string, values: readonly string[] | undefined): boolean =>
  values === undefined || values.includes(value)

function isWithin(day: string | null, { from, to }: DayRange): boolean {
  if (from === undefined && to === undefined) return true
  return day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
}

const isAnyWithin = (days: readonly string[], range: DayRange): boolean =>
  (range.from === undefined && range.to === undefined) || days.some((day) => isWithin(day, range))

function hasKeywords({ description, isin, symbol }: EventFacts, keywords: readonly string[]): boolean {
  const names = [description, isin, symbol]
    .filter((name) => name !== null)
    .join('\n')
    .toLowerCase()
  return keywords.every((word) => names.includes(word))
}
