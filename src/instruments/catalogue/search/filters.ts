import type { AccessView } from '../../../access/rules/visibility.ts'
import { displayHints } from '../../api/enums.ts'
import { lowerBound, sortedUnique } from '../arrays.ts'
import type { Part } from '../part.ts'
import { profileFlags, type Segment, typeNumbers } from '../segment.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Bound, RowFilter } from './search.ts'

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

/** The profiles whose rows may be listed, and how many rows they have. */
export type AllowedProfiles = Readonly<{ allowed: Uint8Array; allowedRows: number }>

/** What a search lets through of a part. */
export function filterFor(
  snapshot: Snapshot,
  part: Part,
  view: AccessView,
  now: Temporal.Instant,
  criteria: Criteria,
): RowFilter {
  return {
    ...part.allowedFor(keyOf(view, criteria), () => allowedProfiles(part, view, criteria)),
    isMainOnly: criteria.assetTypes === undefined,
    days: criteria.includeNonTradable ? undefined : snapshot.todaysOf(part, now),
    bounds: criteria.bounds,
    docs: criteria.uics && docsOfUics(part.segment, criteria.uics),
    dead: part.dead,
  }
}

/** Everything that decides which profiles are allowed; most callers ask with the same few. */
function keyOf(view: AccessView, criteria: Criteria): string {
  const { assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder } = criteria
  const named = [assetTypes, exchangeId, isComplex, displayHint, canParticipateInMultiLegOrder]
  return JSON.stringify([view.signature, criteria.includeNonTradable, criteria.uics !== undefined, named])
}

/** Every filter that is the same for all rows of a profile, and the caller's rights. */
function allowedProfiles(part: Part, view: AccessView, criteria: Criteria): AllowedProfiles {
  const { segment } = part
  const { visible, tradable } = part.rightsOf(view)
  const types = criteria.assetTypes && new Set(criteria.assetTypes.map((type) => typeNumbers.get(type)))
  const exchangeId = criteria.exchangeId?.toLowerCase()
  const hint = (displayHints as readonly string[]).indexOf(criteria.displayHint ?? '')
  const allowed = new Uint8Array(visible.length)
  let allowedRows = 0
  for (let profile = 0; profile < allowed.length; profile++) {
    if (!(criteria.includeNonTradable ? visible : tradable)[profile]) continue
    const flags = segment.profileFlags[profile] as number
    if (types ? !types.has(segment.profileTypes[profile]) : !(flags & profileFlags.isMain)) continue
    if (
      exchangeId !== undefined &&
      segment.exchangeIds[segment.profileExchanges[profile] as number]?.toLowerCase() !== exchangeId
    )
      continue
    if (criteria.isComplex !== undefined && criteria.isComplex !== Boolean(flags & profileFlags.isComplex)) continue
    if (hint >= 0 && segment.profileHints[profile] !== hint) continue
    if (flags & profileFlags.isRoot) {
      if (criteria.uics) continue
      const joins = Boolean(flags & profileFlags.joinsMultiLeg)
      if (criteria.canParticipateInMultiLegOrder !== undefined && criteria.canParticipateInMultiLegOrder !== joins)
        continue
    }
    allowed[profile] = 1
    allowedRows += (segment.profileStarts[profile + 1] as number) - (segment.profileStarts[profile] as number)
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
