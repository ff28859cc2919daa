import { GrowableArray, numberOf, shared, startsOf } from '../arrays.ts'
import { buildVocabulary, type Vocabulary } from '../search/vocabulary.ts'
import type { Postings } from './prefix-postings.ts'

/** Collects the terms of docs, numbering each term when it is first seen. */
export class TermCollector {
  readonly #numbers = new Map<string, number>()
  readonly #terms = new GrowableArray(Uint32Array)
  readonly #ends = new GrowableArray(Uint32Array)

  addDoc(terms: Iterable<string>): void {
    for (const term of terms) this.#terms.push(numberOf(this.#numbers, term))
    this.#ends.push(this.#terms.length)
  }

  /** Sorts the vocabulary, renumbers the docs by `order` and inverts the index. */
  finish(order: Uint32Array): { vocabulary: Vocabulary; postings: Postings } {
    const sorted = [...this.#numbers.keys()].sort()
    const newNumbers = new Uint32Array(sorted.length)
    for (let term = 0; term < sorted.length; term++)
      newNumbers[this.#numbers.get(sorted[term] as string) as number] = term
    const terms = this.#terms.values.map((term) => newNumbers[term] as number)
    const starts = startsOf(terms, sorted.length)
    const next = starts.slice()
    const docs = shared(Uint32Array, terms.length)
    const ends = this.#ends.values
    for (let doc = 0; doc < order.length; doc++) {
      const old = order[doc] as number
      for (let index = old === 0 ? 0 : (ends[old - 1] as number); index < (ends[old] as number); index++) {
        const term = terms[index] as number
        const at = next[term] as number
        docs[at] = doc
        next[term] = at + 1
      }
    }
    return { vocabulary: buildVocabulary(sorted), postings: { starts, docs } }
  }
}
