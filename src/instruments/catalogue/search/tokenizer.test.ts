import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, tokenize, tokenizeQuery, trimPunctuation } from './tokenizer.ts'

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
  assert.deepEqual(tokenize('Coca-Cola Co.'), ['coca-cola', 'coca', 'cola', 'cocacola', 'co'])
  assert.deepEqual(tokenize('AT&T Inc.'), ['at&t', 'at', 't', 'att', 'inc'])
  assert.deepEqual(tokenize('3.85% (Acc)'), ['3.85', '3', '85', '385', 'acc'])
  assert.deepEqual(tokenize('  '), [])
})

test('a word is told once, and one of punctuation alone is a word', () => {
  assert.deepEqual(tokenize('Johnson & Johnson'), ['johnson', '&'])
  assert.equal(trimPunctuation('&'), '&')
  assert.equal(trimPunctuation('(acc)'), 'acc')
})

test('no word of a description is empty', () => {
  const description = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', ' ', '&', 'é', '\u0301', '\u00a0') })
  fc.assert(fc.property(description, (text) => !tokenize(text).includes('')))
})

test('keywords are split on any white space, each once, folded', () => {
  assert.deepEqual(tokenizeQuery(' Apple \t INC  apple\u00a0ínc '), ['apple', 'inc'])
  assert.deepEqual(tokenizeQuery('aapl:XNAS'), ['aapl:xnas'])
  assert.deepEqual(tokenizeQuery(' \u0301 '), [])
})
