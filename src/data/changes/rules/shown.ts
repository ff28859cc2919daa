import { assetTypes } from '../../../core/asset-type.ts'
import type { Position } from './cursor.ts'
import type { Pair } from './fields.ts'

export type Change = 'Added' | 'Changed' | 'Removed'

/** What a run did to a record. */
export type RecordChange = Readonly<{
  at: Position
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
export type Sight = Readonly<{
  isVisible(assetType: string, exchangeId: string): boolean
  /** Whether the caller's client holds an instrument, or held it before. */
  holds(assetType: string, uic: number): boolean
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
export function shownChange(changed: RecordChange, sight: Sight): Shown | undefined {
  const [wasSeen, isSeen] = [seen(changed, changed.before, sight), seen(changed, changed.after, sight)]
  if (!wasSeen && !isSeen) return undefined
  if (!wasSeen) return { change: 'Added', fields: [] }
  if (!isSeen) return { change: 'Removed', fields: [] }
  const fields = changed.fields.filter((field) => isFieldSeen(changed, field, sight))
  return fields.length > 0 ? { change: 'Changed', fields } : undefined
}

function seen({ kind, id }: RecordChange, pairs: readonly Pair[] | undefined, sight: Sight): boolean {
  if (!pairs) return false
  if (kind === 'exchange') return assetTypes.some((type) => sight.isVisible(type, id))
  if (kind === 'event') return pairs.some(([type, uic]) => sight.holds(type, Number(uic)))
  return pairs.some(([type, exchangeId]) => sight.isVisible(type, exchangeId))
}

function isFieldSeen({ before = [], after = [] }: RecordChange, field: string, sight: Sight): boolean {
  const type = /^As\[(.+)\]$/.exec(field)?.[1]
  if (type === undefined) return !hiddenFields.includes(field)
  return [...before, ...after].some((pair) => pair[0] === type && sight.isVisible(...pair))
}
