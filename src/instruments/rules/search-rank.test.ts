import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  beginsWith,
  classOf,
  isSymbolAlias,
  matchClass,
  mayBeTypo,
  nameWords,
  readingOf,
  searchableOf,
} from './search-rank.ts'
import { fold, tokenizeQuery } from './tokenizer.ts'

const { exactSymbol, isin, nameStart, symbolPrefix, wholeWords, wordPrefix, none } = matchClass

type Row = readonly [symbol: string, description: string, ...aliases: string[]]
function rank([symbol, description, ...aliases]: Row, keywords: string, corrected = '', isinWord = ''): number {
  const words = tokenizeQuery(keywords).map((text) => ({
    text,
    isCorrected: text === corrected,
    isIsin: text === isinWord,
  }))
  return classOf(searchableOf(symbol, description, aliases), words, readingOf(fold(keywords)))
}

test('names are compared without legal forms, "and" and a leading "the"', () => {
  const pairs = [
    ['Nestlé SA', 'nestle'],
    ['Alphabet Inc. Class A', 'alphabet class a'],
    ['The Coca-Cola Company', 'coca cola'],
    ['Johnson & Johnson', 'johnson johnson'],
    ['Marks and Spencer Group plc', 'marks spencer group'],
    ['S&P 500', 's p 500'],
    ['SA SA International', 'sa international'],
    ['The', 'the'],
    ['&', ''],
    ['and', ''],
  ] as const
  for (const [name, words] of pairs) assert.equal(nameWords(name).join(' '), words, name)
})

test('a name begins with up to six whole words', () => {
  assert.ok(beginsWith(['coca', 'cola', 'hbc'], ['coca', 'cola']))
  assert.ok(!beginsWith(['coca', 'cola'], ['coca', 'cola', 'hbc']))
  assert.ok(!beginsWith(['coca', 'cola'], ['coca', 'col']))
  assert.ok(!beginsWith(['coca'], []))
  const seven = 'one two three four five six seven'.split(' ')
  assert.ok(beginsWith(seven, seven.slice(0, 6)))
  assert.ok(!beginsWith(seven, seven))
})

test('an alias of capitals and digits is also a symbol', () => {
  for (const alias of ['SPX', 'SP500', '3M']) assert.ok(isSymbolAlias(alias), alias)
  for (const alias of ['Google', 'S&P 500', 'US 500', '']) assert.ok(!isSymbolAlias(alias), alias)
  assert.equal(rank(['US500.I', 'US 500', 'S&P 500', 'SPX'], 'spx'), exactSymbol)
})

const apple: Row = ['AAPL:xnas', 'Apple Inc.']
const cases: readonly (readonly [row: Row, keywords: string, expected: number])[] = [
  [apple, 'aapl', exactSymbol],
  [apple, 'AAPL:XNAS', exactSymbol],
  [apple, 'aapl:', symbolPrefix],
  [apple, 'aap', symbolPrefix],
  [['DAX.I', 'Germany 40'], 'dax', exactSymbol],
  [apple, 'apple', nameStart],
  [apple, 'apple inc', nameStart],
  [apple, 'inc', wholeWords],
  [apple, 'app', wordPrefix],
  [apple, 'pear', none],
  [apple, 'apple pear', none],
  [apple, 'aapl apple', symbolPrefix],
  [apple, 'apple aap', symbolPrefix],
  [apple, 'inc apple', wholeWords],
  [apple, 'inc app', wordPrefix],
  [['GOOGL:xnas', 'Alphabet Inc. Class A', 'Google'], 'google', nameStart],
  [['GOOGL:xnas', 'Alphabet Inc. Class A', 'Google'], 'google class', wholeWords],
  [['500:xpar', 'Amundi S&P 500 ETF'], 's&p 500', symbolPrefix],
  [['SPY:arcx', 'SPDR S&P 500 ETF Trust', 'S&P 500'], 's&p 500', nameStart],
  [['JNJ:xnys', 'Johnson & Johnson'], 'johnson and johnson', nameStart],
  [apple, 'aapl us', exactSymbol],
  [apple, 'aapl ln', none],
  [apple, 'apple incorporated', nameStart],
  [apple, 'the apple incorporated', nameStart],
  [apple, 'apple corp', none],
  [['EURUSD', 'Euro/US Dollar'], 'eur usd', nameStart],
  [['EURUSD', 'Euro/US Dollar'], 'usd', symbolPrefix],
  [['EURUSD', 'Euro/US Dollar'], 'dollar', wholeWords],
  [['EURUSD', 'Euro/US Dollar'], 'us dollar', nameStart],
  [['BRK.B:xnys', 'Berkshire'], 'brk/b', nameStart],
  [['BRK.B:xnys', 'Berkshire'], 'brkb', exactSymbol],
  [['00700:xhkg', 'Tencent'], '0700', nameStart],
  [['TTE:xpar', 'TotalEnergies SE'], 'total energies', nameStart],
  [['TTE:xpar', 'TotalEnergies SE'], 'total energies se', nameStart],
  [['TTE:xpar', 'TotalEnergies SE'], 'total energies plc', none],
  [['AI:xpar', 'Air Liquide SA'], 'airliquide', nameStart],
  [['KO:xnys', 'Coca Cola Co.'], 'coca-cola', nameStart],
  [['ZB:xcbt', 'U.S. Treasury Bond'], 'us treasury', wholeWords],
]

test('ranks a row by the best class that its words reach', () => {
  for (const [row, keywords, expected] of cases) assert.equal(rank(row, keywords), expected, keywords)
})

test('an ISIN ranks before names and after exact symbols', () => {
  const code = 'us0378331005'
  assert.equal(rank(apple, code, '', code), isin)
  assert.equal(rank(apple, `apple ${code}`, '', code), isin)
  assert.equal(rank(['US0378331005:xnas', 'Apple'], code, '', code), exactSymbol)
  assert.equal(rank(apple, `pear ${code}`, '', code), none)
})

test('numbers and short words are not corrected', () => {
  for (const word of ['appl', 'a700', 'verylongword', '𠮷𠮷𠮷𠮷']) assert.ok(mayBeTypo(word), word)
  for (const word of ['app', '7203', '00000700', '𠮷𠮷']) assert.ok(!mayBeTypo(word), word)
})

test('a correction and a reading of all words together exclude each other', () => {
  assert.equal(rank(['TTE:x', 'TotalEnergies'], 'total energies', 'total'), none)
  assert.equal(rank(['AAPL:xnas', 'Aaql Us'], 'aaqp us', 'aaqp'), wordPrefix)
})

test('a corrected word ranks as the prefix of a word, whatever it matches', () => {
  for (const typo of ['aple', 'appple', 'apqle', 'appel', 'aplp'])
    assert.equal(rank(['APPLX:x', 'Apple Inc.'], typo, typo), wordPrefix, typo)
  assert.equal(rank(['APLE:x', 'Hotels'], 'apel', 'apel'), wordPrefix, 'the symbol alone')
  assert.equal(rank(apple, 'xxle', 'xxle'), none)
  assert.equal(rank(['APPLE:x', 'Pie'], 'apple pei', 'pei'), symbolPrefix)
  assert.equal(rank(['A:x', 'Apple Pie'], 'apple pei', 'pei'), wordPrefix)
})
