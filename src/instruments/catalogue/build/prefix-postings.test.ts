import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prefixRange, type Range, sizeOf } from '../search/vocabulary.ts'
import { buildPrefixPostings, type PostingList, postingListOf } from './prefix-postings.ts'
import { TextCollector } from './text-index.ts'

/** As many docs as it takes for the common prefixes to have a list of their own, and for others not to. */
const docCount = 3_001
const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', 'c'), minLength: 1, maxLength: 5 })
const docs = fc.array(fc.uniqueArray(text, { maxLength: 4 }), { minLength: docCount, maxLength: docCount })
const [universe = []] = fc.sample(docs, { numRuns: 1, seed: 20 })

/** The docs as they come are not the docs as they are numbered. */
const order = Uint32Array.from({ length: docCount }, (_, doc) => (doc * 7) % docCount)
const collector = new TextCollector()
for (const texts of universe) collector.addDoc(texts)
const { vocabulary, postings, docStarts, docTexts } = collector.finish(order)
const lists = buildPrefixPostings(vocabulary, postings, docCount)
const textsOf = (doc: number): string[] => universe[order[doc] as number] ?? []
const sorted = [...new Set(universe.flat())].toSorted()
const valuesOf = ({ docs, from, to }: PostingList): number[] => [...docs.subarray(from, to)]
const docsWith = (isWanted: (each: string) => boolean): number[] =>
  [...Array(docCount).keys()].filter((doc) => textsOf(doc).some(isWanted))

test('every doc has its texts, in their order', () => {
  assert.equal(sizeOf(vocabulary), sorted.length)
  for (let doc = 0; doc < docCount; doc++) {
    const texts = [...docTexts.subarray(docStarts[doc], docStarts[doc + 1])].map((place) => sorted[place])
    assert.deepEqual(texts, textsOf(doc).toSorted())
  }
})

test('every prefix gives the docs that have it, ascending and each once, ready-made or gathered', () => {
  const prefixes = new Set(sorted.flatMap((each) => [1, 2, 3, 4, 5].map((length) => each.slice(0, length))))
  const sizes = { ready: 0, gathered: 0, single: 0 }
  for (const prefix of [...prefixes, 'd', 'aaaaaa']) {
    const range = prefixRange(vocabulary, prefix)
    const list = postingListOf(postings, lists, range)
    assert.deepEqual(
      valuesOf(list),
      docsWith((each) => each.startsWith(prefix)),
      prefix,
    )
    sizes[list.docs === lists.docs ? 'ready' : list.docs === postings.docs ? 'single' : 'gathered']++
  }
  assert.ok(sizes.ready > 5 && sizes.gathered > 5 && sizes.single > 5, JSON.stringify(sizes))
})

test('a range that is no prefix gives its docs too, however long it is', () => {
  const range = fc.tuple(fc.nat(sorted.length), fc.nat(sorted.length)).map(([a, b]): Range => (a < b ? [a, b] : [b, a]))
  fc.assert(
    fc.property(range, ([low, high]) => {
      const wanted = new Set(sorted.slice(low, high))
      assert.deepEqual(
        valuesOf(postingListOf(postings, lists, [low, high])),
        docsWith((each) => wanted.has(each)),
      )
    }),
    { numRuns: 60 },
  )
})

test('there is nothing in nothing', () => {
  const { vocabulary, postings } = new TextCollector().finish(new Uint32Array(0))
  const lists = buildPrefixPostings(vocabulary, postings, 0)
  assert.deepEqual(valuesOf(postingListOf(postings, lists, prefixRange(vocabulary, 'a'))), [])
})

test('where a good reader of all docs is in a range, its bits say the same as its list', () => {
  let withBits = 0
  for (const prefix of ['a', 'b', 'c', 'aa', 'ab', 'aaa', 'aaaa', 'aaaaa']) {
    const list = postingListOf(postings, lists, prefixRange(vocabulary, prefix))
    if (!list.bits) continue
    withBits++
    const { bits } = list
    const told = [...Array(docCount).keys()].filter((doc) => ((bits[doc >>> 5] ?? 0) >>> (doc & 31)) & 1)
    assert.deepEqual(told, valuesOf(list))
  }
  assert.ok(withBits > 2)
})
