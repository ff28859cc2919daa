import { matchClass } from '../../rules/search-rank.ts'
import type { PostingList } from '../build/prefix-postings.ts'
import type { Query } from './keyword.ts'

/** Tests ascending docs for membership in a posting list: by its bitmap, or by galloping search. */
export class PostingIterator {
  readonly #docs: Uint32Array
  readonly #bits: Uint32Array | undefined
  readonly #to: number
  #at: number

  constructor({ docs, from, to, bits }: PostingList) {
    this.#docs = docs
    this.#bits = bits
    this.#at = from
    this.#to = to
  }

  has(doc: number): boolean {
    if (this.#bits) return (((this.#bits[doc >>> 5] as number) >>> (doc & 31)) & 1) === 1
    const docs = this.#docs
    const to = this.#to
    let at = this.#at
    if (at >= to) return false
    const here = docs[at] as number
    if (here >= doc) return here === doc
    let step = 1
    while (at + step < to && (docs[at + step] as number) < doc) {
      at += step
      step *= 2
    }
    let low = at + 1
    let high = at + step < to ? at + step : to
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] as number) < doc) low = middle + 1
      else high = middle
    }
    this.#at = low
    return low < to && docs[low] === doc
  }
}

const iterators = (lists: readonly PostingList[]): PostingIterator[] =>
  lists.filter(({ from, to }) => from < to).map((list) => new PostingIterator(list))

function anyHas(all: readonly PostingIterator[], doc: number): boolean {
  for (let index = 0; index < all.length; index++) if ((all[index] as PostingIterator).has(doc)) return true
  return false
}

type WordIterators = Readonly<Record<'exact' | 'isin' | 'symbols' | 'whole' | 'words', PostingIterator[]>>

/** Says how docs match the words of a search. Docs must be asked in ascending order, so each walk needs its own
 *  matcher. `walked` is the word whose docs are walked, if any: the other words are tested first, because they decide
 *  more. */
export class Matcher {
  readonly #others: readonly WordIterators[]
  readonly #walked: WordIterators | undefined
  readonly #names: readonly PostingIterator[]

  constructor({ keywords, names }: Query, walked = -1) {
    const all = keywords.map((word) => ({
      exact: keywords.length === 1 ? iterators(word.exact) : [],
      isin: iterators([word.isin]),
      symbols: iterators([word.symbols]),
      whole: iterators([word.whole]),
      words: iterators(word.typos ?? [word.words]),
    }))
    this.#others = all.filter((_, index) => index !== walked)
    this.#walked = all[walked]
    this.#names = iterators([names])
  }

  /** The class as `classOf` in the rules defines it. */
  classAt(doc: number): number {
    let best: number = matchClass.none
    let worst: number = matchClass.exactSymbol
    for (let index = 0; index < this.#others.length; index++) {
      const reached = classOfWord(this.#others[index] as WordIterators, doc)
      if (reached === matchClass.none) return matchClass.none
      if (reached < best) best = reached
      if (reached > worst) worst = reached
    }
    if (this.#walked) {
      const reached = classOfWord(this.#walked, doc)
      best = Math.min(best, reached)
      worst = Math.max(worst, reached)
    }
    if (worst === matchClass.none || best <= matchClass.isin) return worst === matchClass.none ? worst : best
    if (anyHas(this.#names, doc)) return matchClass.nameStart
    return best === matchClass.symbolPrefix ? best : worst
  }

  hasName(doc: number): boolean {
    return anyHas(this.#names, doc)
  }

  /** Whether any word matches the symbol or ISIN, which their classes require. */
  isIdentified(doc: number): boolean {
    for (let index = 0; index < this.#others.length; index++)
      if (isIdentified(this.#others[index] as WordIterators, doc)) return true
    return this.#walked !== undefined && isIdentified(this.#walked, doc)
  }

  /** Whether the class is wholeWords, given that the walked word is a whole word. */
  matchesWholeWords(doc: number): boolean {
    for (let index = 0; index < this.#others.length; index++)
      if (!anyHas((this.#others[index] as WordIterators).whole, doc)) return false
    return !this.isIdentified(doc) && !anyHas(this.#names, doc)
  }

  /** Whether the class is wordPrefix, given that the walked word matches the description. */
  matchesPrefixes(doc: number): boolean {
    let isWhole = this.#walked === undefined || anyHas(this.#walked.whole, doc)
    for (let index = 0; index < this.#others.length; index++) {
      const { whole, words } = this.#others[index] as WordIterators
      if (isWhole && anyHas(whole, doc)) continue
      if (!anyHas(words, doc)) return false
      isWhole = false
    }
    return !isWhole && !this.isIdentified(doc) && !anyHas(this.#names, doc)
  }
}

const isIdentified = ({ isin, symbols }: WordIterators, doc: number): boolean =>
  anyHas(symbols, doc) || anyHas(isin, doc)

function classOfWord({ exact, isin, symbols, whole, words }: WordIterators, doc: number): number {
  if (anyHas(symbols, doc)) {
    if (anyHas(exact, doc)) return matchClass.exactSymbol
    return anyHas(isin, doc) ? matchClass.isin : matchClass.symbolPrefix
  }
  if (anyHas(isin, doc)) return matchClass.isin
  if (anyHas(whole, doc)) return matchClass.wholeWords
  return anyHas(words, doc) ? matchClass.wordPrefix : matchClass.none
}
