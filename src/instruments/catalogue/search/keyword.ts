import { matchClass } from '../../rules/search-rank.ts'
import { trimPunctuation } from '../../rules/tokenizer.ts'
import { emptyList, type PostingList, postingListOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { exactRange, prefixRange, typoRanges, wholeRange } from './vocabulary.ts'

/** A word of a search in one segment, with the docs it matches in each way. */
export type Keyword = Readonly<{
  text: string
  exact: readonly PostingList[]
  isin: PostingList
  symbols: PostingList
  /** As a whole word of the description, and as a prefix of one. */
  whole: PostingList
  words: PostingList
  /** The docs it matches with one typo corrected; only if it matches nothing as typed. */
  typos: readonly PostingList[] | undefined
}>

/** A search in one segment: its words, its words as a name has them, and the docs with a name that begins so. */
export type Query = Readonly<{ keywords: readonly Keyword[]; phrase: readonly string[]; names: PostingList }>

export function findKeyword({ symbols, words, isins }: Segment, word: string): Keyword {
  const range = prefixRange(symbols.vocabulary, word)
  const exact = range[0] < range[1] ? exactRange(symbols.vocabulary, word, range) : []
  const trimmed = trimPunctuation(word)
  const termRange = prefixRange(words.vocabulary, trimmed)
  return {
    text: word,
    exact: exact.map((each) => postingListOf(symbols, each)),
    isin: isinList(isins, word),
    symbols: postingListOf(symbols, range),
    whole: postingListOf(words, wholeRange(words.vocabulary, trimmed, termRange)),
    words: postingListOf(words, termRange),
    typos: undefined,
  }
}

/** Only a complete ISIN matches. */
function isinList({ vocabulary, postings: { starts, docs } }: Segment['isins'], word: string): PostingList {
  if (word.length !== 12) return emptyList
  const [low, high] = prefixRange(vocabulary, word)
  return low < high ? { docs, from: starts[low] as number, to: starts[high] as number } : emptyList
}

export function matchesAny({ isin, symbols, words }: Keyword, isVisible: (doc: number) => boolean): boolean {
  for (const { docs, from, to } of [symbols, words, isin])
    for (let at = from; at < to; at++) if (isVisible(docs[at] as number)) return true
  return false
}

/** The word with one typo corrected, for words of at least four letters that match nothing (§6.1). */
export function findTypos({ symbols, words }: Segment, word: string): Keyword {
  const typos = [
    ...typoRanges(words.vocabulary, trimPunctuation(word)).map((range) => postingListOf(words, range)),
    ...typoRanges(symbols.vocabulary, word).map((range) => postingListOf(symbols, range)),
  ]
  return { text: word, exact: [], isin: emptyList, symbols: emptyList, whole: emptyList, words: emptyList, typos }
}

/** Posting lists that contain every doc that the word matches in a class; some of the docs may match better. */
export function listsOf(word: Keyword, wanted: number): readonly PostingList[] {
  if (wanted === matchClass.exactSymbol) return word.exact
  if (wanted === matchClass.isin) return [word.isin]
  if (wanted === matchClass.symbolPrefix) return [word.symbols]
  if (wanted === matchClass.wholeWords) return [word.whole]
  // A corrected word is a guess, so it ranks no better than the prefix of a word.
  return word.typos ?? [word.words]
}

export const allLists = (word: Keyword): readonly PostingList[] => word.typos ?? [word.isin, word.symbols, word.words]

export const sizeOfLists = (lists: readonly PostingList[]): number =>
  lists.reduce((sum, { from, to }) => sum + to - from, 0)
