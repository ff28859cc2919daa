import type { AccessView } from '../../../access/rules/visibility.ts'
import { displayHints } from '../../api/fields/enums.ts'
import { lowerBound, sortedUnique } from '../arrays.ts'
import { bucketFlags, type Segment, typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Bound, RowFilter } from './walk-rows.ts'

/** What is asked of a search (operation 1), apart from paging. */
export type Criteria = Readonly<{
  keywords?: string | undefined
  assetTypes?: readonly string[] | undefined
  exchangeId?: string | undefined
  isComplex?: boolean | undefined
  displayHint?: string | undefined
  canParticipateInMultiLegOrder?: boolean | undefined
  includeNonTradable: boolean
  uics?: readonly number[] | undefined
  bounds: readonly Bound[]
}>

/** The buckets whose rows may be listed, and how many rows they have. */
export type AllowedBuckets = Readonly<{ allowed: Uint8Array; allowedRows: number }>

/** What a search lets through of a reader. */
export function filterFor(
  snapshot: Snapshot,
  reader: SegmentReader,
  view: AccessView,
  now: Temporal.Instant,
  criteria: Criteria,
): RowFilter {
  return {
    ...reader.allowedFor(keyOf(view, criteria), () => allowedBuckets(reader, view, criteria)),
    isMainOnly: criteria.assetTypes === undefined,
    days: criteria.includeNonTradable ? undefined : snapshot.todaysOf(reader, now),
    bounds: criteria.bounds,
    docs: criteria.uics && docsOfUics(reader.segment, criteria.uics),
    deleted: reader.deleted,
  }
}

/** Everything that decides which buckets are allowed; most callers ask with the same few. */
function keyOf(view: AccessView, criteria: Criteria): string {
  const { assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder } = criteria
  const named = [assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder]
  return JSON.stringify([view.signature, criteria.includeNonTradable, criteria.uics !== undefined, named])
}

/** Every filter that is the same for all rows of a bucket, and the caller's rights. */
function allowedBuckets(reader: SegmentReader, view: AccessView, criteria: Criteria): AllowedBuckets {
  const { segment } = reader
  const { visible, tradable } = reader.rightsOf(view)
  const types = criteria.assetTypes && new Set(criteria.assetTypes.map((type) => typeNumbers.get(type)))
  const exchangeId = criteria.exchangeId?.toLowerCase()
  const hint = (displayHints as readonly string[]).indexOf(criteria.displayHint ?? '')
  const allowed = new Uint8Array(visible.length)
  let allowedRows = 0
  for (let bucket = 0; bucket < allowed.length; bucket++) {
    if (!(criteria.includeNonTradable ? visible : tradable)[bucket]) continue
    const flags = segment.bucketFlags[bucket] as number
    if (types ? !types.has(segment.bucketTypes[bucket]) : !(flags & bucketFlags.isMain)) continue
    if (
      exchangeId !== undefined &&
      segment.exchangeIds[segment.bucketExchanges[bucket] as number]?.toLowerCase() !== exchangeId
    )
      continue
    if (criteria.isComplex !== undefined && criteria.isComplex !== Boolean(flags & bucketFlags.isComplex)) continue
    if (hint >= 0 && segment.bucketHints[bucket] !== hint) continue
    if (flags & bucketFlags.isRoot) {
      if (criteria.uics) continue
      const joins = Boolean(flags & bucketFlags.joinsMultiLeg)
      if (criteria.canParticipateInMultiLegOrder !== undefined && criteria.canParticipateInMultiLegOrder !== joins)
        continue
    }
    allowed[bucket] = 1
    allowedRows += (segment.bucketStarts[bucket + 1] as number) - (segment.bucketStarts[bucket] as number)
  }
  return { allowed, allowedRows }
}

function docsOfUics(segment: Segment, uics: readonly number[]): Uint32Array {
  const docs = uics.flatMap((uic) => {
    const place = lowerBound(segment.uics, uic)
    return segment.uics[place] === uic ? [segment.uicDocs[place] as number] : []
  })
  return sortedUnique(Uint32Array.from(docs))
}
