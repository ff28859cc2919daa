import { anyOf, below, type Random, seeded, weighted } from '../universe/random.ts'
import { type SearchDoc, wordsOf } from './engine.ts'

const kindOf = weighted([
  ['symbol prefix', 30],
  ['first word of a name', 15],
  ['part of a word', 15],
  ['ISIN', 15],
  ['two common words', 10],
  ['common and rare word', 10],
  ['one letter', 5],
] as const)
type QueryKind = ReturnType<typeof kindOf>
const commonWords = 100
const rareAtMost = 20
const maxTries = 1_000

/** Counting takes seconds, and several parts ask for queries over the same instruments. */
const counted = new WeakMap<readonly SearchDoc[], ReturnType<typeof wordsIn>>()

/** Counts the names with each word, and lists the most frequent words. */
function wordsIn(docs: readonly SearchDoc[]) {
  const frequency = new Map<string, number>()
  for (const { Description = '' } of docs)
    for (const word of new Set(wordsOf(Description.toLowerCase()))) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const common = [...frequency]
    .filter(([word]) => word.length >= 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, commonWords)
    .map(([word]) => word)
  return { common, frequency }
}

/**
 * Typical queries drawn from the universe, the same in every run. Every word matches something, so that plain search is
 * measured, not the correction of typos.
 */
export function mixedQueries(docs: readonly SearchDoc[], count: number): string[] {
  const random = seeded(7)
  const withIsin = docs.filter(({ Isin }) => Isin)
  const source = { docs, withIsin, random, ...counted.getOrInsertComputed(docs, wordsIn) }
  return Array.from({ length: count }, () => textOf(kindOf(random), source))
}

type Source = Readonly<{ docs: readonly SearchDoc[]; withIsin: readonly SearchDoc[]; random: Random }> &
  Readonly<ReturnType<typeof wordsIn>>

/** Draws until there is a text: not every name has a rare word. */
function textOf(kind: QueryKind, source: Source): string {
  for (let tries = 0; tries < maxTries; tries++) {
    const text = attempt[kind](source)
    if (text) return text
  }
  throw new Error(`The universe has nothing for: ${kind}.`)
}

const nameOf = ({ Description = '' }: SearchDoc): string => Description

const attempt: Record<QueryKind, (source: Source) => string | undefined> = {
  'symbol prefix': ({ docs, random }) =>
    /^[A-Za-z0-9]+/.exec(anyOf(random, docs).Symbol ?? '')?.[0].slice(0, 1 + below(random, 5)),
  'first word of a name': ({ docs, random }) => wordsOf(nameOf(anyOf(random, docs)))[0],
  'part of a word': ({ docs, random }) => {
    const words = wordsOf(nameOf(anyOf(random, docs))).filter((word) => word.length >= 4)
    const word = words.length > 0 ? anyOf(random, words) : ''
    return word.slice(0, 2 + below(random, word.length - 2))
  },
  ISIN: ({ withIsin, random }) => anyOf(random, withIsin).Isin,
  'two common words': ({ common, random }) => `${anyOf(random, common)} ${anyOf(random, common)}`,
  'common and rare word': ({ docs, common, frequency, random }) => {
    const words = wordsOf(nameOf(anyOf(random, docs)).toLowerCase())
    const [usual, rare] = [
      words.find((word) => common.includes(word)),
      words.find((word) => word.length >= 3 && (frequency.get(word) ?? 0) <= rareAtMost),
    ]
    return usual && rare ? `${usual} ${rare}` : undefined
  },
  'one letter': ({ docs, random }) => wordsOf(nameOf(anyOf(random, docs)))[0]?.slice(0, 1),
}
