import { maxNameWords } from '../../rules/search-rank.ts'
import { type NameIndex, nameEnd } from '../build/name-collector.ts'
import { emptyList, type PostingList, postingListOf } from '../build/prefix-postings.ts'
import type { Segment } from '../segment.ts'
import { PostingIterator } from './matcher.ts'
import { termOf } from './vocabulary.ts'
import { walkPostings } from './walk-postings.ts'

/** The docs of which a name begins with the words. */
export function findNames({ names, words }: Segment, phrase: readonly string[]): PostingList {
  if (phrase.length === 0 || phrase.length > maxNameWords) return emptyList
  const terms: number[] = []
  for (const word of phrase) {
    const term = termOf(words.vocabulary, word)
    if (term < 0) return emptyList
    terms.push(term)
  }
  const [first, { starts, docs }] = [terms[0] as number, names.firsts]
  const list: PostingList = { docs, from: starts[first] as number, to: starts[first + 1] as number }
  if (terms.length === 1) return list
  const others = terms.slice(1).map((term) => postingListOf(words, [term, term + 1]))
  const [shortest = list, ...longer] = [list, ...others].sort(
    (one, other) => one.to - one.from - (other.to - other.from),
  )
  const found: number[] = []
  const bitmaps = longer.flatMap(({ bits }) => bits ?? [])
  const iterators = longer.flatMap((each) => (each.bits ? [] : new PostingIterator(each)))
  const visit = (doc: number): boolean => {
    for (let index = 0; index < iterators.length; index++)
      if (!(iterators[index] as PostingIterator).has(doc)) return true
    return !hasName(names, doc, terms) || found.push(doc) > 0
  }
  walkPostings([shortest], 0, visit, bitmaps)
  return { docs: Uint32Array.from(found), from: 0, to: found.length }
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
