import { wordsOf } from '../peers/search-peer.ts'
import { anyOf, below, type Random, seeded, weighted } from '../universe/random.ts'

type Named = Readonly<{ symbol: string; description: string; isin: string }>
export const queryKinds = [
  'symbol prefix',
  'first word of a name',
  'part of a word',
  'ISIN',
  'two common words',
  'common and rare word',
  'one letter',
] as const
export type QueryKind = (typeof queryKinds)[number]
export type Query = Readonly<{ kind: QueryKind; text: string }>

const kindOf = weighted<QueryKind>([
  ['symbol prefix', 30],
  ['first word of a name', 15],
  ['part of a word', 15],
  ['ISIN', 15],
  ['two common words', 10],
  ['common and rare word', 10],
  ['one letter', 5],
])
const commonWords = 100
const rareAtMost = 20
const maxTries = 1_000

type WordCounts = Readonly<{ common: readonly string[]; frequency: ReadonlyMap<string, number> }>

/** Counting takes seconds, and several benchmarks ask for queries over the same instruments. */
const wordCounts = new WeakMap<readonly Named[], WordCounts>()

/** In how many names each word is, and the most frequent words. */
function wordsIn(docs: readonly Named[]): WordCounts {
  const frequency = new Map<string, number>()
  for (const { description } of docs)
    for (const word of new Set(wordsOf(description.toLowerCase()))) frequency.set(word, (frequency.get(word) ?? 0) + 1)
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
export function mixedQueries(docs: readonly Named[], count: number): Query[] {
  const random = seeded(7)
  const { common, frequency } = wordCounts.getOrInsertComputed(docs, wordsIn)
  const withIsin = docs.filter(({ isin }) => isin)
  return Array.from({ length: count }, () => {
    const kind = kindOf(random)
    return { kind, text: textOf(kind, { docs, withIsin, common, frequency, random }) }
  })
}

type Source = Readonly<{
  docs: readonly Named[]
  withIsin: readonly Named[]
  common: readonly string[]
  frequency: ReadonlyMap<string, number>
  random: Random
}>

/** Draws until there is a text: not every name has a rare word. */
function textOf(kind: QueryKind, source: Source): string {
  for (let tries = 0; tries < maxTries; tries++) {
    const text = attempt[kind](source)
    if (text) return text
  }
  throw new Error(`The universe has nothing for: ${kind}.`)
}

const attempt: Record<QueryKind, (source: Source) => string | undefined> = {
  'symbol prefix': ({ docs, random }) =>
    /^[A-Za-z0-9]+/.exec(anyOf(random, docs).symbol)?.[0].slice(0, 1 + below(random, 5)),
  'first word of a name': ({ docs, random }) => wordsOf(anyOf(random, docs).description)[0],
  'part of a word': ({ docs, random }) => {
    const words = wordsOf(anyOf(random, docs).description).filter((word) => word.length >= 4)
    const word = words.length > 0 ? anyOf(random, words) : ''
    return word.slice(0, 2 + below(random, word.length - 2))
  },
  ISIN: ({ withIsin, random }) => anyOf(random, withIsin).isin,
  'two common words': ({ common, random }) => `${anyOf(random, common)} ${anyOf(random, common)}`,
  'common and rare word': ({ docs, common, frequency, random }) => {
    const words = wordsOf(anyOf(random, docs).description.toLowerCase())
    const [usual, rare] = [
      words.find((word) => common.includes(word)),
      words.find((word) => word.length >= 3 && (frequency.get(word) ?? 0) <= rareAtMost),
    ]
    return usual && rare ? `${usual} ${rare}` : undefined
  },
  'one letter': ({ docs, random }) => wordsOf(anyOf(random, docs).description)[0]?.slice(0, 1),
}
