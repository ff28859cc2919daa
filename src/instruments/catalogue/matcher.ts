import { type Keyword, matchClass } from './keyword.ts'
import type { Run } from './prefix-lists.ts'

/** Tells of docs that ascend whether they are in an ascending run. Goes forward in leaps, so that it passes over what
 *  nobody asks about. */
class RunCursor {
  readonly #docs: Uint32Array
  readonly #to: number
  #at: number

  constructor({ docs, from, to }: Run) {
    this.#docs = docs
    this.#at = from
    this.#to = to
  }

  has(doc: number): boolean {
    const docs = this.#docs
    const to = this.#to
    let at = this.#at
    if (at >= to) return false
    let here = docs[at] as number
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
    if (low >= to) return false
    here = docs[low] as number
    return here === doc
  }
}

const cursors = (runs: readonly Run[]): RunCursor[] =>
  runs.filter(({ from, to }) => from < to).map((run) => new RunCursor(run))

function anyHas(all: readonly RunCursor[], doc: number): boolean {
  // Each must move on with the doc, but the first that has it decides.
  for (let index = 0; index < all.length; index++) if ((all[index] as RunCursor).has(doc)) return true
  return false
}

type WordCursors = Readonly<{ exact: RunCursor[]; isin: RunCursor[]; symbols: RunCursor[]; words: RunCursor[] }>

/** How docs match the words of a search. Asked of docs that ascend; a new walk needs a new one. */
export class Matcher {
  readonly #words: readonly WordCursors[]

  constructor(words: readonly Keyword[]) {
    this.#words = words.map((word) => ({
      exact: cursors(word.exact),
      isin: cursors([word.isin]),
      symbols: cursors([word.symbols]),
      words: cursors(word.typos ?? [word.terms]),
    }))
  }

  /** The best that any of the words reaches, if all of them match. */
  classAt(doc: number): number {
    let best: number = matchClass.none
    for (let index = 0; index < this.#words.length; index++) {
      const reached = classOfWord(this.#words[index] as WordCursors, doc)
      if (reached === matchClass.none) return matchClass.none
      if (reached < best) best = reached
    }
    return best
  }

  /** Whether all words are in the description: necessary for a doc of that class, and quickly said. */
  isDescribed(doc: number): boolean {
    for (let index = 0; index < this.#words.length; index++)
      if (!anyHas((this.#words[index] as WordCursors).words, doc)) return false
    return true
  }
}

function classOfWord({ exact, isin, symbols, words }: WordCursors, doc: number): number {
  if (anyHas(exact, doc)) return matchClass.exactSymbol
  if (anyHas(isin, doc)) return matchClass.isin
  if (anyHas(symbols, doc)) return matchClass.symbolPrefix
  return anyHas(words, doc) ? matchClass.descriptionWord : matchClass.none
}
