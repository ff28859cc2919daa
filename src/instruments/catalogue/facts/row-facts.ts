import { shared, sharedCopy } from '../arrays.ts'
import { bucketFlags, bucketOfRow, type Segment } from '../segment.ts'

/** What writing a row needs, in one place: gathering it from a dozen columns costs as many cache misses. */
export const factsPerRow = 8
export const rowFact = {
  id: 0,
  template: 1,
  /** Where the common and the own fields are in the text. */
  common: 2,
  commonLength: 3,
  own: 4,
  ownLength: 5,
  bucketList: 6,
  flags: 7,
} as const

export const rowFlags = {
  /** Some row of the doc expires. */
  expires: 1,
  /** The own fields refer to other instruments. */
  isRelated: 2,
  /** Its instrument has its own hours, calendars or value dates. */
  hasOwnTimes: 4,
} as const

type Columns = Pick<
  Segment,
  | 'docIds'
  | 'docRows'
  | 'docTimes'
  | 'rowExpiries'
  | 'rowTemplates'
  | 'rowCommon'
  | 'rowOwn'
  | 'templateBuckets'
  | 'bucketFlags'
  | 'text'
>

const relationPrefix = Buffer.from('"Related')

export function rowFactsOf(columns: Columns): Pick<Segment, 'rowFacts' | 'bucketLists'> {
  const { docIds, docRows, docTimes, rowExpiries, rowTemplates, rowCommon, rowOwn } = columns
  const rowFacts = shared(Uint32Array, rowTemplates.length * factsPerRow)
  const lists = new BucketListCollector(columns)
  const text = Buffer.from(columns.text.buffer, columns.text.byteOffset, columns.text.byteLength)
  for (let doc = 0; doc < docIds.length; doc++) {
    const [first, end] = [docRows[doc] as number, docRows[doc + 1] as number]
    const list = lists.add(first, end)
    let ofDoc = docTimes[doc] === 0 ? 0 : rowFlags.hasOwnTimes
    for (let row = first; row < end; row++) if (rowExpiries[row] !== 0) ofDoc |= rowFlags.expires
    for (let row = first; row < end; row++) {
      const [own, ownLength] = [rowOwn.starts[row] as number, rowOwn.lengths[row] as number]
      const isRelated = text.subarray(own, own + ownLength).includes(relationPrefix)
      const at = row * factsPerRow
      rowFacts[at + rowFact.id] = docIds[doc] as number
      rowFacts[at + rowFact.template] = rowTemplates[row] as number
      rowFacts[at + rowFact.common] = rowCommon.starts[row] as number
      rowFacts[at + rowFact.commonLength] = rowCommon.lengths[row] as number
      rowFacts[at + rowFact.own] = own
      rowFacts[at + rowFact.ownLength] = ownLength
      rowFacts[at + rowFact.bucketList] = list
      rowFacts[at + rowFact.flags] = ofDoc | (isRelated ? rowFlags.isRelated : 0)
    }
  }
  return { rowFacts, bucketLists: lists.finish() }
}

/** Numbers lists of buckets in the order of first use. */
class BucketListCollector {
  readonly #columns: Columns
  readonly #numbers = new Map<string, number>()
  readonly #starts = [0]
  readonly #buckets: number[] = []

  constructor(columns: Columns) {
    this.#columns = columns
  }

  add(first: number, end: number): number {
    const list: number[] = []
    for (let row = first; row < end; row++) {
      const bucket = bucketOfRow(this.#columns, row)
      if ((this.#columns.bucketFlags[bucket] as number) & bucketFlags.isMain) list.unshift(bucket)
      else list.push(bucket)
    }
    return this.#numbers.getOrInsertComputed(list.join(), () => {
      this.#buckets.push(...list)
      return this.#starts.push(this.#buckets.length) - 2
    })
  }

  finish(): Segment['bucketLists'] {
    return { starts: sharedCopy(Uint32Array, this.#starts), buckets: sharedCopy(Uint32Array, this.#buckets) }
  }
}
