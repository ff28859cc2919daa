import { emptyList, type PostingList, postingListOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { trimPunctuation } from './tokenizer.ts'
import { exactRange, prefixRange, type Range, typoRanges } from './vocabulary.ts'

/** How well a doc matches, best first (contract §6); `none` is behind all. */
export const matchClass = { exactSymbol: 0, isin: 1, symbolPrefix: 2, descriptionWord: 3, none: 9 } as const

/** One word of a search in one segment: the docs that it matches, and how. */
export type Keyword = Readonly<{
  text: string
  exact: readonly PostingList[]
  isin: PostingList
  symbols: PostingList
  terms: PostingList
  /** The docs that are meant when the word has one slip; only where it matches nothing as it stands. */
  typos: readonly PostingList[] | undefined
}>

const symbolList = (segment: Segment, range: Range): PostingList =>
  postingListOf(segment.symbolPostings, segment.symbolPrefixes, range)
const wordList = (segment: Segment, range: Range): PostingList =>
  postingListOf(segment.wordPostings, segment.wordPrefixes, range)
const isinLength = 12

export function findKeyword(segment: Segment, word: string): Keyword {
  const range = prefixRange(segment.symbols, word)
  return {
    text: word,
    exact: range[0] < range[1] ? exactRange(segment.symbols, word, range).map((each) => symbolList(segment, each)) : [],
    isin: isinList(segment, word),
    symbols: symbolList(segment, range),
    terms: wordList(segment, prefixRange(segment.terms, trimPunctuation(word))),
    typos: undefined,
  }
}

/** An ISIN is found by the whole of it. */
function isinList({ isins, isinPostings: { starts, docs } }: Segment, word: string): PostingList {
  if (word.length !== isinLength) return emptyList
  const [low, high] = prefixRange(isins, word)
  return low < high ? { docs, from: starts[low] as number, to: starts[high] as number } : emptyList
}

/** Whether a word matches anything as it stands, of what can be seen at all. */
export function matchesAny({ isin, symbols, terms }: Keyword, isSeen: (doc: number) => boolean): boolean {
  for (const { docs, from, to } of [symbols, terms, isin])
    for (let at = from; at < to; at++) if (isSeen(docs[at] as number)) return true
  return false
}

/** The word with one slip mended, for a word of at least four letters that matches nothing (contract §6). */
export function findTypos(segment: Segment, word: string): Keyword {
  const lists = [
    ...typoRanges(segment.terms, trimPunctuation(word)).map((range) => wordList(segment, range)),
    ...typoRanges(segment.symbols, word).map((range) => symbolList(segment, range)),
  ]
  return { text: word, exact: [], isin: emptyList, symbols: emptyList, terms: emptyList, typos: lists }
}

/** All docs that a word can match in a class, as ascending lists; some of them may belong to a better class. */
export function listsOf(word: Keyword, wanted: number): readonly PostingList[] {
  if (wanted === matchClass.exactSymbol) return word.exact
  if (wanted === matchClass.isin) return [word.isin]
  if (wanted === matchClass.symbolPrefix) return [word.symbols]
  // A mended word is never better than a word of the description: what was meant is a guess.
  return word.typos ?? [word.terms]
}

/** Everything that a word matches. */
export const allLists = (word: Keyword): readonly PostingList[] => word.typos ?? [word.isin, word.symbols, word.terms]

export const sizeOfLists = (lists: readonly PostingList[]): number =>
  lists.reduce((sum, { from, to }) => sum + to - from, 0)
