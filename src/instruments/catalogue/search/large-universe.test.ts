import assert from 'node:assert/strict'
import { test } from 'node:test'
import { find, instrument, snapshotOf } from '../../../../test/support/reference/small-universe.ts'
import { classOf, matchClass, readingOf, searchableOf } from '../../rules/search-rank.ts'
import { fold, tokenizeQuery } from '../../rules/tokenizer.ts'

/** Frequent words, of which some begin others, legal forms, and names that begin alike. */
const words = 'Gold Golden Fund Funds Us Usd Nasdaq Sa Ag And Euro European Short In Income'.split(' ')
const wordAt = (at: number): string => words[at % words.length] as string

/** Enough for bitmaps, and for lists that get one while they are tested. */
const instruments = Array.from({ length: 4_000 }, (_, at) => {
  const mixed = (at * 7_919) % 4_001
  const description = [
    wordAt(mixed % 11),
    wordAt(mixed >>> 3),
    wordAt(mixed >>> 5),
    at % 9 === 0 ? 'Rare' : `N${at % 90}`,
  ]
  return instrument(at + 1, {
    Symbol: `${wordAt(mixed >>> 2).toUpperCase()}${at % 40}:x`,
    Description: description.join(' '),
    Rank: mixed,
    ...(at % 50 === 0 && { Aliases: ['Gold Fund', 'The Gold Fund'] }),
  })
})
const snapshot = snapshotOf(...instruments)
const searchables = instruments.map(({ Uic, Rank = 0, Symbol = '', Description = '', Aliases = [] }) => ({
  Uic,
  Rank,
  searchable: searchableOf(Symbol, Description, Aliases),
}))

/** By a full scan, without the index. */
function expected(keywords: string): string[] {
  const asked = tokenizeQuery(keywords).map((text) => ({ text, isCorrected: false, isIsin: false }))
  return searchables
    .map(({ Uic, Rank, searchable }) => ({ Uic, Rank, at: classOf(searchable, asked, readingOf(fold(keywords))) }))
    .filter(({ at }) => at !== matchClass.none)
    .sort((one, other) => one.at - other.at || one.Rank - other.Rank)
    .slice(0, 100)
    .map(({ Uic }) => `+${Uic}`)
}

test('one word finds what a full scan finds', () => {
  for (const word of [...words, 'g', 'go', 'us1', 'n', 'n1', 'rare', 'sa12:x'])
    assert.deepEqual(find(snapshot, word), expected(word), word)
})

test('two words find what a full scan finds, names first', () => {
  for (const one of [...words, 'e', 'rar'])
    for (const other of [...words, 'f', 'n12', 'rare'])
      assert.deepEqual(find(snapshot, `${one} ${other}`), expected(`${one} ${other}`), `${one} ${other}`)
})

test('three and more words find what a full scan finds', () => {
  for (let at = 0; at < 400; at++) {
    const asked = [wordAt(at), wordAt(at * 7 + 1), wordAt(at * 3 + 2).slice(0, 1 + (at % 5)), 'n'].slice(
      0,
      3 + (at % 2),
    )
    assert.deepEqual(find(snapshot, asked.join(' ')), expected(asked.join(' ')), asked.join(' '))
  }
})
