import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  branches,
  buildVocabulary,
  exactRange,
  prefixRange,
  type Range,
  sharedDepth,
  sizeOf,
  termOf,
  typoRanges,
} from './vocabulary.ts'

/** Few letters, so that terms share prefixes, sorted before and after the colon. */
const word = (most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ':', '0', 'ö', '.', 'i'), maxLength: most })
const texts = fc.uniqueArray(word(7), { maxLength: 60 }).map((words) => words.toSorted())

const inRange = (sorted: readonly string[], [low, high]: Range): string[] => sorted.slice(low, high)
const inRanges = (sorted: readonly string[], ranges: readonly Range[]): string[] =>
  ranges.flatMap((range) => inRange(sorted, range))

test('the range of a prefix contains the terms that start with it', () => {
  fc.assert(
    fc.property(texts, word(4), (sorted, prefix) => {
      const vocabulary = buildVocabulary(sorted)
      assert.equal(sizeOf(vocabulary), sorted.length)
      const expected = sorted.filter((text) => text.startsWith(prefix))
      assert.deepEqual(inRange(sorted, prefixRange(vocabulary, prefix)), expected)
    }),
    { numRuns: 400 },
  )
})

test('a term is found by its text, and a text that only begins or extends terms is none', () => {
  fc.assert(
    fc.property(texts, word(4), (sorted, typed) => {
      const vocabulary = buildVocabulary(sorted)
      assert.equal(termOf(vocabulary, typed), sorted.indexOf(typed))
      for (const [term, text] of sorted.entries()) assert.equal(termOf(vocabulary, text), term)
    }),
  )
})

test('an exact match is the symbol with or without its exchange or the .i of indices', () => {
  fc.assert(
    fc.property(texts, word(4), (sorted, typed) => {
      const vocabulary = buildVocabulary(sorted)
      const found = exactRange(vocabulary, typed, prefixRange(vocabulary, typed))
      const isExact = (text: string) =>
        [typed, `${typed}.i`].includes(text) || (!typed.includes(':') && text.startsWith(`${typed}:`))
      assert.deepEqual(inRanges(sorted, found).toSorted(), sorted.filter(isExact))
    }),
    { numRuns: 400 },
  )
})

test('a range has one branch for each letter after the common prefix', () => {
  fc.assert(
    fc.property(texts, word(2), (sorted, prefix) => {
      const vocabulary = buildVocabulary(sorted)
      const range = prefixRange(vocabulary, prefix)
      fc.pre(range[0] < range[1])
      const depth = sharedDepth(vocabulary, range, prefix.length)
      const [first = ''] = inRange(sorted, range)
      for (const text of inRange(sorted, range)) assert.equal(text.slice(0, depth), first.slice(0, depth))
      const groups = Map.groupBy(inRange(sorted, range), (text) => text.slice(depth, depth + 1))
      assert.ok(depth === first.length || groups.size > 1)
      groups.delete('')
      assert.deepEqual(
        branches(vocabulary, range, depth).map((branch) => inRange(sorted, branch)),
        [...groups.values()],
      )
    }),
    { numRuns: 400 },
  )
})

/** Optimal string alignment distance, as in textbooks. */
function distance(one: string, other: string): number {
  const table: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    table.push(line)
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      line[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(one.length, other.length)
}

const beginnings = (text: string): string[] => Array.from({ length: text.length + 1 }, (_, end) => text.slice(0, end))

test('a typo is a letter missing, added, changed or swapped with its neighbour, in a prefix', () => {
  fc.assert(
    fc.property(texts, word(6), (sorted, typed) => {
      fc.pre(typed !== '')
      const ranges = typoRanges(buildVocabulary(sorted), typed)
      const isOneSlipAway = (text: string) => beginnings(text).some((beginning) => distance(typed, beginning) <= 1)
      assert.deepEqual(inRanges(sorted, ranges), sorted.filter(isOneSlipAway))
    }),
    { numRuns: 1_000 },
  )
})

test('typos in a well-known name', () => {
  const vocabulary = buildVocabulary(['apple'])
  for (const typed of ['aplpe', 'aple', 'appple', 'spple', 'pple', 'appla', 'applex'])
    assert.deepEqual(typoRanges(vocabulary, typed), [[0, 1]], typed)
  for (const typed of ['aplep', 'aplle2', 'bpplf']) assert.deepEqual(typoRanges(vocabulary, typed), [], typed)
})
