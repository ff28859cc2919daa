import { lowerBound, sortedUnique } from './arrays.ts'
import { allRuns, type Keyword, matchClass, runsOf, sizeOfRuns } from './keyword.ts'
import { Matcher } from './matcher.ts'
import { emptyRun, type Run } from './prefix-lists.ts'
import type { Segment } from './segment.ts'

/** From ≤ figure ≤ To, for the figure of that number (week, month, year). */
export type Bound = Readonly<{ figure: number; from: number; to: number }>

/** What rows must be like, worked out for one segment. */
export type RowFilter = Readonly<{
  /** By profile: 1 where its rows may be listed. */
  allowed: Uint8Array
  /** How many rows those profiles have. */
  allowedRows: number
  /** By exchange: today there, when what has expired is hidden. */
  days: Int32Array | undefined
  bounds: readonly Bound[]
  /** The only docs in question, ascending. */
  docs: Uint32Array | undefined
  /** By doc: 1 where a newer segment has taken its place. */
  dead: Uint8Array | undefined
}>

/** Where in the order a walk goes on: behind this doc's row of this type. */
export type Place = Readonly<{ class: number; rank: number; id: number; kind: number; type: number }>

/** Takes a row; tells whether the walk shall go on. */
export type Sink = (row: number, matched: number) => boolean

/** Few enough to be looked at one by one, rather than walking a long list for them. */
const fewRows = 2_048

export const listingClass = 0

function passesDoc(segment: Segment, { bounds, dead }: RowFilter, doc: number): boolean {
  if (dead?.[doc]) return false
  for (const { figure, from, to } of bounds) {
    const value = segment.changes[figure]?.[doc] as number
    if (!(value >= from && value <= to)) return false
  }
  return true
}

/** Gives the rows of a doc that pass to the sink; false when it has had enough. */
export function takeDoc(
  segment: Segment,
  filter: RowFilter,
  doc: number,
  matched: number,
  sink: Sink,
  afterType = -1,
): boolean {
  if (!passesDoc(segment, filter, doc)) return true
  for (let row = segment.docRows[doc] as number; row < (segment.docRows[doc + 1] as number); row++) {
    const profile = segment.templateProfiles[segment.rowTemplates[row] as number] as number
    if (!filter.allowed[profile]) continue
    if ((segment.profileTypes[profile] as number) <= afterType) continue
    if (filter.days && hasExpired(segment, row, filter.days[segment.profileExchanges[profile] as number] as number))
      continue
    if (!sink(row, matched)) return false
  }
  return true
}

export function hasExpired(segment: Segment, row: number, today: number): boolean {
  const expiry = segment.rowExpiries[row] as number
  return expiry !== 0 && expiry < today
}

/** The first doc that is not before (rank, id, kind). */
export function docAt(segment: Segment, place: Pick<Place, 'rank' | 'id' | 'kind'>): number {
  let [low, high] = [0, segment.docIds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const difference =
      (segment.docRanks[middle] as number) - place.rank ||
      (segment.docIds[middle] as number) - place.id ||
      (segment.docKinds[middle] as number) - place.kind
    if (difference < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The docs of several ascending runs from `first` on, ascending, each once, until the visitor has had enough. */
function walkRuns(runs: readonly Run[], first: number, visit: (doc: number) => boolean): boolean {
  const [only] = runs
  if (runs.length === 1 && only) {
    for (let index = lowerBound(only.docs, first, only.from, only.to); index < only.to; index++)
      if (!visit(only.docs[index] as number)) return false
    return true
  }
  const heads = runs.map(({ docs, from, to }) => lowerBound(docs, first, from, to))
  while (true) {
    let next = Number.POSITIVE_INFINITY
    for (let run = 0; run < runs.length; run++) {
      const { docs, to } = runs[run] as Run
      const head = heads[run] as number
      if (head < to && (docs[head] as number) < next) next = docs[head] as number
    }
    if (next === Number.POSITIVE_INFINITY) return true
    for (let run = 0; run < runs.length; run++) {
      const { docs, to } = runs[run] as Run
      const head = heads[run] as number
      if (head < to && docs[head] === next) heads[run] = head + 1
    }
    if (!visit(next)) return false
  }
}

/** Docs that hold all that a filter lets through: how many at most, and made when they are needed. */
type FewDocs = Readonly<{ most: number; make: () => Uint32Array }>

/** Where a filter leaves few: the docs of few profiles, or those within narrow bounds. */
function fewDocs(segment: Segment, filter: RowFilter): FewDocs | undefined {
  if (filter.allowedRows <= fewRows) return { most: filter.allowedRows, make: () => docsOfProfiles(segment, filter) }
  for (const { figure, from, to } of filter.bounds) {
    const [docs, values] = [segment.changeDocs[figure] as Uint32Array, segment.changes[figure] as Float64Array]
    const low = boundOf(docs, values, (value) => value < from)
    const high = Math.max(
      low,
      boundOf(docs, values, (value) => value <= to),
    )
    if (high - low <= fewRows) return { most: high - low, make: () => sortedUnique(docs.slice(low, high)) }
  }
  return undefined
}

function docsOfProfiles(segment: Segment, filter: RowFilter): Uint32Array {
  const docs = new Uint32Array(filter.allowedRows)
  let count = 0
  for (let profile = 0; profile < filter.allowed.length; profile++) {
    if (!filter.allowed[profile]) continue
    for (let at = segment.profileStarts[profile] as number; at < (segment.profileStarts[profile + 1] as number); at++)
      docs[count++] = segment.rowDocs[segment.profileRows[at] as number] as number
  }
  return sortedUnique(docs)
}

const wholeRun = (docs: Uint32Array): Run => ({ docs, from: 0, to: docs.length })

/** How many docs, in the order of their figure, come before the first for which it is not so. */
function boundOf(docs: Uint32Array, values: Float64Array, isBefore: (value: number) => boolean): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(values[docs[middle] as number] as number)) low = middle + 1
    else high = middle
  }
  return low
}

/** All rows that pass, without keywords: rank, Identifier, AssetType. */
export function walkListing(segment: Segment, filter: RowFilter, after: Place | undefined, sink: Sink): void {
  const first = after ? docAt(segment, after) : 0
  const take = takerFrom(segment, filter, after, sink)
  const few = fewDocs(segment, filter)
  const docs = filter.docs ?? (few && few.most * 4 < segment.docIds.length ? few.make() : undefined)
  if (docs) walkRuns([wholeRun(docs)], first, (doc) => take(doc, listingClass))
  else for (let doc = first; doc < segment.docIds.length; doc++) if (!take(doc, listingClass)) return
}

/** Takes docs, and of the one where the last page ended only the rows behind that place. */
function takerFrom(segment: Segment, filter: RowFilter, after: Place | undefined, sink: Sink) {
  const first = after ? docAt(segment, after) : -1
  const isSame =
    after &&
    segment.docRanks[first] === after.rank &&
    segment.docIds[first] === after.id &&
    segment.docKinds[first] === after.kind
  const split = isSame ? first : -1
  return (doc: number, matched: number): boolean =>
    takeDoc(segment, filter, doc, matched, sink, doc === split && matched === after?.class ? after.type : -1)
}

/** The rows that match all words, class by class, each class in the order of the docs. */
export function walkMatches(
  segment: Segment,
  words: readonly Keyword[],
  filter: RowFilter,
  after: Place | undefined,
  sink: Sink,
): void {
  const take = takerFrom(segment, filter, after, sink)
  const few = fewDocs(segment, filter)
  let made: Run[] | undefined
  const drive = (runs: Run[]): Run[] => {
    if (!filter.docs && (!few || few.most >= sizeOfRuns(runs))) return runs
    made ??= [wholeRun(filter.docs ?? few?.make() ?? emptyRun.docs)]
    return made
  }
  for (let wanted: number = after?.class ?? 0; wanted <= matchClass.descriptionWord; wanted++) {
    const first = after && wanted === after.class ? docAt(segment, after) : 0
    const runs = drive(candidates(words, wanted))
    const matcher = new Matcher(words)
    const isPossible =
      wanted === matchClass.descriptionWord && words.length > 1 ? (doc: number) => matcher.isDescribed(doc) : () => true
    const goOn = walkRuns(runs, first, (doc) =>
      isPossible(doc) && matcher.classAt(doc) === wanted ? take(doc, wanted) : true,
    )
    if (!goOn) return
  }
}

/** The shortest lists that hold every doc of a class: what any word gives for it, or all that the rarest word gives. */
function candidates(words: readonly Keyword[], wanted: number): Run[] {
  const runs =
    wanted === matchClass.descriptionWord
      ? shortest(words.map((word) => runsOf(word, wanted)))
      : shortest([
          words.flatMap((word) => runsOf(word, wanted)),
          ...(words.length > 1 ? words.map((word) => allRuns(word)) : []),
        ])
  return runs.filter(({ from, to }) => from < to)
}

const shortest = (choices: readonly (readonly Run[])[]): readonly Run[] =>
  choices.reduce((best, choice) => (sizeOfRuns(choice) < sizeOfRuns(best) ? choice : best))
