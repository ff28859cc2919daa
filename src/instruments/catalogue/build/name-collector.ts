import { maxNameWords, nameWords } from '../../rules/search-rank.ts'
import { GrowableArray, radixOrder, shareColumns, shared } from '../arrays.ts'
import type { Postings } from './prefix-postings.ts'
import { invert, type TermCollector } from './term-collector.ts'

/** Ends a name; a doc has its description and its aliases. */
export const nameEnd = 0xffff_ffff

/** From this many docs on, those of a first word are also listed by the second. */
export const minPairedDocs = 64

/** The names of docs as terms of `words`: those of doc d are from starts[d] to starts[d + 1], each ended by `nameEnd`.
 *  And the docs by the first word of their names, and by the first two. */
export type NameIndex = Readonly<{ starts: Uint32Array; terms: Uint32Array; firsts: Postings; pairs: NamePairs }>

/** For frequent first words: the second words and docs of firsts[n] are from starts[n] to starts[n + 1], ascending. */
type NamePairs = Readonly<{ firsts: Uint32Array; starts: Uint32Array; seconds: Uint32Array; docs: Uint32Array }>

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
    const firstTerms = this.#firsts.values.map((term) => newNumbers[term] as number)
    const firsts = invert(firstTerms, this.#firstEnds.values, order, newNumbers.length)
    return { starts, terms, firsts, pairs: pairsOf(starts, terms, firsts) }
  }
}

export function pairsOf(nameStarts: Uint32Array, terms: Uint32Array, { starts: firstStarts }: Postings): NamePairs {
  const growable = () => new GrowableArray(Uint32Array)
  const found = { firsts: growable(), seconds: growable(), docs: growable() }
  for (let doc = 0; doc + 1 < nameStarts.length; doc++)
    for (let at = nameStarts[doc] as number; at < (nameStarts[doc + 1] as number); at++) {
      const [first, second] = [terms[at] as number, terms[at + 1] as number]
      if (first === nameEnd) continue
      if (second !== nameEnd && (firstStarts[first + 1] as number) - (firstStarts[first] as number) >= minPairedDocs) {
        found.firsts.push(first)
        found.seconds.push(second)
        found.docs.push(doc)
      }
      while (terms[at] !== nameEnd) at++
    }
  return groupPairs(found.firsts.values, found.seconds.values, found.docs.values)
}

function groupPairs(allFirsts: Uint32Array, allSeconds: Uint32Array, allDocs: Uint32Array): NamePairs {
  const growable = () => new GrowableArray(Uint32Array)
  const pairs = { firsts: growable(), starts: growable(), seconds: growable(), docs: growable() }
  let last = -1
  for (const index of radixOrder(allFirsts, radixOrder(allSeconds))) {
    const [first, second, doc] = [allFirsts[index] as number, allSeconds[index] as number, allDocs[index] as number]
    const isSame = last >= 0 && allFirsts[last] === first && allSeconds[last] === second && allDocs[last] === doc
    if (isSame) continue
    if (last < 0 || allFirsts[last] !== first) {
      pairs.firsts.push(first)
      pairs.starts.push(pairs.docs.length)
    }
    pairs.seconds.push(second)
    pairs.docs.push(doc)
    last = index
  }
  pairs.starts.push(pairs.docs.length)
  return shareColumns(pairs)
}
