import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyList, listOf, type PostingList } from '../../build/prefix-postings.ts'
import { type DocSource, DocWalk, intersection, UnionWalk, unionWalk } from './doc-walk.ts'
import { Scratch } from './scratch.ts'

const docCount = 3_000

function bitmapOf(docs: readonly number[]): Uint32Array {
  const bits = new Uint32Array(Math.ceil(docCount / 32))
  for (const doc of docs) bits[doc >>> 5] = (bits[doc >>> 5] ?? 0) | (1 << (doc & 31))
  return bits
}

type Form = 'list' | 'bitmap' | 'both'
/** A posting list in one of its forms, with its docs. */
type Given = Readonly<{ docs: number[]; list: PostingList }>

function given(docs: number[], form: Form): Given {
  const list = listOf(Uint32Array.from(docs))
  const bits = bitmapOf(docs)
  if (form === 'list') return { docs, list }
  return { docs, list: form === 'both' ? { ...list, bits } : { ...emptyList, size: docs.length, bits } }
}

/** From a few docs to most of them: long lists get a bitmap while they are tested. */
const lists = fc
  .tuple(fc.constantFrom(1, 2, 5, 60), fc.nat(docCount - 1), fc.constantFrom<Form>('list', 'bitmap', 'both'), fc.nat())
  .map(([step, start, form, seed]) => {
    const docs: number[] = []
    for (let doc = start % (step * 7); doc < docCount; doc += 1 + ((doc * 31 + seed) % (2 * step))) docs.push(doc)
    return given(docs, form)
  })
/** Docs that pass a filter, if there is one. */
const passing = fc.option(lists, { nil: undefined })
const first = fc.constantFrom(0, 0, 1, 31, 32, 1_000, docCount - 1, docCount)

function all(source: DocSource): number[] {
  const docs: number[] = []
  for (let doc = source.next(); doc >= 0; doc = source.next()) docs.push(doc)
  return docs
}

test('walks the docs that are in all lists, in any of their forms, and pass a filter, from any doc on', () => {
  fc.assert(
    fc.property(lists, fc.array(lists, { maxLength: 3 }), first, passing, (walked, others, from, filter) => {
      const scratch = new Scratch(docCount)
      const source = new DocWalk(
        walked.list,
        from,
        others.map(({ list }) => list),
        scratch,
        filter && bitmapOf(filter.docs),
      )
      const isInAll = (doc: number) => [...others, filter].every((each) => !each || each.docs.includes(doc))
      assert.deepEqual(
        all(source),
        walked.docs.filter((doc) => doc >= from && isInAll(doc)),
      )
      scratch.release()
    }),
    { numRuns: 300 },
  )
})

test('walks the union and the intersection of lists', () => {
  fc.assert(
    fc.property(lists, lists, first, passing, (one, other, from, filter) => {
      const isWalked = (doc: number) => doc >= from && (!filter || filter.docs.includes(doc))
      const bits = filter && bitmapOf(filter.docs)
      const union = new Set([...one.docs, ...other.docs].sort((a, b) => a - b))
      assert.deepEqual(all(unionWalk([one.list, emptyList, other.list], from, bits)), [...union].filter(isWalked))
      const common = one.docs.filter((doc) => isWalked(doc) && other.docs.includes(doc))
      assert.deepEqual(all(new UnionWalk(intersection(one.list, other.list, from, undefined, bits))), common)
      assert.deepEqual(intersection(one.list, emptyList, from), [])
    }),
    { numRuns: 100 },
  )
})

test('bitmaps are cleared before another search uses them, also of a smaller segment', () => {
  const [few, many] = [listOf(Uint32Array.of(1, 70)), listOf(Uint32Array.of(2, docCount - 1))]
  for (const [list, count] of [
    [few, 100],
    [many, docCount],
    [few, 100],
  ] as const) {
    const scratch = new Scratch(count)
    const bits = scratch.bitmapOf(list)
    assert.equal(scratch.bitmapOf(list), bits)
    assert.deepEqual(all(new DocWalk({ ...emptyList, size: 2, bits })), [...list.docs])
    scratch.release()
  }
})
