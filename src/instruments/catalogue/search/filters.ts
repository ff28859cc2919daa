import type { AccessView } from '../../../access/rules/visibility.ts'
import { displayHints } from '../../api/fields/enums.ts'
import type { ValueChangeBounds } from '../../rules/search-criteria.ts'
import { sortedUnique } from '../arrays.ts'
import type { AllowedBuckets } from '../bucket-rights.ts'
import { bucketFlags, type Segment, typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { RequestView } from '../snapshot.ts'
import { remember } from '../write/remember.ts'
import type { RowFilter } from './row-taker.ts'

/** The criteria of a search (operation 1), without paging. */
export type Criteria = Readonly<{
  keywords?: string | undefined
  assetTypes?: readonly string[] | undefined
  exchangeId?: string | undefined
  isComplex?: boolean | undefined
  displayHint?: string | undefined
  canParticipateInMultiLegOrder?: boolean | undefined
  includeNonTradable: boolean
  uics?: readonly number[] | undefined
  bounds: readonly ValueChangeBounds[]
}>

/** Whether the rows of a bucket have one of the asset types and the display hint. */
export function kindTest(segment: Segment, { assetTypes, displayHint }: Pick<Criteria, 'assetTypes' | 'displayHint'>) {
  const { bucketTypes, bucketHints } = segment
  const types = assetTypes && new Set(assetTypes.map((type) => typeNumbers.get(type)))
  const hint = (displayHints as readonly string[]).indexOf(displayHint ?? '')
  return (bucket: number): boolean =>
    (!types || types.has(bucketTypes[bucket])) && (hint < 0 || bucketHints[bucket] === hint)
}

export function filterFor(reader: SegmentReader, view: RequestView, criteria: Criteria): RowFilter {
  const { snapshot, access, now } = view
  const docs = criteria.uics?.flatMap((uic) => reader.docOf(uic) ?? [])
  const { allowed, allowedRows, mainDocs } = allowedFor(reader, access, criteria)
  return {
    allowed,
    allowedRows,
    isMainOnly: criteria.assetTypes === undefined,
    mainDocs,
    days: criteria.includeNonTradable ? undefined : snapshot.todaysOf(reader, now),
    bounds: criteria.bounds,
    docs: docs && sortedUnique(Uint32Array.from(docs)),
    deleted: reader.deleted,
  }
}

/** Most requests have no filters, and find this with the rights of the caller. */
function allowedFor(reader: SegmentReader, view: AccessView, criteria: Criteria): AllowedBuckets {
  const { assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder, includeNonTradable } = criteria
  const named = [assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder, criteria.uics]
  const compute = () => allowedBuckets(reader, view, criteria)
  if (named.every((each) => each === undefined)) {
    const { unfiltered } = reader.rightsOf(view)
    const kind = includeNonTradable ? 'all' : 'tradable'
    unfiltered[kind] ??= withMainDocs(reader, compute())
    return unfiltered[kind]
  }
  named[named.length - 1] = criteria.uics !== undefined
  return remember(reader.allowed, `${view.signature} ${includeNonTradable} ${JSON.stringify(named)}`, compute)
}

const withMainDocs = (reader: SegmentReader, allowed: AllowedBuckets): AllowedBuckets => ({
  ...allowed,
  mainDocs: reader.mainDocsOf(allowed.allowed),
})

function allowedBuckets(reader: SegmentReader, view: AccessView, criteria: Criteria): AllowedBuckets {
  const { segment } = reader
  const { visible, tradable } = reader.rightsOf(view)
  const permitted = criteria.includeNonTradable ? visible : tradable
  const { isComplex, uics, assetTypes, canParticipateInMultiLegOrder: multiLeg } = criteria
  const isKind = kindTest(segment, criteria)
  const exchangeId = criteria.exchangeId?.toLowerCase()
  const isAllowed = (bucket: number): boolean => {
    const flags = segment.bucketFlags[bucket] as number
    if (!isKind(bucket) || (!assetTypes && !(flags & bucketFlags.isMain))) return false
    const exchange = segment.exchangeIds[segment.bucketExchanges[bucket] as number]
    if (exchangeId !== undefined && exchange?.toLowerCase() !== exchangeId) return false
    if (isComplex !== undefined && isComplex !== Boolean(flags & bucketFlags.isComplex)) return false
    if (!(flags & bucketFlags.isRoot)) return true
    return !uics && (multiLeg === undefined || multiLeg === Boolean(flags & bucketFlags.joinsMultiLeg))
  }
  const allowed = new Uint8Array(visible.length)
  let allowedRows = 0
  for (let bucket = 0; bucket < allowed.length; bucket++) {
    if (!permitted[bucket] || !isAllowed(bucket)) continue
    allowed[bucket] = 1
    allowedRows += (segment.bucketStarts[bucket + 1] as number) - (segment.bucketStarts[bucket] as number)
  }
  return { allowed, allowedRows }
}
