import type { PostingList } from '../build/prefix-postings.ts'
import { type Keyword, matchClass } from './keyword.ts'

/** Tells of docs that ascend whether they are in an ascending list. Goes forward in leaps, so that it passes over what
 *  nobody asks about; a list with bits needs no search at all. */
class PostingIterator {
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

const cursors = (lists: readonly PostingList[]): PostingIterator[] =>
  lists.filter(({ from, to }) => from < to).map((list) => new PostingIterator(list))

function anyHas(all: readonly PostingIterator[], doc: number): boolean {
  // Each must move on with the doc, but the first that has it decides.
  for (let index = 0; index < all.length; index++) if ((all[index] as PostingIterator).has(doc)) return true
  return false
}

type WordIterators = Readonly<{
  exact: PostingIterator[]
  isin: PostingIterator[]
  symbols: PostingIterator[]
  words: PostingIterator[]
}>

/** How docs match the words of a search. Asked of docs that ascend; a new walk needs a new one. `walked` is the word
 *  whose docs are walked, where it is one: the others decide sooner. */
export class Matcher {
  readonly #others: readonly WordIterators[]
  readonly #walked: WordIterators | undefined

  constructor(words: readonly Keyword[], walked = -1) {
    const all = words.map((word) => ({
      exact: cursors(word.exact),
      isin: cursors([word.isin]),
      symbols: cursors([word.symbols]),
      words: cursors(word.typos ?? [word.terms]),
    }))
    this.#others = all.filter((_, index) => index !== walked)
    this.#walked = all[walked]
  }

  /** The best that any of the words reaches, if all of them match. */
  classAt(doc: number): number {
    let best: number = matchClass.none
    for (let index = 0; index < this.#others.length; index++) {
      const reached = classOfWord(this.#others[index] as WordIterators, doc)
      if (reached === matchClass.none) return matchClass.none
      if (reached < best) best = reached
    }
    return this.#walked ? Math.min(best, classOfWord(this.#walked, doc)) : best
  }

  /** Whether a symbol begins with any of the words, or is told by an ISIN: a doc of the better classes is. */
  isNamedAtAll(doc: number): boolean {
    for (let index = 0; index < this.#others.length; index++)
      if (isNamed(this.#others[index] as WordIterators, doc)) return true
    return this.#walked !== undefined && isNamed(this.#walked, doc)
  }

  /** Whether all words are in the description, as the walked one is, and none does better. */
  isDescribed(doc: number): boolean {
    for (let index = 0; index < this.#others.length; index++)
      if (!anyHas((this.#others[index] as WordIterators).words, doc)) return false
    for (let index = 0; index < this.#others.length; index++)
      if (isNamed(this.#others[index] as WordIterators, doc)) return false
    return !this.#walked || !isNamed(this.#walked, doc)
  }
}

const isNamed = ({ isin, symbols }: WordIterators, doc: number): boolean => anyHas(symbols, doc) || anyHas(isin, doc)

/** A symbol that is the word begins with it too. */
function classOfWord({ exact, isin, symbols, words }: WordIterators, doc: number): number {
  if (anyHas(symbols, doc)) {
    if (anyHas(exact, doc)) return matchClass.exactSymbol
    return anyHas(isin, doc) ? matchClass.isin : matchClass.symbolPrefix
  }
  if (anyHas(isin, doc)) return matchClass.isin
  return anyHas(words, doc) ? matchClass.descriptionWord : matchClass.none
}
