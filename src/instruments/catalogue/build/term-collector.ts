import { GrowableArray, numberOf, shared, startsOf } from '../arrays.ts'
import { buildVocabulary, type Vocabulary } from '../search/vocabulary.ts'
import type { Postings } from './prefix-postings.ts'

/** Collects the terms of docs, numbering each term when it is first seen. */
export class TermCollector {
  readonly #numbers = new Map<string, number>()
  readonly #terms = new GrowableArray(Uint32Array)
  readonly #ends = new GrowableArray(Uint32Array)

  addDoc(terms: Iterable<string>): void {
    for (const term of terms) this.#terms.push(this.numberOf(term))
    this.#ends.push(this.#terms.length)
  }

  numberOf(term: string): number {
    return numberOf(this.#numbers, term)
  }

  /** Sorts the vocabulary, renumbers the docs by `order` and inverts the index. */
  finish(order: Uint32Array): { vocabulary: Vocabulary; postings: Postings; newNumbers: Uint32Array } {
    const sorted = [...this.#numbers.keys()].sort()
    const newNumbers = new Uint32Array(sorted.length)
    for (let term = 0; term < sorted.length; term++)
      newNumbers[this.#numbers.get(sorted[term] as string) as number] = term
    const terms = this.#terms.values.map((term) => newNumbers[term] as number)
    const postings = invert(terms, this.#ends.values, order, sorted.length)
    return { vocabulary: buildVocabulary(sorted), postings, newNumbers }
  }
}

/** Inverts the terms of docs, of which `ends` has the last index after each, with the docs renumbered by `order`. */
export function invert(terms: Uint32Array, ends: Uint32Array, order: Uint32Array, termCount: number): Postings {
  const starts = startsOf(terms, termCount)
  const next = starts.slice()
  const docs = shared(Uint32Array, terms.length)
  for (let doc = 0; doc < order.length; doc++) {
    const old = order[doc] as number
    for (let index = old === 0 ? 0 : (ends[old - 1] as number); index < (ends[old] as number); index++) {
      const term = terms[index] as number
      const at = next[term] as number
      docs[at] = doc
      next[term] = at + 1
    }
  }
  return { starts, docs }
}
