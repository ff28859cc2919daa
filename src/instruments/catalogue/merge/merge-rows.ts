import { radixOrder, reordered, shared, sharedCopy, startsOf } from '../arrays.ts'
import type { Segment } from '../segment.ts'
import { Arena, mergeTemplates, newSlices } from './merge-templates.ts'
import { gather, gone, type Merged, type Part } from './parts.ts'

/** The rows of the merged docs, in their order, and what they share. */
export function mergeRows(merged: Merged) {
  const { parts, docCount } = merged
  const docRows = startsOfDocs(merged, ({ segment }) => segment.docRows)
  const places = parts.map((part) => placesOfRows(part, docRows))
  const rowCount = docRows[docCount] as number
  const arena = new Arena(parts.reduce((sum, { segment }) => sum + segment.text.length, 0))
  const texts = copyTexts(parts, places, rowCount, arena)
  const { numbers, ...templates } = mergeTemplates(parts, places, arena)
  const placed = (valuesOf: (segment: Segment, part: number) => ArrayLike<number>) =>
    parts.map(({ segment }, part) => [valuesOf(segment, part), places[part] as Uint32Array] as const)
  const newTemplates = ({ rowTemplates }: Segment, part: number) =>
    reordered(Uint32Array, numbers[part] as Uint32Array, rowTemplates)
  const rowTemplates = gather(Uint32Array, rowCount, placed(newTemplates))
  const rowBuckets = reordered(Uint32Array, templates.templateBuckets, rowTemplates)
  return {
    docRows,
    rowDocs: docsOfRows(docRows),
    rowExpiries: gather(
      Int32Array,
      rowCount,
      placed(({ rowExpiries }) => rowExpiries),
    ),
    rowTemplates,
    ...texts,
    text: arena.finish(),
    ...templates,
    bucketStarts: startsOf(rowBuckets, templates.bucketTypes.length),
    bucketRows: sharedCopy(Uint32Array, radixOrder(rowBuckets)),
  } satisfies Partial<Segment>
}

/** For lists of docs that lie one after another: the starts of those of the merged docs. */
export function startsOfDocs({ parts, docCount }: Merged, startsIn: (part: Part) => Uint32Array): Uint32Array {
  const starts = shared(Uint32Array, docCount + 1)
  for (const part of parts) {
    const old = startsIn(part)
    for (let doc = 0; doc < part.docs.length; doc++)
      if (part.docs[doc] !== gone)
        starts[(part.docs[doc] as number) + 1] = (old[doc + 1] as number) - (old[doc] as number)
  }
  for (let doc = 0; doc < docCount; doc++) starts[doc + 1] = (starts[doc + 1] as number) + (starts[doc] as number)
  return starts
}

function placesOfRows({ segment, docs }: Part, docRows: Uint32Array): Uint32Array {
  const places = new Uint32Array(segment.rowDocs.length)
  for (let row = 0; row < places.length; row++) {
    const old = segment.rowDocs[row] as number
    const doc = docs[old] as number
    places[row] = doc === gone ? gone : (docRows[doc] as number) + row - (segment.docRows[old] as number)
  }
  return places
}

function docsOfRows(docRows: Uint32Array): Uint32Array {
  const rowDocs = shared(Uint32Array, docRows.at(-1) as number)
  for (let doc = 0; doc + 1 < docRows.length; doc++)
    for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) rowDocs[row] = doc
  return rowDocs
}

function copyTexts(parts: readonly Part[], places: readonly Uint32Array[], rowCount: number, arena: Arena) {
  const [rowCommon, rowOwn] = [newSlices(rowCount), newSlices(rowCount)]
  for (const [part, { segment }] of parts.entries())
    for (let row = 0; row < segment.rowDocs.length; row++) {
      const place = places[part]?.[row] as number
      if (place === gone) continue
      arena.copy(segment.text, segment.rowCommon, row, rowCommon, place)
      arena.copy(segment.text, segment.rowOwn, row, rowOwn, place)
    }
  return { rowCommon, rowOwn }
}
