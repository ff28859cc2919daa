import { Index } from 'flexsearch'
import { firstPage, inOrder, keywordsOf, type Matchable, matchable, nameStartOf, type Peer } from './search-peer.ts'

const split = (text: string) => text.split(' ').filter(Boolean)
const prefixIndex = () => new Index({ tokenize: 'forward', resolution: 1, encode: split })
const wordIndex = () => new Index({ tokenize: 'strict', resolution: 1, encode: split })

const everything = ({ symbols, words, isin }: Matchable) => [...symbols, ...words, isin]

/** Words by prefix. Rows are added by rank, so a search for one word returns them by rank. */
function filled(
  rows: readonly Matchable[],
  termsOf: (row: Matchable) => string[] = everything,
  index = prefixIndex(),
): Index {
  for (const [row, doc] of rows.entries()) index.add(row, termsOf(doc).join(' '))
  return index
}

/** The first 50 results of FlexSearch, in its own order. */
export function flexSearch(): Peer {
  let rows: readonly Matchable[] = []
  let index = prefixIndex()
  return {
    name: 'FlexSearch, its own order',
    isOrdered: false,
    async build(docs) {
      rows = docs.map(matchable).sort((a, b) => a.rank - b.rank)
      index = filled(rows)
      rows = rows.map(({ id, rank }) => ({ id, rank, symbols: [], words: [], isin: '', name: '' }))
    },
    search: (query) =>
      index.search(keywordsOf(query).join(' '), { limit: firstPage }).map((row) => rows[Number(row)]?.id ?? 0),
  }
}

/** All results of FlexSearch, sorted afterwards. */
export function flexSearchOrdered(): Peer {
  let rows: readonly Matchable[] = []
  let index = prefixIndex()
  return {
    name: 'FlexSearch, put in order',
    isOrdered: true,
    async build(docs) {
      rows = docs.map(matchable).sort((a, b) => a.rank - b.rank)
      index = filled(rows)
    },
    search(query) {
      const keywords = keywordsOf(query)
      const found = index.search(keywords.join(' '), { limit: rows.length })
      return inOrder(
        found.flatMap((row) => rows[Number(row)] ?? []),
        query,
      )
    },
  }
}

/** An expert's version: searches a single word class by class until the page is full. For several words FlexSearch keeps
 *  no order, so all results are sorted as above. */
export function flexSearchStaged(): Peer {
  let rows: readonly Matchable[] = []
  let [symbols, whole, words] = [prefixIndex(), wordIndex(), prefixIndex()]
  let all = prefixIndex()
  const exact = new Map<string, number[]>()
  const isins = new Map<string, number[]>()
  const firsts = new Map<string, number[]>()
  return {
    name: 'FlexSearch, class by class',
    isOrdered: true,
    async build(docs) {
      rows = docs.map(matchable).sort((a, b) => a.rank - b.rank)
      symbols = filled(rows, (row) => row.symbols)
      whole = filled(rows, (row) => row.words, wordIndex())
      words = filled(rows, (row) => row.words)
      all = filled(rows)
      const note = (lists: Map<string, number[]>, key: string, row: number) => {
        const list = lists.get(key) ?? []
        list.push(row)
        lists.set(key, list)
      }
      for (const [row, { symbols, isin, name }] of rows.entries()) {
        for (const symbol of symbols) note(exact, symbol, row)
        if (isin) note(isins, isin, row)
        note(firsts, name.slice(0, name.indexOf(' ') + 1), row)
      }
    },
    search(query) {
      const keywords = keywordsOf(query)
      const text = keywords.join(' ')
      const rowOf = (row: number | string) => rows[Number(row)] ?? []
      const nameStart = nameStartOf(query)
      // A name of several words cannot be looked up by its first.
      if (keywords.length > 1 || nameStart.trim().includes(' '))
        return inOrder(all.search(text, { limit: rows.length }).flatMap(rowOf), query)
      const found = new Set<number | string>()
      for (const same of [exact.get(text), isins.get(text), firsts.get(nameStart)])
        for (const row of same ?? []) found.add(row)
      for (const index of [symbols, whole, words]) {
        if (found.size >= firstPage) break
        for (const row of index.search(text, { limit: 2 * firstPage })) found.add(row)
      }
      return [...found]
        .slice(0, firstPage)
        .flatMap(rowOf)
        .map(({ id }) => id)
    },
  }
}
