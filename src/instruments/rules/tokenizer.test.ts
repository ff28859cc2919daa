import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold, splitWords, tokenize, tokenizeQuery, trimPunctuation } from './tokenizer.ts'

test('folds case and accents, including letters that Unicode does not decompose', () => {
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

test('folds both lower-case sigmas, so that a prefix finds a word in capitals', () => {
  assert.ok(fold('ΑΣΤΗΡ').startsWith(fold('ΑΣ')))
})

test('folding is idempotent and ignores added accents', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = fold(text)
      assert.equal(fold(folded), folded)
      assert.equal(fold([...folded].map((letter) => `${letter}\u0301`).join('')), folded)
    }),
  )
})

test('indexes words, the parts of compounds and whole compounds', () => {
  assert.deepEqual(tokenize('Coca-Cola Co.'), ['coca-cola', 'coca', 'cola', 'cocacola', 'co', 'company'])
  assert.deepEqual(tokenize('AT&T Inc.'), ['at&t', '&', 'and', 'at', 't', 'att', 'inc', 'incorporated'])
  assert.deepEqual(tokenize('3.85% (Acc)'), ['3.85', '3', '85', '385', 'acc'])
  assert.deepEqual(tokenize('  '), [])
})

test('terms are unique, and punctuation alone is a term', () => {
  assert.deepEqual(tokenize('Johnson & Johnson'), ['johnson', '&', 'and'])
  assert.equal(trimPunctuation('&'), '&')
  assert.equal(trimPunctuation('(acc)'), 'acc')
})

test('& and "and" are the same word', () => {
  assert.deepEqual(tokenize('Marks and Spencer'), ['marks', 'and', '&', 'spencer'])
})

test('splits a folded text into words of letters and digits', () => {
  assert.deepEqual(splitWords(' apple  3m '), ['apple', '3m'])
  assert.deepEqual(splitWords("l'oreal (s.a.) αβγ"), ['l', 'oreal', 's', 'a', 'αβγ'])
})

test('no term is empty', () => {
  const description = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.', ' ', '&', 'é', '\u0301', '\u00a0') })
  fc.assert(fc.property(description, (text) => !tokenize(text).includes('')))
})

test('splits keywords on white space, folded and without duplicates', () => {
  assert.deepEqual(tokenizeQuery(' Apple \t INC  apple\u00a0ínc '), ['apple', 'inc'])
  assert.deepEqual(tokenizeQuery('aapl:XNAS'), ['aapl:xnas'])
  assert.deepEqual(tokenizeQuery(' \u0301 '), [])
})
