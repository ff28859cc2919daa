import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, keywordsOf, trimWord, wordsOf } from './fold.ts'

test('case and accents do not matter, also not of letters that Unicode does not take apart', () => {
  const pairs = [
    ['NESTLÉ', 'nestle'],
    ['Crédit Agricole', 'credit agricole'],
    ['Ørsted A/S', 'orsted a/s'],
    ['Großbank', 'grossbank'],
    ['GROẞBANK', 'grossbank'],
    ['Æon', 'aeon'],
    ['İŞ BANKASI', 'is bankasi'],
    ['ıspanak', 'ispanak'],
    ['Żabka Łódź', 'zabka lodz'],
    ['Ｔｏｙｏｔａ', 'toyota'],
    ['Acme™', 'acmetm'],
  ] as const
  for (const [text, folded] of pairs) assert.equal(fold(text), folded)
})

test('the two small sigmas are one letter, so that a word in capitals is found by its beginning', () => {
  assert.ok(fold('ΑΣΤΗΡ').startsWith(fold('ΑΣ')))
})

test('what is folded stays as it is, and accents put on it change nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
      assert.equal(fold([...folded].map((letter) => `${letter}\u0301`).join('')), folded)
    }),
  )
})

test('a description is found by its words, by the parts of a compound and by the whole of it', () => {
  assert.deepEqual(wordsOf('Coca-Cola Co.'), ['coca-cola', 'coca', 'cola', 'cocacola', 'co'])
  assert.deepEqual(wordsOf('AT&T Inc.'), ['at&t', 'at', 't', 'att', 'inc'])
  assert.deepEqual(wordsOf('3.85% (Acc)'), ['3.85', '3', '85', '385', 'acc'])
  assert.deepEqual(wordsOf('  '), [])
})

test('a word is told once, and one of punctuation alone is a word', () => {
  assert.deepEqual(wordsOf('Johnson & Johnson'), ['johnson', '&'])
  assert.equal(trimWord('&'), '&')
  assert.equal(trimWord('(acc)'), 'acc')
})

test('no word of a description is empty', () => {
  const description = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', ' ', '&', 'é', '\u0301', '\u00a0') })
  fc.assert(fc.property(description, (text) => !wordsOf(text).includes('')))
})

test('keywords are split on any white space, each once, folded', () => {
  assert.deepEqual(keywordsOf(' Apple \t INC  apple\u00a0ínc '), ['apple', 'inc'])
  assert.deepEqual(keywordsOf('aapl:XNAS'), ['aapl:xnas'])
  assert.deepEqual(keywordsOf(' \u0301 '), [])
})
