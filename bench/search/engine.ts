import type { InstrumentRecord } from '../../src/instruments/import/schema.ts'
import type { Records } from '../universe/record.ts'

/** The members of an instrument that search engines need. */
export type SearchDoc = Pick<
  InstrumentRecord,
  'Uic' | 'Symbol' | 'Description' | 'Isin' | 'Rank' | 'As' | 'ExchangeId' | 'CurrencyCode' | 'GroupId'
>

export async function searchDocs(universe: Records): Promise<SearchDoc[]> {
  const docs: SearchDoc[] = []
  for await (const record of universe) {
    if (record.kind !== 'instrument') continue
    const { Uic, Symbol: symbol, Description, Isin, Rank, As, ExchangeId, CurrencyCode, GroupId } = record
    docs.push({ Uic, Symbol: symbol, Description, Isin, Rank, As, ExchangeId, CurrencyCode, GroupId } as SearchDoc)
  }
  return docs
}

/** A search engine. Each process creates, fills and queries one. */
export type Engine = Readonly<{
  build(docs: readonly SearchDoc[]): void
  /** Returns the ids of the first 50 matches in the order of §6.1: all words must match. */
  search(query: string): readonly number[]
}>

export const firstPage = 50

export const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
