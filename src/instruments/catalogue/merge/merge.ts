import { numberOf, radixOrder, reordered, shared, sharedCopy } from '../arrays.ts'
import { docsByKey, wholeTerms, withPrefixes } from '../build/segment-builder.ts'
import { docFactsOf, groupOf } from '../facts/doc-facts.ts'
import { rowFactsOf } from '../facts/row-facts.ts'
import { inOneBlock } from '../kept/layout.ts'
import { partsOf, segmentOf } from '../kept/segment-parts.ts'
import type { Segment } from '../segment.ts'
import { mergeOptions } from './merge-options.ts'
import { mergeRows } from './merge-rows.ts'
import { mergeNames, mergeTerms } from './merge-terms.ts'
import { gather, gone, type Merged, mergeDocs } from './parts.ts'

/** A segment of the docs of the base that are not deleted and of the changed docs, as if it were built from all their
 *  records. It is made from the arrays of both, which is many times faster than from records. */
export function mergeSegments(base: Segment, deleted: Uint8Array, changed: Segment): Segment {
  const merged = mergeDocs(base, deleted, changed)
  const { options, isSame } = mergeOptions(merged)
  const rows = mergeRows(merged)
  const docs = mergeColumns(merged)
  const { numbers, ...words } = mergeTerms(merged, (segment) => segment.words)
  const symbols = mergeTerms(merged, (segment) => segment.symbols)
  const segment: Segment = {
    revision: changed.revision,
    identity: changed.identity,
    ...rows,
    ...docs,
    ...docFactsOf({ ...rows, ...docs }),
    ...rowFactsOf({ ...rows, ...docs }),
    ...mergeMaps(merged),
    ...mergeChanges(merged),
    futures: mergeFutures(merged),
    symbols: withPrefixes(symbols, merged.docCount),
    words: withPrefixes(words, merged.docCount),
    names: mergeNames(merged, numbers),
    joinedNames: wholeTerms(mergeTerms(merged, (segment) => segment.joinedNames)),
    isins: wholeTerms(mergeTerms(merged, (segment) => segment.isins)),
    options,
  }
  const [docsPart, contracts] = partsOf(segment)
  return segmentOf([inOneBlock(docsPart), isSame ? contracts : inOneBlock(contracts)])
}

function mergeColumns({ parts, docCount }: Merged) {
  const placed = (valuesOf: (segment: Segment, docs: Uint32Array) => ArrayLike<number>) =>
    parts.map(({ segment, docs }) => [valuesOf(segment, docs), docs] as const)
  const docIds = gather(
    Uint32Array,
    docCount,
    placed((segment) => segment.docIds),
  )
  const docKinds = gather(
    Uint8Array,
    docCount,
    placed((segment) => segment.docKinds),
  )
  const groupsOf = (segment: Segment) => segment.docIds.map((_, doc) => groupOf(segment, doc))
  const docGroups = gather(Uint32Array, docCount, placed(groupsOf))
  const times = new Map([['', 0]])
  const timesOf = (segment: Segment, docs: Uint32Array) =>
    segment.docTimes.map((each, doc) => (docs[doc] === gone ? 0 : numberOf(times, segment.ownTimes[each] as string)))
  const docTimes = gather(Uint32Array, docCount, placed(timesOf))
  const byUic = radixOrder(docIds).filter((doc) => docKinds[doc] === 0)
  const differs = ({ docDiffers, docIds: ids }: Segment) =>
    docDiffers.length > 0 ? docDiffers : new Uint8Array(ids.length)
  const docDiffers = gather(Uint8Array, docCount, placed(differs))
  return {
    docIds,
    docRanks: gather(
      Uint32Array,
      docCount,
      placed((segment) => segment.docRanks),
    ),
    docKinds,
    docTimes,
    ownTimes: [...times.keys()],
    docPrices: gather(
      Float64Array,
      docCount,
      placed((segment) => segment.docPrices),
    ),
    docDiffers: docDiffers.includes(1) ? docDiffers : shared(Uint8Array, 0),
    uics: reordered(Uint32Array, docIds, byUic),
    uicDocs: sharedCopy(Uint32Array, byUic),
    groups: docsByKey(docGroups),
  } satisfies Partial<Segment>
}

/** Of the base only what belongs to docs that are still there. */
function mergeMaps({ parts }: Merged) {
  const [base, changed] = parts
  const live = new Set<number>()
  const keys = [...base.segment.aliases.keys(), ...base.segment.baseIdentifiers.keys()]
  if (keys.length > 0)
    for (const [index, uic] of base.segment.uics.entries())
      if (base.docs[base.segment.uicDocs[index] as number] !== gone) live.add(uic)
  const united = <V>(one: ReadonlyMap<number, V>, other: ReadonlyMap<number, V>) =>
    new Map([...[...one].filter(([uic]) => live.has(uic)), ...other])
  return {
    aliases: united(base.segment.aliases, changed.segment.aliases),
    baseIdentifiers: united(base.segment.baseIdentifiers, changed.segment.baseIdentifiers),
  }
}

function mergeFutures({ parts, docCount }: Merged) {
  const parents = new Uint32Array(docCount)
  for (const { segment, docs } of parts)
    for (const [index, doc] of segment.futures.docs.entries())
      if (docs[doc] !== gone) parents[docs[doc] as number] = segment.futures.keys[index] as number
  return docsByKey(parents)
}

/** Docs with equal figures are in their own order. */
function mergeChanges({ parts, docCount }: Merged): Pick<Segment, 'changes' | 'changeDocs'> {
  const changes = parts[0].segment.changes.map((_, index) =>
    gather(
      Float64Array,
      docCount,
      parts.map(({ segment, docs }) => [segment.changes[index] as Float64Array, docs] as const),
    ),
  )
  const changeDocs = changes.map((figures, index) => {
    const [one, other] = parts.map(({ segment, docs }) =>
      (segment.changeDocs[index] as Uint32Array).map((doc) => docs[doc] as number).filter((doc) => doc !== gone),
    ) as [Uint32Array, Uint32Array]
    const ordered = shared(Uint32Array, one.length + other.length)
    let [at, otherAt] = [0, 0]
    const isFirst = (doc: number, otherDoc: number): boolean => {
      const difference = (figures[doc] as number) - (figures[otherDoc] as number)
      return difference < 0 || (difference === 0 && doc < otherDoc)
    }
    for (let to = 0; to < ordered.length; to++) {
      const isOne =
        otherAt === other.length || (at < one.length && isFirst(one[at] as number, other[otherAt] as number))
      ordered[to] = (isOne ? one[at++] : other[otherAt++]) as number
    }
    return ordered
  })
  return { changes, changeDocs }
}
