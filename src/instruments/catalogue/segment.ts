import { assetTypes } from '../../core/asset-type.ts'
import type { Postings, PrefixPostings } from './build/prefix-postings.ts'
import type { Vocabulary } from './search/vocabulary.ts'

/** A piece of an arena: where each begins and how long it is. */
export type Slices = Readonly<{ starts: Uint32Array; lengths: Uint32Array }>

/** Asset types in the order of their names, by which rows of one instrument are ordered; numbers stand for them. */
export const typeNames: readonly string[] = assetTypes.toSorted()
export const typeNumbers: ReadonlyMap<string, number> = new Map(typeNames.map((name, index) => [name, index]))

/** What makes rows alike for every filter and right: decided once per bucket, not once per row. */
export const bucketFlags = {
  isComplex: 1,
  isRoot: 2,
  isMain: 4,
  joinsMultiLeg: 8,
  /** TradingStatus Tradable or NotDefined, and nothing else that forbids it but expiry. */
  isTradable: 16,
  isReduceOnly: 32,
} as const

/**
 * A reader of the catalogue: some instruments and option roots with all that is needed to find and to answer them. A *doc*
 * is an instrument or a root, in the order of rank, Identifier, instruments first; a *row* is a doc in one of its asset
 * types. Nothing but flat arrays that threads share, so that one thread builds what another serves.
 */
export type Segment = Readonly<{
  revision: number
  exchangeIds: readonly string[]
  /** Hours that instruments have of their own, as JSON; number 0 stands for the exchange's. */
  ownHours: readonly string[]

  /** What the symbols of a continuous parent's futures begin with, by its Uic. */
  baseIdentifiers: ReadonlyMap<number, string>

  docIds: Uint32Array
  docRanks: Uint32Array
  /** 0 an instrument, 1 a root. */
  docKinds: Uint8Array
  docRows: Uint32Array
  docGroups: Uint32Array
  /** The row of the main asset type, and its bucket: what most searches ask about, without a detour. */
  docMainRows: Uint32Array
  docBuckets: Uint32Array
  /** 1 where the rows do not all have the same symbol and description, so that each must be looked at by itself. Empty
   *  when there is no such doc. */
  docDiffers: Uint8Array
  docHours: Uint32Array
  /** Instruments by Uic. */
  uics: Uint32Array
  uicDocs: Uint32Array
  /** Continuous parents' futures, by parent. */
  parents: Uint32Array
  parentDocs: Uint32Array
  groups: Uint32Array
  groupDocs: Uint32Array
  /** Percent per doc (NaN where unknown), and the docs that have the figure in its order: week, month, year. */
  changes: readonly Float64Array[]
  changeDocs: readonly Uint32Array[]

  rowDocs: Uint32Array
  /** Days since 1970; 0 where it does not expire. */
  rowExpiries: Int32Array
  rowTemplates: Uint32Array
  rowCommon: Slices
  rowOwn: Slices
  /** UTF-8 text that pieces point into. */
  text: Uint8Array
  /** What many rows share: members of the search entry, of the details, and of the two field groups. */
  templateBuckets: Uint32Array
  templateSummary: Slices
  templateDetails: Slices
  templateOrderSetting: Slices
  templateOrderTypes: Slices

  bucketTypes: Uint8Array
  bucketExchanges: Uint32Array
  bucketHints: Uint8Array
  bucketFlags: Uint8Array
  /** Rows by bucket: those of bucket p from bucketStarts[p] to bucketStarts[p + 1], ascending. */
  bucketStarts: Uint32Array
  bucketRows: Uint32Array

  symbols: Vocabulary
  symbolPostings: Postings
  symbolPrefixes: PrefixPostings
  terms: Vocabulary
  wordPostings: Postings
  wordPrefixes: PrefixPostings
  isins: Vocabulary
  isinPostings: Postings

  options: OptionColumns
}>

/** Option contracts in columns. Roots by the number they have here; series of a root, contracts of a series, in order. */
export type OptionColumns = Readonly<{
  rootIds: Uint32Array
  /** Roots in the order of their id. */
  rootsById: Uint32Array
  rootDocs: Uint32Array
  rootSeries: Uint32Array
  /** Days since 1970. */
  seriesExpiries: Int32Array
  /** Microseconds since 1970; NaN where it is not told. */
  seriesLastTrades: Float64Array
  seriesTickSchemes: Slices
  seriesOptions: Uint32Array
  uics: Uint32Array
  /** The root of each contract. */
  roots: Uint32Array
  strikes: Float64Array
  underlyings: Uint32Array
  /** Bit 0: a put. Bits 1 and 2: the trading status. */
  flags: Uint8Array
  /** Contracts in the order of their Uic. */
  byUic: Uint32Array
}>
