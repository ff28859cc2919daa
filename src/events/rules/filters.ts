import { invalid } from '../../core/problem.ts'
import type { EventFilters } from '../api/schema.ts'

/** A range of days, inclusive; an undefined end is open. */
export type DayRange = Readonly<{ from: string | undefined; to: string | undefined }>
export type DayRanges = Readonly<Record<DayKind, DayRange>>

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
