import { invalid } from '../../core/problem.ts'
import type { EventFilters } from '../api/schema.ts'

/** A range of days, both ends included; an end that is undefined is open. */
export type DayRange = Readonly<{ from: string | undefined; to: string | undefined }>
export type DayRanges = Readonly<Record<DayKind, DayRange>>

const dayKinds = ['Deadline', 'Ex', 'Pay', 'Record'] as const
export type DayKind = (typeof dayKinds)[number]

/** The date filters (§4.2 rule 4). A range that ends before it begins is told for all of them at once. */
export function dayRanges(filters: EventFilters): DayRanges {
  const ranges = Object.fromEntries(
    dayKinds.map((kind) => [kind, { from: filters[`From${kind}Date`], to: filters[`To${kind}Date`] }]),
  ) as Record<DayKind, DayRange>
  const wrong = dayKinds.filter((kind) => {
    const { from, to } = ranges[kind]
    return from !== undefined && to !== undefined && from > to
  })
  if (wrong.length === 0) return ranges
  throw invalid(Object.fromEntries(wrong.map((kind) => [`From${kind}Date`, [`Must not be after To${kind}Date.`]])))
}

/** The words of a search, which all must be found (§4.2 rule 6). */
export function keywordsOf(text: string | undefined): string[] {
  const words = (text ?? '').toLowerCase().split(/\s+/u)
  return [...new Set(words)].filter((word) => word !== '')
}
