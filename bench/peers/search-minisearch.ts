import MiniSearch from 'minisearch'
import { firstPage, inOrder, keywordsOf, type Matchable, matchable, type Peer } from './search-peer.ts'

const split = (text: string) => text.split(' ').filter(Boolean)
const made = () =>
  new MiniSearch<{ id: number; symbols: string; words: string; isin: string }>({
    fields: ['symbols', 'words', 'isin'],
    tokenize: split,
    processTerm: (term) => term,
    searchOptions: { prefix: true, combineWith: 'AND', boost: { symbols: 4, isin: 3 } },
  })

/** MiniSearch scores every match either way; the two variants differ in what happens afterwards. */
function miniSearchPeer(name: string, isOrdered: boolean): Peer {
  const rows = new Map<number, Matchable>()
  const index = made()
  return {
    name,
    isOrdered,
    async build(docs) {
      for (const doc of docs) {
        const row = matchable(doc)
        if (isOrdered) rows.set(doc.id, row)
        index.add({ id: row.id, symbols: row.symbols.join(' '), words: row.words.join(' '), isin: row.isin })
      }
    },
    search(query) {
      const keywords = keywordsOf(query)
      const found = index.search(keywords.join(' '))
      if (!isOrdered) return found.slice(0, firstPage).map(({ id }) => id)
      return inOrder(
        found.flatMap(({ id }) => rows.get(id) ?? []),
        query,
      )
    },
  }
}

export const miniSearch = (): Peer => miniSearchPeer('MiniSearch, its own order', false)
export const miniSearchOrdered = (): Peer => miniSearchPeer('MiniSearch, put in order', true)
