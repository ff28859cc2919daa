import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildVocabulary, prefixRange, termOf } from '../vocabulary.ts'

/** Long common beginnings, so that many terms have the same key, and letters that are not ASCII. */
const beginnings = ['', 'interna', 'internationa', 'é', 'ê', 'inté', '日本', '\u007f']
const ends = fc.string({ unit: fc.constantFrom('a', 'b', '\0', 'z', 'é', '日', '\u007f'), maxLength: 3 })
const text = fc.tuple(fc.constantFrom(...beginnings), ends).map((parts) => parts.join(''))
/** No term is empty. */
const term = text.filter((word) => word !== '')

test('terms are found among many that begin alike', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { minLength: 100, maxLength: 400 }), text, (words, typed) => {
      const sorted = words.toSorted()
      const vocabulary = buildVocabulary(sorted)

      const [low, high] = prefixRange(vocabulary, typed)
      const withPrefix = sorted.filter((word) => word.startsWith(typed))

      assert.deepEqual(sorted.slice(low, high), withPrefix)
      assert.equal(termOf(vocabulary, typed), sorted.indexOf(typed))
      for (const [term, word] of sorted.entries()) assert.equal(termOf(vocabulary, word), term)
    }),
  )
})
