import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedStarts, micsOf, nameSpellings, spelledSymbol, symbolSpellings, symbolsAtVenue } from './spellings.ts'

test('a symbol is also indexed without punctuation and leading zeros', () => {
  const pairs = [
    ['AAPL:xnas', 'aapl:xnas'],
    ['INVE-B:xsto', 'inve-b:xsto inveb:xsto'],
    ['BRK.B:xnys', 'brk.b:xnys brkb:xnys'],
    ['00700:xhkg', '00700:xhkg 700:xhkg'],
    ['7203:xtks', '7203:xtks'],
    ['000', '000 0'],
    ['0A1:xlon', '0a1:xlon'],
    ['DAX.I', 'dax.i'],
    [':xlon', ':xlon'],
    ['-:xlon', '-:xlon'],
  ] as const
  for (const [symbol, spellings] of pairs) assert.equal(symbolSpellings(symbol).join(' '), spellings)
})

test('a pair of currencies is also indexed the other way round, by symbol and by name', () => {
  assert.deepEqual(symbolSpellings('USDCHF'), ['usdchf', 'chfusd'])
  assert.deepEqual(symbolSpellings('PNDORA:xcse'), ['pndora:xcse'])
  assert.deepEqual(nameSpellings('USDCHF', 'US Dollar/Swiss Franc'), ['US Dollar/Swiss Franc', 'Swiss Franc/US Dollar'])
  assert.deepEqual(nameSpellings('USDCHF', 'Swissie'), ['Swissie'])
  assert.deepEqual(nameSpellings('USDCHF', 'one/two/three'), ['one/two/three'])
  assert.deepEqual(nameSpellings('NVO:xnys', 'Novo Nordisk A/S'), ['Novo Nordisk A/S'])
})

test('the first two and three words of a name are joined, but not words of one letter', () => {
  assert.deepEqual(joinedStarts(['bank', 'of', 'america', 'finance']), ['bankof', 'bankofamerica'])
  assert.deepEqual(joinedStarts(['cac', '40']), ['cac40'])
  assert.deepEqual(joinedStarts(['7', 'eleven']), ['7eleven'])
  assert.deepEqual(joinedStarts(['apple']), [])
  assert.deepEqual(joinedStarts(['u', 's', 'treasury']), [])
  assert.deepEqual(joinedStarts(['air', 'liquide', 'a']), ['airliquide'])
})

test('keywords may spell a symbol with blanks, punctuation or more zeros', () => {
  const pairs = [
    ['eur usd', 'eurusd'],
    [' eur/usd ', 'eurusd'],
    ['brk b', 'brkb'],
    ['us  30', 'us30'],
    ['0700', '700'],
    ['aapl', ''],
    ['700', ''],
    ['m&s', ''],
    ['aapl:', ''],
    ['', ''],
    ['a name that is too long for a symbol', ''],
  ] as const
  for (const [text, symbol] of pairs) assert.equal(spelledSymbol(text), symbol, text)
})

test('keywords may name a symbol with its exchange or country', () => {
  const pairs = [
    ['sap gr', 'sap:asex sap:xetr'],
    ['sap.de', 'sap:xetr'],
    ['vod ln', 'vod:xlon'],
    ['0005.hk', '5:xhkg'],
    ['novo-b.co', 'novob:xcse'],
    ['brk/b un', 'brkb:xnys brkb:xnas brkb:arcx brkb:xase brkb:bats brkb:otcm'],
    ['7203 jp', '7203:xtks 7203:xjpx'],
    ['nasdaq:meta', 'meta:xnas'],
    ['nyse: ko', 'ko:xnys'],
    ['ko nyse', 'ko:xnys'],
    ['sap xetr', 'sap:xetr'],
    ['vod ln equity', 'vod:xlon'],
    ['sap', ''],
    ['sap nowhere', ''],
    ['nyse ko', ''],
    ['nowhere:sap', ''],
    ['the largest companies of the us', ''],
  ] as const
  for (const [text, symbols] of pairs)
    assert.deepEqual(symbolsAtVenue(text).toSorted(), symbols.split(' ').filter(Boolean).toSorted(), text)
})

test('a code names the markets of a country or an exchange', () => {
  assert.deepEqual(micsOf('ln'), ['xlon'])
  assert.deepEqual(micsOf('jp'), ['xtks', 'xjpx'])
  assert.ok(micsOf('us').includes('xnas') && micsOf('us').includes('xnys'))
})

test('a code may name the markets of several countries', () => {
  assert.deepEqual(micsOf('cn'), ['xtse', 'xshg', 'xshe'])
  assert.deepEqual(micsOf('se'), ['xswx', 'xsto'])
})

test('a MIC names itself, another word nothing', () => {
  assert.deepEqual(micsOf('xetr'), ['xetr'])
  assert.deepEqual(micsOf('equity'), [])
})
