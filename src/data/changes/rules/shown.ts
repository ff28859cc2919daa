import { assetTypes } from '../../../core/asset-type.ts'
import type { Position } from './cursor.ts'
import type { Pair } from './fields.ts'

export type Change = 'Added' | 'Changed' | 'Removed'

/** What a run did to a record. */
export type RecordChange = Readonly<{
  at: Position
  run: number
  kind: string
  id: string
  time: Temporal.Instant
  revision?: number
  change: Change
  fields: readonly string[]
  /** Undefined if there was no record. */
  before: readonly Pair[] | undefined
  after: readonly Pair[] | undefined
}>

export type Shown = Readonly<{ change: Change; fields: readonly string[] }>

/** What a caller may see. */
export type Visibility = Readonly<{
  isVisible(assetType: string, exchangeId: string): boolean
  /** Whether the caller's client holds an instrument, or held it before. */
  holds(assetType: string, uic: number): boolean
  /** Whether it did so before the run of the change. If not given: as now. */
  held?(assetType: string, uic: number): boolean
}>

/** The kinds of which every caller may see some records; all others are for operators. */
export const publicKinds = ['instrument', 'optionRoot', 'exchange', 'event'] as const

/** Relations may lead to what the caller may not see; elections and sources of events are not the caller's. */
const hiddenFields: readonly string[] = [
  ...['RelatedInstruments', 'RelatedOptionRootsEnhanced', 'RelatedOptionRoots'],
  ...['Holdings', 'Source'],
]

/** A change as the caller sees it; undefined if they see nothing of it (§9.6). What becomes visible is added, and what
 *  becomes invisible removed. */
export function shownChange(changed: RecordChange, visibility: Visibility): Shown | undefined {
  const { isVisible, holds, held = holds } = visibility
  const wasSeen = seen(changed, changed.before, { isVisible, holds: held })
  const isSeen = seen(changed, changed.after, visibility)
  if (!wasSeen && !isSeen) return undefined
  if (!wasSeen) return { change: 'Added', fields: [] }
  if (!isSeen) return { change: 'Removed', fields: [] }
  const fields = changed.fields.filter((field) => isFieldSeen(changed, field, visibility))
  return fields.length > 0 ? { change: 'Changed', fields } : undefined
}

function seen({ kind, id }: RecordChange, pairs: readonly Pair[] | undefined, visibility: Visibility): boolean {
  if (!pairs) return false
  if (kind === 'exchange') return assetTypes.some((type) => visibility.isVisible(type, id))
  if (kind === 'event') return pairs.some(([type, uic]) => visibility.holds(type, Number(uic)))
  return pairs.some(([type, exchangeId]) => visibility.isVisible(type, exchangeId))
}

function isFieldSeen({ before = [], after = [] }: RecordChange, field: string, visibility: Visibility): boolean {
  const type = /^As\[(.+)\]$/.exec(field)?.[1]
  if (type === undefined) return !hiddenFields.includes(field)
  return [...before, ...after].some((pair) => pair[0] === type && visibility.isVisible(...pair))
}
