import type { AccessView } from '../../../access/rules/visibility.ts'
import { displayHints } from '../../api/fields/enums.ts'
import { sortedUnique } from '../arrays.ts'
import { bucketFlags, typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'
import { contractOrder, instrumentOrder, listOrder, type UicOrder } from './uic-order.ts'

/** What is asked of the details list (operation 2), apart from paging. */
export type DetailCriteria = Readonly<{
  uics?: readonly number[] | undefined
  assetTypes?: readonly string[] | undefined
  displayHint?: string | undefined
}>

export type DetailsCursor = Readonly<{ uic: number; type: number }>
export type DetailPage = Readonly<{ top: number; skip: number; after?: DetailsCursor | undefined }>

/** An instrument in one of its asset types, or an option contract. */
export type DetailRow = Readonly<
  { cursor: DetailsCursor; reader: SegmentReader } & ({ row: number; contract?: never } | { contract: number })
>
export type FoundDetails = Readonly<{ rows: DetailRow[]; next?: DetailsCursor; count: number }>

/** Few enough to be kept as a list, rather than walking all there is for them. */
const few = 8_192
const mostKept = 200

/** A reader with the buckets whose rows may be listed, and the roots whose contracts may. */
type Source = Readonly<{
  reader: SegmentReader
  allowed: Uint8Array
  roots: Uint8Array
  instruments: number
  contracts: number
}>

/** All that may be listed for callers who ask alike. */
type Listing = { readonly sources: readonly Source[]; readonly count: number; orders?: readonly UicOrder[] }

const listings = new WeakMap<Snapshot, Map<string, Listing>>()

/** The rows of a page, by Uic and AssetType (contract §2). */
export function findDetails(
  snapshot: Snapshot,
  view: AccessView,
  criteria: DetailCriteria,
  page: DetailPage,
): FoundDetails {
  const listing = listingFor(snapshot, view, criteria)
  if (criteria.uics) {
    const uics = sortedUnique(Uint32Array.from(criteria.uics.filter((uic) => uic > 0 && uic <= 0xffff_ffff)))
    const rows = rowsOf(listing, uics)
    return { ...pageOf(rows, page), count: rows.length }
  }
  const { count } = listing
  if (page.top === 0 || (!page.after && page.skip >= count)) return { rows: [], count }
  return { ...walk(listing, page), count }
}

function listingFor(snapshot: Snapshot, view: AccessView, criteria: DetailCriteria): Listing {
  const kept = listings.get(snapshot) ?? new Map<string, Listing>()
  listings.set(snapshot, kept)
  const key = `${view.signature} ${criteria.displayHint} ${criteria.assetTypes?.toSorted()}`
  const known = kept.get(key)
  if (known) return known
  if (kept.size >= mostKept) kept.clear()
  const sources = snapshot.readers.map((reader) => sourceOf(reader, allowedBuckets(reader, view, criteria)))
  const count = sources.reduce((sum, { instruments, contracts }) => sum + instruments + contracts, 0)
  const made = { sources, count }
  kept.set(key, made)
  return made
}

/** What is few is gathered, and what has nothing to list is not walked. */
function ordersOf({ sources, count }: Listing): UicOrder[] {
  if (count <= few) return [listOrder(gatherUics(sources))]
  return sources.flatMap(({ reader, allowed, roots, instruments, contracts }) => [
    ...(instruments > 0 ? [instrumentOrder(reader, allowed)] : []),
    ...(contracts > 0 ? [contractOrder(reader, roots)] : []),
  ])
}

function allowedBuckets(reader: SegmentReader, view: AccessView, criteria: DetailCriteria): Uint8Array {
  const { segment } = reader
  const types = criteria.assetTypes && new Set(criteria.assetTypes.map((type) => typeNumbers.get(type)))
  const hint = (displayHints as readonly string[]).indexOf(criteria.displayHint ?? '')
  return reader.rightsOf(view).visible.map((isVisible, bucket) => {
    if (types && !types.has(segment.bucketTypes[bucket])) return 0
    if (hint >= 0 && segment.bucketHints[bucket] !== hint) return 0
    return isVisible
  })
}

const isRootBucket = (reader: SegmentReader, bucket: number): boolean =>
  ((reader.segment.bucketFlags[bucket] as number) & bucketFlags.isRoot) !== 0

function sourceOf(reader: SegmentReader, allowed: Uint8Array): Source {
  const { rootDocs } = reader.segment.options
  const roots = new Uint8Array(rootDocs.length)
  let [instruments, contracts] = [0, 0]
  for (let bucket = 0; bucket < allowed.length; bucket++)
    if (allowed[bucket] && !isRootBucket(reader, bucket)) instruments += reader.liveRows(bucket)
  for (let root = 0; root < roots.length; root++) {
    if (reader.isDeleted(rootDocs[root] as number) || !allowed[reader.bucketOf(reader.rowOfRoot(root))]) continue
    roots[root] = 1
    contracts += reader.contractsOfRoot(root).length
  }
  return { reader, allowed, roots, instruments, contracts }
}

/** The Uic of each row that may be listed, in order, from the lists of the buckets and of the roots. */
function gatherUics(sources: readonly Source[]): Uint32Array {
  const uics: number[] = []
  for (const { reader, allowed, roots } of sources) {
    const { bucketStarts, bucketRows, rowDocs, docIds, options } = reader.segment
    for (let bucket = 0; bucket < allowed.length; bucket++) {
      if (!allowed[bucket] || isRootBucket(reader, bucket)) continue
      for (let at = bucketStarts[bucket] as number; at < (bucketStarts[bucket + 1] as number); at++) {
        const doc = rowDocs[bucketRows[at] as number] as number
        if (!reader.isDeleted(doc)) uics.push(docIds[doc] as number)
      }
    }
    for (let root = 0; root < roots.length; root++) {
      if (!roots[root]) continue
      const { start, end } = reader.contractsOfRoot(root)
      for (let contract = start; contract < end; contract++) uics.push(options.uics[contract] as number)
    }
  }
  return Uint32Array.from(uics).sort()
}

function rowsOf({ sources }: Listing, uics: Uint32Array): DetailRow[] {
  const rows: DetailRow[] = []
  for (const uic of uics) addRows(rows, sources, uic)
  return rows
}

/** The rows of a Uic in the order of their types. */
function addRows(rows: DetailRow[], sources: readonly Source[], uic: number): void {
  for (const { reader, allowed, roots } of sources) {
    const { docRows, bucketTypes, options } = reader.segment
    const doc = reader.docOf(uic)
    if (doc !== undefined)
      for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
        const bucket = reader.bucketOf(row)
        if (allowed[bucket]) rows.push({ reader, row, cursor: { uic, type: bucketTypes[bucket] as number } })
      }
    const contract = reader.contractOf(uic)
    const root = contract === undefined ? undefined : (options.roots[contract] as number)
    if (contract === undefined || root === undefined || !roots[root]) continue
    const type = bucketTypes[reader.bucketOf(reader.rowOfRoot(root))] as number
    rows.push({ reader, contract, cursor: { uic, type } })
  }
}

const isBehind = ({ uic, type }: DetailsCursor, after: DetailsCursor): boolean =>
  uic > after.uic || (uic === after.uic && type > after.type)

function pageOf(rows: readonly DetailRow[], { top, skip, after }: DetailPage): Omit<FoundDetails, 'count'> {
  const behind = after ? rows.findIndex(({ cursor }) => isBehind(cursor, after)) : skip
  const start = behind < 0 ? rows.length : behind
  const found = rows.slice(start, start + top)
  const last = found.at(-1)
  return last && start + top < rows.length ? { rows: found, next: last.cursor } : { rows: found }
}

/** The rows of a page among many: the least Uic of all orders, again and again, from the page's first one on. */
function walk(listing: Listing, page: DetailPage): Omit<FoundDetails, 'count'> {
  const { sources } = listing
  listing.orders ??= ordersOf(listing)
  const { orders } = listing
  const { top, after } = page
  const start = after?.uic ?? uicAtSkip(orders, page.skip)
  const skip = after ? 0 : page.skip - countBelow(orders, start)
  const at = orders.map((order) => order.from(start))
  const rows: DetailRow[] = []
  // What may come before the page is of its first Uic, and one more row tells that there is another page.
  while (rows.length <= top + skip + (after ? typeNumbers.size : 0)) {
    let least = Number.POSITIVE_INFINITY
    for (let index = 0; index < orders.length; index++)
      least = Math.min(least, (orders[index] as UicOrder).uicAt(at[index] as number))
    if (least === Number.POSITIVE_INFINITY) break
    addRows(rows, sources, least)
    for (let index = 0; index < orders.length; index++) {
      const order = orders[index] as UicOrder
      if (order.uicAt(at[index] as number) === least) at[index] = order.next((at[index] as number) + 1)
    }
  }
  return pageOf(rows, { top, skip, after })
}

const countBelow = (orders: readonly UicOrder[], uic: number): number =>
  orders.reduce((sum, order) => sum + order.countBelow(uic), 0)

/** The Uic to which so many rows lead: the last one that has no more than these below it. */
function uicAtSkip(orders: readonly UicOrder[], skip: number): number {
  if (skip === 0) return 0
  let [low, high] = [0, 0xffff_ffff]
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    if (countBelow(orders, middle) <= skip) low = middle
    else high = middle - 1
  }
  return low
}
