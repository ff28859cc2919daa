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
export const keywordsOf = (query: string): string[] => fold(query).split(' ').filter(Boolean)

/** The symbol with and without the exchange part. */
export function symbolForms(symbol: string): string[] {
  const whole = fold(symbol)
  const colon = whole.indexOf(':')
  return colon < 0 ? [whole] : [whole, whole.slice(0, colon)]
}

export type Matchable = Readonly<{ id: number; rank: number; symbols: string[]; isin: string; words: string[] }>

export const matchable = ({ id, rank, symbol, isin, description }: SearchDoc): Matchable => ({
  id,
  rank,
  symbols: symbolForms(symbol),
  isin: fold(isin),
  words: wordsOf(fold(description)),
})

/** Exact symbol 0, exact ISIN 1, symbol prefix 2, description word prefix 3; undefined when a word does not match. */
export function classOf(doc: Matchable, keywords: readonly string[]): number | undefined {
  let best = 4
  for (const keyword of keywords) {
    const own = classOfWord(doc, keyword)
    if (own === undefined) return undefined
    if (own < best) best = own
  }
  return best
}

function classOfWord({ symbols, isin, words }: Matchable, keyword: string): number | undefined {
  if (symbols.includes(keyword)) return 0
  if (isin === keyword) return 1
  if (symbols[0]?.startsWith(keyword)) return 2
  return words.some((word) => word.startsWith(keyword)) ? 3 : undefined
}

/** Filters and sorts candidates into the first page: for peers that cannot sort. */
export function inOrder(candidates: Iterable<Matchable>, keywords: readonly string[]): number[] {
  const found: { doc: Matchable; at: number }[] = []
  for (const doc of candidates) {
    const at = classOf(doc, keywords)
    if (at !== undefined) found.push({ doc, at })
  }
  found.sort((a, b) => a.at - b.at || a.doc.rank - b.doc.rank || a.doc.id - b.doc.id)
  return found.slice(0, firstPage).map(({ doc }) => doc.id)
}
