import { maxNameWords } from '../../rules/search-rank.ts'
import { joinedStarts } from '../../rules/spellings.ts'
import { lowerBound } from '../arrays.ts'
import { minPairedDocs, type NameIndex, nameEnd } from '../build/name-collector.ts'
import { emptyList, listOf, type PostingList, type Postings, sliceOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { type Keyword, unionOf } from './keyword.ts'
import { termOf } from './vocabulary.ts'

/** Finds the docs with a name that begins with the words, blanks aside. */
export function findNames(segment: Segment, phrase: readonly string[], keywords: readonly Keyword[]): PostingList {
  if (phrase.length === 0) return emptyList
  const { joinedNames, names, words } = segment
  const joined = phrase.join('')
  const lists = [docsOfTerm(joinedNames.postings, termOf(joinedNames.vocabulary, joined))]
  if (phrase.length > 1) lists.push(docsOfTerm(names.firsts, termOf(words.vocabulary, joined)))
  // The joined names have those that are written like the phrase, unless it is too short, too long or has single letters.
  if (!joinedStarts(phrase).includes(joined)) lists.push(findNamesAsTyped(segment, phrase, keywords))
  return unionOf(lists, segment.docIds.length)
}

const docsOfTerm = ({ starts, docs }: Postings, term: number): PostingList =>
  term < 0 ? emptyList : sliceOf(docs, starts[term] as number, starts[term + 1] as number)

function findNamesAsTyped(
  { names, words }: Segment,
  phrase: readonly string[],
  keywords: readonly Keyword[],
): PostingList {
  if (phrase.length > maxNameWords) return emptyList
  const terms: number[] = []
  for (const word of phrase) {
    const keyword = keywords.find(({ trimmed }) => trimmed === word)
    const term = keyword ? keyword.term : termOf(words.vocabulary, word)
    if (term < 0) return emptyList
    terms.push(term)
  }
  const [first, second] = terms as [number, number | undefined]
  const list = docsOfTerm(names.firsts, first)
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
