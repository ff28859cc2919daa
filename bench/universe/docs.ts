import type { SearchDoc } from '../peers/search-peer.ts'
import type { UniverseRecord } from './record.ts'

/** What search libraries get of the instruments of a universe. */
export async function searchDocs(
  universe: AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>,
): Promise<SearchDoc[]> {
  const docs: SearchDoc[] = []
  for await (const record of universe) {
    if (record.kind !== 'instrument') continue
    docs.push({
      id: record.Uic,
      symbol: record.Symbol ?? '',
      description: record.Description ?? '',
      isin: record.Isin ?? '',
      rank: record.Rank ?? 4_294_967_295,
      assetType: record.As[0]?.AssetType ?? '',
      exchangeId: record.ExchangeId ?? '',
      currency: record.CurrencyCode ?? '',
      groupId: record.GroupId ?? 0,
    })
  }
  return docs
}
