import { maxNameWords, nameWords } from '../../src/instruments/rules/search-rank.ts'

/** An instrument of the universe, with the fields that search needs. */
export type SearchDoc = Readonly<{
  id: number
  symbol: string
  description: string
  isin: string
  rank: number
  assetType: string
  exchangeId: string
  currency: string
  groupId: number
}>

/** A search engine. Each process creates, fills and queries one. */
export type Peer = Readonly<{
  name: string
  build(docs: readonly SearchDoc[]): Promise<void>
  /** The ids of the first 50 matches: all words must match (§6.1), without the members of matched groups. */
  search(query: string): readonly number[] | Promise<readonly number[]>
  /** Whether it claims to return the order of §6.1; the benchmark checks it. */
  isOrdered: boolean
  /** Its memory, if that is not the heap of this process. */
  bytes?(): number | Promise<number>
  close?(): void | Promise<void>
}>

export const firstPage = 50

/** Case and accents do not matter (§6.1). */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const wordsOf = (folded: string): string[] => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
export const keywordsOf = (query: string): string[] => [...new Set(fold(query).split(' '))].filter(Boolean)

/** The symbol with and without the exchange part or the .I of an index. */
export function symbolForms(symbol: string): string[] {
  const whole = fold(symbol)
  const base = whole.replace(/:.*|\.i$/, '')
  return base === whole ? [whole] : [whole, base]
}

export type Matchable = Readonly<{
  id: number
  rank: number
  symbols: string[]
  isin: string
  words: string[]
  /** The first words of the name, as names are compared, each with a space after it. */
  name: string
}>

export function matchable({ id, rank, symbol, isin, description }: SearchDoc): Matchable {
  const words = wordsOf(fold(description))
  return {
    id,
    rank,
    symbols: symbolForms(symbol),
    isin: fold(isin),
    words: description.includes('&') ? [...words, 'and'] : words,
    name: spaced(nameWords(description).slice(0, maxNameWords)),
  }
}

const spaced = (words: readonly string[]): string => words.map((word) => `${word} `).join('')

/** What a name must start with to begin with the keywords; nothing starts with a line end. */
export function nameStartOf(query: string): string {
  const words = nameWords(query)
  return words.length === 0 || words.length > maxNameWords ? '\n' : spaced(words)
}

/** Exact symbol 0, exact ISIN 1, name start 2, symbol prefix 3, whole words 4, word prefixes 5; undefined when a word
 *  does not match. */
function classOf(doc: Matchable, keywords: readonly string[], nameStart: string): number | undefined {
  let [best, worst] = [5, 0]
  for (const keyword of keywords) {
    const own = classOfWord(doc, keyword, keywords.length === 1)
    if (own === undefined) return undefined
    best = Math.min(best, own)
    worst = Math.max(worst, own)
  }
  if (best < 2) return best
  if (doc.name.startsWith(nameStart)) return 2
  return best === 3 ? best : worst
}

function classOfWord({ symbols, isin, words }: Matchable, keyword: string, isOnly: boolean): number | undefined {
  if (isOnly && symbols.includes(keyword)) return 0
  if (isin === keyword) return 1
  if (symbols[0]?.startsWith(keyword)) return 3
  if (words.includes(keyword)) return 4
  return words.some((word) => word.startsWith(keyword)) ? 5 : undefined
}

/** Filters and sorts candidates into the first page: for peers that cannot sort. */
export function inOrder(candidates: Iterable<Matchable>, query: string): number[] {
  const [keywords, nameStart] = [keywordsOf(query), nameStartOf(query)]
  const found: { doc: Matchable; at: number }[] = []
  for (const doc of candidates) {
    const at = classOf(doc, keywords, nameStart)
    if (at !== undefined) found.push({ doc, at })
  }
  found.sort((a, b) => a.at - b.at || a.doc.rank - b.doc.rank || a.doc.id - b.doc.id)
  return found.slice(0, firstPage).map(({ doc }) => doc.id)
}
