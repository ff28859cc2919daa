import { shared } from '../arrays.ts'
import { type NameIndex, nameEnd, pairsOf } from '../build/name-collector.ts'
import type { Postings } from '../build/prefix-postings.ts'
import { indexed, sizeOf, type Vocabulary } from '../search/vocabulary.ts'
import type { Segment } from '../segment.ts'
import { startsOfDocs } from './merge-rows.ts'
import { gone, type Merged } from './parts.ts'

type Terms = Readonly<{ vocabulary: Vocabulary; postings: Postings }>
/** Of each part: the new numbers of its terms; and of each new term, its number in the part. Or `gone`. */
type Numbers = Readonly<{ fresh: readonly Uint32Array[]; old: readonly Uint32Array[] }>

export function mergeTerms(merged: Merged, select: (segment: Segment) => Terms): Terms & { numbers: Numbers } {
  const terms = merged.parts.map(({ segment }) => select(segment))
  const used = merged.parts.map(({ docs }, index) => usedTerms((terms[index] as Terms).postings, docs))
  const { vocabulary, numbers } = mergeVocabularies(
    terms.map((each) => each.vocabulary),
    used,
  )
  const postings = mergePostings(
    merged,
    terms.map((each) => each.postings),
    numbers,
  )
  return { vocabulary, postings, numbers }
}

/** By term: 1 if it has docs that are not gone. */
function usedTerms({ starts, docs }: Postings, newDocs: Uint32Array): Uint8Array {
  const used = new Uint8Array(starts.length - 1)
  for (let term = 0; term < used.length; term++)
    for (let at = starts[term] as number; at < (starts[term + 1] as number) && used[term] === 0; at++)
      if (newDocs[docs[at] as number] !== gone) used[term] = 1
  return used
}

function mergeVocabularies(all: readonly Vocabulary[], used: readonly Uint8Array[]) {
  const [one, other] = all as [Vocabulary, Vocabulary]
  const most = sizeOf(one) + sizeOf(other)
  const old = all.map(() => new Uint32Array(most).fill(gone))
  const fresh = all.map((vocabulary) => new Uint32Array(sizeOf(vocabulary)).fill(gone))
  let [at, otherAt, count, length] = [0, 0, 0, 0]
  const take = (part: 0 | 1, term: number): void => {
    ;(old[part] as Uint32Array)[count] = term
    ;(fresh[part] as Uint32Array)[term] = count
  }
  while (true) {
    while (at < sizeOf(one) && !used[0]?.[at]) at++
    while (otherAt < sizeOf(other) && !used[1]?.[otherAt]) otherAt++
    if (at === sizeOf(one) && otherAt === sizeOf(other)) break
    const order = compareTerms(one, at, other, otherAt)
    length += order <= 0 ? lengthAt(one, at) : lengthAt(other, otherAt)
    if (order <= 0) take(0, at++)
    if (order >= 0) take(1, otherAt++)
    count++
  }
  const numbers: Numbers = { fresh, old: old.map((terms) => terms.subarray(0, count)) }
  return { vocabulary: joinTerms(all, numbers, length), numbers }
}

const lengthAt = ({ starts }: Vocabulary, term: number): number =>
  (starts[term + 1] as number) - (starts[term] as number)

/** By UTF-16 code unit. The end of a vocabulary comes last. */
function compareTerms(one: Vocabulary, term: number, other: Vocabulary, otherTerm: number): number {
  if (term === sizeOf(one)) return 1
  if (otherTerm === sizeOf(other)) return -1
  const [length, otherLength] = [lengthAt(one, term), lengthAt(other, otherTerm)]
  const [start, otherStart] = [one.starts[term] as number, other.starts[otherTerm] as number]
  for (let at = 0; at < length && at < otherLength; at++) {
    const difference = (one.units[start + at] as number) - (other.units[otherStart + at] as number)
    if (difference !== 0) return difference
  }
  return length - otherLength
}

function joinTerms(all: readonly Vocabulary[], { old: [ones, others] }: Numbers, length: number): Vocabulary {
  const count = ones?.length ?? 0
  const [starts, units] = [shared(Uint32Array, count + 1), shared(Uint16Array, length)]
  let at = 0
  for (let term = 0; term < count; term++) {
    const part = ones?.[term] === gone ? 1 : 0
    const from = all[part] as Vocabulary
    const number = (part === 0 ? ones : others)?.[term] as number
    const end = from.starts[number + 1] as number
    for (let index = from.starts[number] as number; index < end; index++) units[at++] = from.units[index] as number
    starts[term + 1] = at
  }
  return indexed({ units, starts })
}

/** The docs of a term are those of both parts, ascending. */
function mergePostings({ parts }: Merged, postings: readonly Postings[], { old }: Numbers): Postings {
  const count = old[0]?.length ?? 0
  const starts = shared(Uint32Array, count + 1)
  const docs = new Uint32Array(postings.reduce((sum, each) => sum + each.docs.length, 0))
  const lists = parts.map(() => [] as number[])
  let at = 0
  for (let term = 0; term < count; term++) {
    for (const [part, list] of lists.entries())
      newDocsOf(postings[part] as Postings, old[part]?.[term] as number, parts[part]?.docs as Uint32Array, list)
    at = mergeAscending(lists[0] as number[], lists[1] as number[], docs, at)
    starts[term + 1] = at
  }
  return { starts, docs: docs.subarray(0, at) }
}

function newDocsOf({ starts, docs }: Postings, term: number, newDocs: Uint32Array, list: number[]): void {
  list.length = 0
  if (term === gone) return
  for (let at = starts[term] as number; at < (starts[term + 1] as number); at++) {
    const doc = newDocs[docs[at] as number] as number
    if (doc !== gone) list.push(doc)
  }
}

function mergeAscending(one: readonly number[], other: readonly number[], target: Uint32Array, from: number): number {
  let [at, otherAt, to] = [0, 0, from]
  while (at < one.length || otherAt < other.length) {
    const isOne = otherAt === other.length || (at < one.length && (one[at] as number) < (other[otherAt] as number))
    target[to++] = (isOne ? one[at++] : other[otherAt++]) as number
  }
  return to
}

/** Names consist of words, so their terms are numbered as those. */
export function mergeNames(merged: Merged, numbers: Numbers): NameIndex {
  const { parts, docCount } = merged
  const starts = startsOfDocs(merged, ({ segment }) => segment.names.starts)
  const terms = shared(Uint32Array, starts[docCount] as number)
  for (const [part, { segment, docs }] of parts.entries())
    for (let doc = 0; doc < docs.length; doc++) {
      if (docs[doc] === gone) continue
      let to = starts[docs[doc] as number] as number
      for (let at = segment.names.starts[doc] as number; at < (segment.names.starts[doc + 1] as number); at++) {
        const term = segment.names.terms[at] as number
        terms[to++] = term === nameEnd ? nameEnd : (numbers.fresh[part]?.[term] as number)
      }
    }
  const firsts = mergePostings(
    merged,
    parts.map(({ segment }) => segment.names.firsts),
    numbers,
  )
  return { starts, terms, firsts, pairs: pairsOf(starts, terms, firsts) }
}
