import { isInPhrase, type Reading } from '../../rules/search-rank.ts'
import { trimPunctuation } from '../../rules/tokenizer.ts'
import { sortedUnique } from '../arrays.ts'
import { addToBitmap, emptyList, listOf, type PostingList, postingListOf, sliceOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { DocWalk } from './lists/doc-walk.ts'
import { exactRange, prefixRange, typoRanges, wholeRange } from './vocabulary.ts'

/** A word of a search in one segment, with the docs it matches in each way. */
export type Keyword = Readonly<{
  text: string
  exact: PostingList
  isin: PostingList
  symbols: PostingList
  /** As a whole word of the description, and as a prefix of one. */
  whole: PostingList
  words: PostingList
  /** Whether it matches nothing as typed; `words` are then the docs it matches with one typo corrected. */
  isCorrected: boolean
  /** Without punctuation around it; and its number among the words, or -1. */
  trimmed: string
  term: number
}>

/** A search in one segment: its words, and the docs that match them as a whole. */
export type Query = Readonly<{
  keywords: readonly Keyword[]
  reading: Reading
  /** By the symbol, if it is the only word or has an exchange beside it. */
  exact: PostingList
  /** By a name that begins so, or by a symbol that is spelled so. */
  names: PostingList
}>

/** Words that are no part of the phrase, such as legal forms: a name that begins with it need not have them in order. */
export const outsidePhrase = ({ keywords, reading: { phrase } }: Query): readonly Keyword[] =>
  keywords.filter(({ text }) => !isInPhrase(text, phrase))

export function findKeyword(segment: Segment, word: string): Keyword {
  const { symbols, words, isins } = segment
  const range = prefixRange(symbols.vocabulary, word)
  const trimmed = trimPunctuation(word)
  const termRange = prefixRange(words.vocabulary, trimmed)
  const wholeWord = wholeRange(words.vocabulary, trimmed, termRange)
  return {
    text: word,
    exact: range[0] < range[1] ? exactList(segment, word, range) : emptyList,
    isin: isinList(isins, word),
    symbols: postingListOf(symbols, range),
    whole: postingListOf(words, wholeWord),
    words: postingListOf(words, termRange),
    isCorrected: false,
    trimmed,
    term: wholeWord[0] < wholeWord[1] ? wholeWord[0] : -1,
  }
}

/** The docs with one of the symbols, written as they are indexed. */
export function findSymbols(segment: Segment, symbols: readonly string[]): PostingList {
  const { vocabulary } = segment.symbols
  const ranges = symbols.map((symbol) => wholeRange(vocabulary, symbol, prefixRange(vocabulary, symbol)))
  const lists = ranges.map((range) => postingListOf(segment.symbols, range))
  return unionOf(lists, segment.docIds.length)
}

/** The docs with a symbol that is spelled so, with or without its exchange. */
export const findSpelled = (segment: Segment, symbol: string): PostingList =>
  symbol === '' ? emptyList : exactList(segment, symbol, prefixRange(segment.symbols.vocabulary, symbol))

const exactList = ({ symbols, docIds }: Segment, word: string, range: readonly [number, number]): PostingList =>
  unionOf(
    exactRange(symbols.vocabulary, word, range).map((each) => postingListOf(symbols, each)),
    docIds.length,
  )

/** Only a complete ISIN matches. */
function isinList({ vocabulary, postings: { starts, docs } }: Segment['isins'], word: string): PostingList {
  if (word.length !== 12) return emptyList
  const [low, high] = prefixRange(vocabulary, word)
  return sliceOf(docs, starts[low] as number, starts[high] as number)
}

export function matchesAny(lists: readonly PostingList[], isVisible: (doc: number) => boolean): boolean {
  for (const list of lists) {
    if (list.size === 0) continue
    const walk = new DocWalk(list)
    for (let doc = walk.next(); doc >= 0; doc = walk.next()) if (isVisible(doc)) return true
  }
  return false
}

/** The word with one typo corrected, for words of at least four letters that match nothing (§6.1). */
export function findTypos({ symbols, words, docIds }: Segment, word: string): Keyword {
  const trimmed = trimPunctuation(word)
  const lists = [
    ...typoRanges(words.vocabulary, trimmed).map((range) => postingListOf(words, range)),
    ...typoRanges(symbols.vocabulary, word).map((range) => postingListOf(symbols, range)),
  ]
  const found = { exact: emptyList, isin: emptyList, symbols: emptyList, whole: emptyList }
  return { text: word, ...found, words: unionOf(lists, docIds.length), isCorrected: true, trimmed, term: -1 }
}

/** Up to this many docs are sorted; more are gathered in a bitmap. */
const maxSorted = 512

export function unionOf(all: readonly PostingList[], docCount: number): PostingList {
  const lists = all.filter(({ size }) => size > 0)
  const [first = emptyList, ...others] = lists
  if (others.length === 0) return first
  if (sizeOfLists(lists) <= maxSorted) return listOf(sortedUnique(Uint32Array.from(lists.flatMap(docsIn))))
  const bits = new Uint32Array(Math.ceil(docCount / 32))
  for (const list of lists) addList(bits, list)
  let size = 0
  for (const walk = new DocWalk({ ...emptyList, bits }); walk.next() >= 0; ) size++
  return { ...emptyList, size, bits }
}

function docsIn(list: PostingList): number[] {
  const docs: number[] = []
  const walk = new DocWalk(list)
  for (let doc = walk.next(); doc >= 0; doc = walk.next()) docs.push(doc)
  return docs
}

function addList(bits: Uint32Array, list: PostingList): void {
  if (list.from < list.to) addToBitmap(bits, list.docs, list.from, list.to)
  else
    for (let word = 0; word < (list.bits?.length ?? 0); word++)
      bits[word] = (bits[word] as number) | ((list.bits as Uint32Array)[word] as number)
}

export function sizeOfLists(lists: readonly PostingList[]): number {
  let sum = 0
  for (let index = 0; index < lists.length; index++) sum += (lists[index] as PostingList).size
  return sum
}
