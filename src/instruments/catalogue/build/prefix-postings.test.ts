import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prefixRange, type Range, sizeOf } from '../search/vocabulary.ts'
import { buildPrefixPostings, type PostingList, postingListOf } from './prefix-postings.ts'
import { TermCollector } from './term-collector.ts'

/** Enough docs for some prefixes to be precomputed and others not. */
const docCount = 3_001
const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', 'c'), minLength: 1, maxLength: 5 })
const docs = fc.array(fc.uniqueArray(text, { maxLength: 4 }), { minLength: docCount, maxLength: docCount })
const [universe = []] = fc.sample(docs, { numRuns: 1, seed: 20 })

/** Docs are renumbered. */
const order = Uint32Array.from({ length: docCount }, (_, doc) => (doc * 7) % docCount)
const collector = new TermCollector()
for (const texts of universe) collector.addDoc(texts)
const { vocabulary, postings } = collector.finish(order)
const lists = buildPrefixPostings(vocabulary, postings, docCount)
const textsOf = (doc: number): string[] => universe[order[doc] as number] ?? []
const sorted = [...new Set(universe.flat())].toSorted()
const inBitmap = (bits: Uint32Array): number[] =>
  [...Array(docCount).keys()].filter((doc) => ((bits[doc >>> 5] ?? 0) >>> (doc & 31)) & 1)
const valuesOf = ({ docs, from, to, bits }: PostingList): number[] =>
  bits && from === to ? inBitmap(bits) : [...docs.subarray(from, to)]
const docsWith = (isWanted: (each: string) => boolean): number[] =>
  [...Array(docCount).keys()].filter((doc) => textsOf(doc).some(isWanted))

test('the vocabulary contains every term, and its postings the docs of each term', () => {
  assert.equal(sizeOf(vocabulary), sorted.length)
  for (const [term, text] of sorted.entries())
    assert.deepEqual(
      [...postings.docs.subarray(postings.starts[term], postings.starts[term + 1])],
      docsWith((each) => each === text),
    )
})

test('every prefix has the docs that contain it, ascending and without duplicates, precomputed or merged', () => {
  const prefixes = new Set(sorted.flatMap((each) => [1, 2, 3, 4, 5].map((length) => each.slice(0, length))))
  const sizes = { precomputed: 0, merged: 0, single: 0 }
  for (const prefix of [...prefixes, 'd', 'aaaaaa']) {
    const range = prefixRange(vocabulary, prefix)
    const list = postingListOf({ postings, prefixes: lists }, range)
    assert.deepEqual(
      valuesOf(list),
      docsWith((each) => each.startsWith(prefix)),
      prefix,
    )
    const isPrecomputed = list.bits !== undefined || list.docs === lists.docs
    sizes[isPrecomputed ? 'precomputed' : list.docs === postings.docs ? 'single' : 'merged']++
  }
  assert.ok(sizes.precomputed > 5 && sizes.merged > 5 && sizes.single > 5, JSON.stringify(sizes))
})

test('any range of terms has its docs, even if it is not a prefix', () => {
  const range = fc.tuple(fc.nat(sorted.length), fc.nat(sorted.length)).map(([a, b]): Range => (a < b ? [a, b] : [b, a]))
  fc.assert(
    fc.property(range, ([low, high]) => {
      const wanted = new Set(sorted.slice(low, high))
      assert.deepEqual(
        valuesOf(postingListOf({ postings, prefixes: lists }, [low, high])),
        docsWith((each) => wanted.has(each)),
      )
    }),
    { numRuns: 60 },
  )
})

test('a merged list stays as it is while others are made', () => {
  const ranges = sorted.keys().flatMap((low) => [1, 2, 3].map((count): Range => [low, low + count]))
  const made = [...ranges.filter(([, high]) => high <= sorted.length)].map((range) => {
    const list = postingListOf({ postings, prefixes: lists }, range)
    return { list, docs: valuesOf(list) }
  })
  assert.ok(made.reduce((sum, { docs }) => sum + docs.length, 0) > 10_000)
  for (const { list, docs } of made) assert.deepEqual(valuesOf(list), docs)
})

test('an empty index finds nothing', () => {
  const { vocabulary, postings } = new TermCollector().finish(new Uint32Array(0))
  const lists = buildPrefixPostings(vocabulary, postings, 0)
  assert.deepEqual(valuesOf(postingListOf({ postings, prefixes: lists }, prefixRange(vocabulary, 'a'))), [])
})

test('a long list has a bitmap of its docs', () => {
  let withBitmap = 0
  for (const prefix of ['a', 'b', 'c', 'aa', 'ab', 'aaa', 'aaaa', 'aaaaa']) {
    const { bits, size } = postingListOf({ postings, prefixes: lists }, prefixRange(vocabulary, prefix))
    const wanted = docsWith((each) => each.startsWith(prefix))
    assert.equal(size, wanted.length)
    if (!bits) continue
    withBitmap++
    assert.deepEqual(inBitmap(bits), wanted)
  }
  assert.ok(withBitmap > 2)
})
