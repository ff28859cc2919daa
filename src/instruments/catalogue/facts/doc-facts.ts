import { shared } from '../arrays.ts'
import { bucketFlags, bucketOfRow, type DocsByKey, type Segment } from '../segment.ts'

/** What taking a doc into search results needs, in one place, as with row-facts.ts. */
const docFact = {
  /** The row of the main asset type. */
  mainRow: 0,
  /** Of that row, in days since 1970; 0 if it does not expire. */
  expiry: 1,
  /** One more than where the docs of its group begin in `groups`; 0 if it is in none. */
  group: 2,
} as const
/** The fourth is padding, so that all facts of a doc are in one line of the processor's cache. */
const factsPerDoc = 4

type Facts = Pick<Segment, 'docFacts'>

export const mainRowOf = ({ docFacts }: Facts, doc: number): number =>
  docFacts[doc * factsPerDoc + docFact.mainRow] as number

/** Of the main row. */
export const expiryOf = ({ docFacts }: Facts, doc: number): number =>
  docFacts[doc * factsPerDoc + docFact.expiry] as number

/** Where the docs of its group begin in `groups`; -1 if it is in none. */
export const groupStartOf = ({ docFacts }: Facts, doc: number): number =>
  (docFacts[doc * factsPerDoc + docFact.group] as number) - 1

/** 0 if it is in none. */
export function groupOf(segment: Pick<Segment, 'docFacts' | 'groups'>, doc: number): number {
  const at = groupStartOf(segment, doc)
  return at < 0 ? 0 : (segment.groups.keys[at] as number)
}

/** A bitmap of the docs whose main row is in one of the buckets. */
export function docsInBuckets({ docBuckets }: Pick<Segment, 'docBuckets'>, isIn: Uint8Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(docBuckets.length / 32))
  for (let doc = 0; doc < docBuckets.length; doc++)
    if (isIn[docBuckets[doc] as number]) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
  return bits
}

type Columns = Pick<Segment, 'docRows' | 'rowExpiries' | 'rowTemplates' | 'templateBuckets' | 'bucketFlags'> &
  Readonly<{ groups: DocsByKey }>

export function docFactsOf(columns: Columns): Pick<Segment, 'docFacts' | 'docBuckets'> {
  const { docRows, rowExpiries, groups } = columns
  const docCount = docRows.length - 1
  const docFacts = shared(Int32Array, docCount * factsPerDoc)
  // The smaller it is, the more of it stays in the processor's cache.
  const isSmall = columns.bucketFlags.length <= 0x1_0000
  const docBuckets = isSmall ? shared(Uint16Array, docCount) : shared(Uint32Array, docCount)
  for (let doc = 0; doc < docCount; doc++)
    for (let row = docRows[doc] as number; row < (docRows[doc + 1] as number); row++) {
      const bucket = bucketOfRow(columns, row)
      if (!((columns.bucketFlags[bucket] as number) & bucketFlags.isMain)) continue
      docBuckets[doc] = bucket
      docFacts[doc * factsPerDoc + docFact.mainRow] = row
      docFacts[doc * factsPerDoc + docFact.expiry] = rowExpiries[row] as number
    }
  let start = 0
  for (let at = 0; at < groups.docs.length; at++) {
    if (groups.keys[at] !== groups.keys[start]) start = at
    docFacts[(groups.docs[at] as number) * factsPerDoc + docFact.group] = start + 1
  }
  return { docFacts, docBuckets }
}
