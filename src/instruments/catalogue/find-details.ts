import type { AccessView } from '../../access/rules/visibility.ts'
import { displayHints } from '../enums.ts'
import { lowerBound, sortedUnique } from './arrays.ts'
import type { Part } from './part.ts'
import { profileFlags, typeNumbers } from './segment.ts'
import type { Snapshot } from './snapshot.ts'

/** What is asked of the details list (operation 2), apart from paging. */
export type DetailCriteria = Readonly<{
  uics?: readonly number[] | undefined
  assetTypes?: readonly string[] | undefined
  displayHint?: string | undefined
}>

export type DetailPlace = Readonly<{ uic: number; type: number }>
export type DetailPage = Readonly<{ top: number; skip: number; after?: DetailPlace | undefined }>

/** An instrument in one of its asset types, or an option contract. */
export type DetailRow = Readonly<{ part: Part; row: number } | { part: Part; contract: number }>
export type FoundDetails = Readonly<{ rows: DetailRow[]; next?: DetailPlace; count: number }>

/** Few enough to be gathered and sorted, rather than walking all there is for them. */
const few = 4_096

/** A part with the profiles whose rows may be listed. */
type Source = Readonly<{ part: Part; allowed: Uint8Array }>
type Entry = DetailRow & { place: DetailPlace }

/** The rows of a page, by Uic and AssetType (contract §2). */
export function findDetails(
  snapshot: Snapshot,
  view: AccessView,
  criteria: DetailCriteria,
  page: DetailPage,
): FoundDetails {
  const sources = snapshot.parts.map((part) => ({ part, allowed: allowedProfiles(part, view, criteria) }))
  const count = criteria.uics ? undefined : sources.reduce((sum, source) => sum + countOf(source), 0)
  const uics = criteria.uics
    ? sortedUnique(Uint32Array.from(criteria.uics.filter((uic) => uic > 0 && uic <= 0xffff_ffff)))
    : (count ?? 0) <= few
      ? gatherUics(sources)
      : undefined
  const from = page.after?.uic ?? 0
  const entries = uics ? namedEntries(sources, uics, from) : allEntries(sources, from)
  return {
    ...takePage(entries, page),
    count: count ?? countEntries(namedEntries(sources, uics ?? new Uint32Array(), 0)),
  }
}

function takePage(entries: Iterable<Entry>, { top, skip, after }: DetailPage): Omit<FoundDetails, 'count'> {
  const rows: Entry[] = []
  if (top === 0) return { rows }
  let toSkip = after ? 0 : skip
  for (const entry of entries) {
    if (after && entry.place.uic === after.uic && entry.place.type <= after.type) continue
    if (toSkip-- > 0) continue
    const last = rows.at(-1)
    if (rows.length === top && last) return { rows, next: last.place }
    rows.push(entry)
  }
  return { rows }
}

function countEntries(entries: Iterable<Entry>): number {
  let count = 0
  for (const _ of entries) count++
  return count
}

function allowedProfiles(part: Part, view: AccessView, criteria: DetailCriteria): Uint8Array {
  const { segment } = part
  const types = criteria.assetTypes && new Set(criteria.assetTypes.map((type) => typeNumbers.get(type)))
  const hint = (displayHints as readonly string[]).indexOf(criteria.displayHint ?? '')
  return part.rightsOf(view).visible.map((isVisible, profile) => {
    if (types && !types.has(segment.profileTypes[profile])) return 0
    if (hint >= 0 && segment.profileHints[profile] !== hint) return 0
    return isVisible
  })
}

const isRootProfile = (part: Part, profile: number): boolean =>
  ((part.segment.profileFlags[profile] as number) & profileFlags.isRoot) !== 0

function countOf({ part, allowed }: Source): number {
  let count = 0
  for (let profile = 0; profile < allowed.length; profile++)
    if (allowed[profile] && !isRootProfile(part, profile)) count += part.liveRows(profile)
  for (const root of allowedRoots({ part, allowed })) count += part.contractsOfRoot(root).length
  return count
}

function* allowedRoots({ part, allowed }: Source): Generator<number> {
  const { rootDocs } = part.segment.options
  for (let root = 0; root < rootDocs.length; root++)
    if (!part.isDead(rootDocs[root] as number) && allowed[part.profileOf(part.rowOfRoot(root))]) yield root
}

/** The Uics of all that may be listed. */
function gatherUics(sources: readonly Source[]): Uint32Array {
  const uics: number[] = []
  for (const { part, allowed } of sources) {
    const { profileStarts, profileRows, rowDocs, docIds, options } = part.segment
    for (let profile = 0; profile < allowed.length; profile++) {
      if (!allowed[profile] || isRootProfile(part, profile)) continue
      for (let at = profileStarts[profile] as number; at < (profileStarts[profile + 1] as number); at++)
        uics.push(docIds[rowDocs[profileRows[at] as number] as number] as number)
    }
    for (const root of allowedRoots({ part, allowed })) {
      const { start, end } = part.contractsOfRoot(root)
      for (let contract = start; contract < end; contract++) uics.push(options.uics[contract] as number)
    }
  }
  return sortedUnique(Uint32Array.from(uics))
}

function* namedEntries(sources: readonly Source[], uics: Uint32Array, from: number): Generator<Entry> {
  for (let index = lowerBound(uics, from); index < uics.length; index++)
    for (const source of sources) yield* entriesOf(source, uics[index] as number)
}

function* entriesOf({ part, allowed }: Source, uic: number): Generator<Entry> {
  const doc = part.docOf(uic)
  if (doc !== undefined) yield* rowsOfDoc({ part, allowed }, uic, doc)
  const contract = part.contractOf(uic)
  if (contract !== undefined) yield* contractEntry({ part, allowed }, uic, contract)
}

function* rowsOfDoc({ part, allowed }: Source, uic: number, doc: number): Generator<Entry> {
  const { docRows, profileTypes } = part.segment
  for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
    const profile = part.profileOf(row)
    if (allowed[profile]) yield { part, row, place: { uic, type: profileTypes[profile] as number } }
  }
}

function* contractEntry({ part, allowed }: Source, uic: number, contract: number): Generator<Entry> {
  const profile = part.profileOf(part.rowOfRoot(part.segment.options.roots[contract] as number))
  if (allowed[profile]) yield { part, contract, place: { uic, type: part.segment.profileTypes[profile] as number } }
}

/** Everything from a Uic on: instruments and contracts of all parts, the least Uic first. */
function* allEntries(sources: readonly Source[], from: number): Generator<Entry> {
  const streams = sources.flatMap((source) => [instrumentsFrom(source, from), contractsFrom(source, from)])
  const heads = streams.map((stream) => stream.next())
  while (true) {
    let least = -1
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index]
      if (!head || head.done) continue
      const best = heads[least]
      if (!best || best.done || head.value.place.uic < best.value.place.uic) least = index
    }
    const head = heads[least]
    if (!head || head.done) return
    yield head.value
    heads[least] = (streams[least] as Generator<Entry>).next()
  }
}

function* instrumentsFrom(source: Source, from: number): Generator<Entry, undefined> {
  const { uics, uicDocs } = source.part.segment
  for (let index = lowerBound(uics, from); index < uics.length; index++) {
    const doc = uicDocs[index] as number
    if (!source.part.isDead(doc)) yield* rowsOfDoc(source, uics[index] as number, doc)
  }
}

function* contractsFrom(source: Source, from: number): Generator<Entry, undefined> {
  const { byUic, uics } = source.part.segment.options
  for (let index = source.part.contractsFrom(from); index < byUic.length; index++) {
    const contract = byUic[index] as number
    if (!source.part.isDeadContract(contract)) yield* contractEntry(source, uics[contract] as number, contract)
  }
}
