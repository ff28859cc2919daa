import { LRUCache } from 'lru-cache'
import type { AccessView } from '../../../access/rules/visibility.ts'
import { sortedUnique } from '../arrays.ts'
import { bucketFlags, typeNumbers } from '../segment.ts'
import type { SegmentReader } from '../segment-reader.ts'
import type { Snapshot } from '../snapshot.ts'
import { remember } from '../write/remember.ts'
import { type Criteria, kindTest } from './filters.ts'
import { contractOrder, instrumentOrder, listOrder, type UicOrder } from './uic-order.ts'
import type { View, VisibleRow } from './visible.ts'

/** The criteria of the details list (operation 2), without paging. */
export type DetailCriteria = Pick<Criteria, 'uics' | 'assetTypes' | 'displayHint'>

export type DetailsCursor = Readonly<{ uic: number; type: number }>
export type DetailPage = Readonly<{ top: number; skip: number; after?: DetailsCursor | undefined }>

export type DetailRow = VisibleRow & Readonly<{ cursor: DetailsCursor }>
type FoundDetails = Readonly<{ rows: DetailRow[]; next?: DetailsCursor; count: number }>

/** Up to this many rows are gathered into one list; more are walked in the segments. */
const maxGathered = 8_192
const maxListings = 200

/** What may be listed of a segment: buckets of instruments, option roots, and how many rows they have. */
type Source = Readonly<ReturnType<typeof sourceOf>>

/** Everything that may be listed for one access view and criteria. */
type Listing = { readonly sources: readonly Source[]; readonly count: number; orders?: readonly UicOrder[] }

const listings = new WeakMap<Snapshot, LRUCache<string, Listing>>()

/** Finds the rows of a page, by Uic and asset type (§6.2). */
export function findDetails(view: View, criteria: DetailCriteria, page: DetailPage): FoundDetails {
  const listing = listingFor(view, criteria)
  if (criteria.uics) {
    const uics = sortedUnique(Uint32Array.from(criteria.uics.filter((uic) => uic > 0 && uic <= 0xffff_ffff)))
    const rows: DetailRow[] = []
    for (const uic of uics) addRows(rows, listing.sources, uic)
    return { ...pageOf(rows, page), count: rows.length }
  }
  const { count } = listing
  if (page.top === 0 || (!page.after && page.skip >= count)) return { rows: [], count }
  return { ...walk(listing, page), count }
}

function listingFor({ snapshot, access }: View, criteria: DetailCriteria): Listing {
  const cache = listings.getOrInsertComputed(snapshot, () => new LRUCache<string, Listing>({ max: maxListings }))
  return remember(cache, `${access.signature} ${criteria.displayHint} ${criteria.assetTypes?.toSorted()}`, () => {
    const sources = snapshot.readers.map((reader) => sourceOf(reader, access, criteria))
    return { sources, count: sources.reduce((sum, { instruments, contracts }) => sum + instruments + contracts, 0) }
  })
}

function ordersOf({ sources, count }: Listing): UicOrder[] {
  if (count <= maxGathered) return [listOrder(gatherUics(sources))]
  return sources.flatMap(({ reader, allowed, roots, instruments, contracts }) => [
    ...(instruments > 0 ? [instrumentOrder(reader, allowed)] : []),
    ...(contracts > 0 ? [contractOrder(reader, roots)] : []),
  ])
}

function sourceOf(reader: SegmentReader, access: AccessView, criteria: DetailCriteria) {
  const { options, bucketFlags: flags } = reader.segment
  const isKind = kindTest(reader.segment, criteria)
  const buckets = reader.rightsOf(access).visible.map((isVisible, bucket) => (isKind(bucket) ? isVisible : 0))
  const allowed = buckets.map((isAllowed, bucket) => ((flags[bucket] as number) & bucketFlags.isRoot ? 0 : isAllowed))
  const roots = new Uint8Array(options.rootDocs.length)
  let [instruments, contracts] = [0, 0]
  for (const [bucket, isAllowed] of allowed.entries()) if (isAllowed) instruments += reader.countLiveRows(bucket)
  for (const [root, doc] of options.rootDocs.entries()) {
    if (reader.isDeleted(doc) || !buckets[reader.bucketOf(reader.rowOfRoot(root))]) continue
    roots[root] = 1
    contracts += reader.contractsOfRoot(root).length
  }
  return { reader, allowed, roots, instruments, contracts }
}

function gatherUics(sources: readonly Source[]): Uint32Array {
  const uics: number[] = []
  for (const { reader, allowed, roots } of sources) {
    const { rowDocs, docIds, options } = reader.segment
    for (const [bucket, isAllowed] of allowed.entries())
      if (isAllowed) for (const row of reader.liveRowsOf(bucket)) uics.push(docIds[rowDocs[row] as number] as number)
    for (const [root, isAllowed] of roots.entries()) {
      const { start, end } = reader.contractsOfRoot(root)
      if (isAllowed) for (const uic of options.uics.subarray(start, end)) uics.push(uic)
    }
  }
  return Uint32Array.from(uics).sort()
}

function addRows(rows: DetailRow[], sources: readonly Source[], uic: number): void {
  for (const { reader, allowed, roots } of sources) {
    const { bucketTypes, options } = reader.segment
    const doc = reader.docOf(uic)
    for (const row of doc === undefined ? [] : reader.rowsOf(doc)) {
      const bucket = reader.bucketOf(row)
      if (allowed[bucket]) rows.push({ reader, row, cursor: { uic, type: bucketTypes[bucket] as number } })
    }
    const contract = reader.contractOf(uic)
    const root = contract === undefined ? undefined : (options.roots[contract] as number)
    if (contract === undefined || root === undefined || !roots[root]) continue
    const row = reader.rowOfRoot(root)
    rows.push({ reader, row, contract, cursor: { uic, type: bucketTypes[reader.bucketOf(row)] as number } })
  }
}

const isAfter = ({ uic, type }: DetailsCursor, after: DetailsCursor): boolean =>
  uic > after.uic || (uic === after.uic && type > after.type)

function pageOf(rows: readonly DetailRow[], { top, skip, after }: DetailPage): Omit<FoundDetails, 'count'> {
  const first = after ? rows.findIndex(({ cursor }) => isAfter(cursor, after)) : skip
  const start = first < 0 ? rows.length : first
  const found = rows.slice(start, start + top)
  const last = found.at(-1)
  return last && start + top < rows.length ? { rows: found, next: last.cursor } : { rows: found }
}

/** Merges the orders from the first Uic of the page on. */
function walk(listing: Listing, page: DetailPage): Omit<FoundDetails, 'count'> {
  listing.orders ??= ordersOf(listing)
  const { orders, sources } = listing
  const { top, after } = page
  const start = after?.uic ?? uicAtSkip(orders, page.skip)
  const skip = after ? 0 : page.skip - countBelow(orders, start)
  const at = orders.map((order) => order.from(start))
  const rows: DetailRow[] = []
  // Rows of the first Uic may belong to the previous page, and one more row shows that there is a next page.
  while (rows.length <= top + skip + (after ? typeNumbers.size : 0)) {
    let uic = Number.POSITIVE_INFINITY
    for (const [index, order] of orders.entries()) uic = Math.min(uic, order.uicAt(at[index] as number))
    if (uic === Number.POSITIVE_INFINITY) break
    addRows(rows, sources, uic)
    for (const [index, order] of orders.entries())
      if (order.uicAt(at[index] as number) === uic) at[index] = order.next((at[index] as number) + 1)
  }
  return pageOf(rows, { top, skip, after })
}

const countBelow = (orders: readonly UicOrder[], uic: number): number =>
  orders.reduce((sum, order) => sum + order.countBelow(uic), 0)

/** The highest Uic with at most `skip` rows before it. */
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
