import { maxNameWords, nameWords } from '../../rules/search-rank.ts'
import { GrowableArray, shared } from '../arrays.ts'
import type { Postings } from './prefix-postings.ts'
import { invert, type TermCollector } from './term-collector.ts'

/** Ends a name; a doc has its description and its aliases. */
export const nameEnd = 0xffff_ffff

/** The names of docs as terms of `words`: those of doc d are from starts[d] to starts[d + 1], each ended by `nameEnd`.
 *  And the docs by the first word of their names. */
export type NameIndex = Readonly<{ starts: Uint32Array; terms: Uint32Array; firsts: Postings }>

/** Collects the names of docs as terms of their descriptions. */
export class NameCollector {
  readonly #words: TermCollector
  readonly #terms = new GrowableArray(Uint32Array)
  readonly #ends = new GrowableArray(Uint32Array)
  readonly #firsts = new GrowableArray(Uint32Array)
  readonly #firstEnds = new GrowableArray(Uint32Array)

  constructor(words: TermCollector) {
    this.#words = words
  }

  addDoc(names: Iterable<string>): void {
    const firsts = new Set<number>()
    for (const name of names) {
      const terms = nameWords(name)
        .slice(0, maxNameWords)
        .map((word) => this.#words.numberOf(word))
      for (const term of terms) this.#terms.push(term)
      this.#terms.push(nameEnd)
      if (terms[0] !== undefined) firsts.add(terms[0])
    }
    for (const term of firsts) this.#firsts.push(term)
    this.#ends.push(this.#terms.length)
    this.#firstEnds.push(this.#firsts.length)
  }

  /** With the numbers that terms have in the sorted vocabulary, and the docs in `order`. */
  finish(order: Uint32Array, newNumbers: Uint32Array): NameIndex {
    const [old, ends] = [this.#terms.values, this.#ends.values]
    const [starts, terms] = [shared(Uint32Array, order.length + 1), shared(Uint32Array, old.length)]
    let at = 0
    for (let doc = 0; doc < order.length; doc++) {
      const before = order[doc] as number
      for (let index = before === 0 ? 0 : (ends[before - 1] as number); index < (ends[before] as number); index++) {
        const term = old[index] as number
        terms[at++] = term === nameEnd ? nameEnd : (newNumbers[term] as number)
      }
      starts[doc + 1] = at
    }
    const firsts = this.#firsts.values.map((term) => newNumbers[term] as number)
    return { starts, terms, firsts: invert(firsts, this.#firstEnds.values, order, newNumbers.length) }
  }
}
