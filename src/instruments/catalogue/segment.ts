import { assetTypes } from '../../core/asset-type.ts'
import { lowerBound } from './arrays.ts'
import type { NameIndex } from './build/name-collector.ts'
import type { Postings, TextIndex } from './build/prefix-postings.ts'
import type { Vocabulary } from './search/vocabulary.ts'

export type Slices = Readonly<{ starts: Uint32Array; lengths: Uint32Array }>

/** Docs ordered by a key, and the key of each: the docs of one key are a range. */
export type DocsByKey = Readonly<{ keys: Uint32Array; docs: Uint32Array }>

/** Terms that are only looked up whole, and their docs. */
export type WholeTerms = Readonly<{ vocabulary: Vocabulary; postings: Postings }>

export function docsOf({ keys, docs }: DocsByKey, key: number): Uint32Array {
  const start = lowerBound(keys, key)
  return docs.subarray(start, lowerBound(keys, key + 1, start))
}

/** Asset types are numbered in alphabetical order, which is also the order of an instrument's rows. */
export const typeNames: readonly string[] = assetTypes.toSorted()
export const typeNumbers: ReadonlyMap<string, number> = new Map(typeNames.map((name, index) => [name, index]))

export const bucketFlags = {
  isComplex: 1,
  isRoot: 2,
  isMain: 4,
  joinsMultiLeg: 8,
  /** Tradable unless it has expired or the caller lacks the right. */
  isTradable: 16,
  isReduceOnly: 32,
} as const

/** An immutable index of instruments and option roots, made of flat arrays that threads share. A *doc* is an
 *  instrument or an option root; docs are numbered by rank, then id, instruments first. A *row* is a doc in one of its
 *  asset types. A *template* is the JSON that many rows share. A *bucket* is the set of rows that agree in everything
 *  filters and access rights look at, so these are evaluated per bucket, not per row. */
export type Segment = Readonly<{
  revision: number
  /** Of the data at this revision. */
  identity: string
  exchangeIds: readonly string[]
  /** Calendars, hours and spot days of instruments as JSON; number 0 means the times of the exchange. */
  ownTimes: readonly string[]
  /** The symbol prefix of the futures of a continuous future, by its Uic. */
  baseIdentifiers: ReadonlyMap<number, string>

  docIds: Uint32Array
  docRanks: Uint32Array
  /** 0: instrument, 1: option root. */
  docKinds: Uint8Array
  docRows: Uint32Array
  /** See doc-facts.ts. */
  docFacts: Int32Array
  /** The bucket of the row of the main asset type, which most searches look at. */
  docBuckets: Uint16Array | Uint32Array
  /** 1 if the rows differ in symbol or description, so that each must be matched separately. Empty if none do. */
  docDiffers: Uint8Array
  docTimes: Uint32Array
  uics: Uint32Array
  uicDocs: Uint32Array
  /** Futures by their continuous future. */
  futures: DocsByKey
  groups: DocsByKey
  /** The reference price of an instrument; NaN if unknown. */
  docPrices: Float64Array
  /** Value changes per doc in percent (NaN if unknown): week, month, year. And the docs ordered by each. */
  changes: readonly Float64Array[]
  changeDocs: readonly Uint32Array[]

  rowDocs: Uint32Array
  /** Days since 1970; 0 if it does not expire. */
  rowExpiries: Int32Array
  rowTemplates: Uint32Array
  rowCommon: Slices
  rowOwn: Slices
  /** The same and more by row: see row-facts.ts. */
  rowFacts: Uint32Array
  /** The distinct lists of buckets that the rows of a doc have, the main one first: list n is from starts[n] to starts[n + 1]. */
  bucketLists: Readonly<{ starts: Uint32Array; buckets: Uint32Array }>
  /** The arena of the slices of rows and templates, UTF-8. */
  text: Uint8Array
  templateBuckets: Uint32Array
  templateSummary: Slices
  templateDetails: Slices
  templateOrderSetting: Slices
  templateOrderTypes: Slices

  bucketTypes: Uint8Array
  bucketExchanges: Uint32Array
  bucketHints: Uint8Array
  bucketFlags: Uint8Array
  /** The rows of bucket b are from bucketStarts[b] to bucketStarts[b + 1], ascending. */
  bucketStarts: Uint32Array
  bucketRows: Uint32Array

  symbols: TextIndex
  /** The words of descriptions and aliases. */
  words: TextIndex
  names: NameIndex
  /** The aliases of instruments whose rows differ, by Uic. */
  aliases: ReadonlyMap<number, readonly string[]>
  /** The first words of names as one word: airliquide. */
  joinedNames: WholeTerms
  isins: WholeTerms

  options: OptionColumns
}>

/** Option contracts in columns: the series of a root and the contracts of a series are contiguous and ordered. */
export type OptionColumns = Readonly<{
  rootIds: Uint32Array
  rootsById: Uint32Array
  rootDocs: Uint32Array
  /** GroupOptionRootId; 0 if there is none. */
  rootGroups: Uint32Array
  rootSeries: Uint32Array
  /** Days since 1970. */
  seriesExpiries: Int32Array
  /** Microseconds since 1970; NaN if unknown. */
  seriesLastTrades: Float64Array
  seriesTickSchemes: Slices
  /** The arena of the tick schemes, UTF-8. */
  text: Uint8Array
  seriesOptions: Uint32Array
  uics: Uint32Array
  roots: Uint32Array
  strikes: Float64Array
  underlyings: Uint32Array
  /** Bit 0: put. Bits 1 and 2: trading status. */
  flags: Uint8Array
  byUic: Uint32Array
}>

export const bucketOfRow = (
  { templateBuckets, rowTemplates }: Pick<Segment, 'templateBuckets' | 'rowTemplates'>,
  row: number,
): number => templateBuckets[rowTemplates[row] as number] as number

/** Of days since 1970; 0 means that it does not expire. */
export const isPast = (expiry: number, today: number): boolean => expiry !== 0 && expiry < today

export const hasExpired = ({ rowExpiries }: Segment, row: number, today: number): boolean =>
  isPast(rowExpiries[row] as number, today)

export function namesOfRow({ text, rowCommon }: Segment, row: number): { Symbol: string; Description: string } {
  const start = rowCommon.starts[row] as number
  const common = Buffer.from(text.subarray(start, start + (rowCommon.lengths[row] as number))).toString()
  return JSON.parse(`{${common}}`)
}
