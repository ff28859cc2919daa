import { maxNameWords } from '../../rules/search-rank.ts'
import { lowerBound } from '../arrays.ts'
import { minPairedDocs, type NameIndex, nameEnd } from '../build/name-collector.ts'
import { emptyList, listOf, type PostingList, sliceOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import type { Keyword } from './keyword.ts'
import { termOf } from './vocabulary.ts'

/** The docs of which a name begins with the words. */
export function findNames(
  { names, words }: Segment,
  phrase: readonly string[],
  keywords: readonly Keyword[],
): PostingList {
  if (phrase.length === 0 || phrase.length > maxNameWords) return emptyList
  const terms: number[] = []
  for (const word of phrase) {
    const keyword = keywords.find(({ trimmed }) => trimmed === word)
    const term = keyword ? keyword.term : termOf(words.vocabulary, word)
    if (term < 0) return emptyList
    terms.push(term)
  }
  const [first, second] = terms as [number, number | undefined]
  const { starts, docs } = names.firsts
  const list = sliceOf(docs, starts[first] as number, starts[first + 1] as number)
  if (second === undefined) return list
  if (list.size < minPairedDocs) return withName(names, list, terms)
  const paired = pairList(names, first, second)
  return terms.length === 2 ? paired : withName(names, paired, terms)
}

function pairList({ pairs: { firsts, starts, seconds, docs } }: NameIndex, first: number, second: number): PostingList {
  const index = lowerBound(firsts, first)
  if (firsts[index] !== first) return emptyList
  const to = starts[index + 1] as number
  const low = lowerBound(seconds, second, starts[index], to)
  return sliceOf(docs, low, lowerBound(seconds, second + 1, low, to))
}

/** The docs of a list of which a name begins with the terms. */
function withName(names: NameIndex, { docs, from, to }: PostingList, terms: readonly number[]): PostingList {
  const found: number[] = []
  for (let at = from; at < to; at++) if (hasName(names, docs[at] as number, terms)) found.push(docs[at] as number)
  return listOf(Uint32Array.from(found))
}

function hasName({ starts, terms: all }: NameIndex, doc: number, terms: readonly number[]): boolean {
  const end = starts[doc + 1] as number
  for (let at = starts[doc] as number; at < end; at++) {
    let length = 0
    while (length < terms.length && all[at + length] === terms[length]) length++
    if (length === terms.length) return true
    while (all[at] !== nameEnd) at++
  }
  return false
}
