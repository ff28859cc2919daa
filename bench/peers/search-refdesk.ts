import { accessView } from '../../src/access/rules/visibility.ts'
import { systemClock } from '../../src/core/clock.ts'
import { SegmentBuilder } from '../../src/instruments/catalogue/build/segment-builder.ts'
import { findRows, isMatch } from '../../src/instruments/catalogue/search/find-rows.ts'
import { Snapshot } from '../../src/instruments/catalogue/snapshot.ts'
import type { InstrumentRecord } from '../../src/instruments/import/schema.ts'
import { firstPage, type Peer, type SearchDoc } from './search-peer.ts'

const account = { accountKey: 'bench', accountId: 'bench' }
const mayAll = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' } as const
const view = accessView([mayAll], [account])
const page = { top: firstPage, skip: 0, isCounted: false }

/** Our own index as operation 1 uses it, including access rights, filters and members of matched groups. */
export function refdesk(): Peer {
  let snapshot: Snapshot | undefined
  // A request has its time before it searches.
  const now = systemClock.now().epochMilliseconds
  return {
    name: 'refdesk',
    isOrdered: true,
    async build(docs) {
      const builder = new SegmentBuilder()
      for (const doc of docs) builder.addInstrument(recordOf(doc))
      snapshot = new Snapshot(1, builder.finish(1), [])
    },
    search(keywords) {
      if (!snapshot) return []
      const criteria = { keywords, includeNonTradable: true, bounds: [] }
      const { rows } = findRows({ snapshot, access: view, now }, criteria, page)
      return rows
        .filter((row) => isMatch(row, true))
        .map(({ reader: { segment }, doc }) => segment.docIds[doc] as number)
    },
    bytes: () => process.memoryUsage().arrayBuffers,
  }
}

const recordOf = (doc: SearchDoc): InstrumentRecord => ({
  Uic: doc.id,
  ...(doc.isin && { Isin: doc.isin }),
  Rank: doc.rank,
  Symbol: doc.symbol,
  Description: doc.description,
  ExchangeId: doc.exchangeId,
  CurrencyCode: doc.currency,
  GroupId: doc.groupId,
  As: [{ AssetType: doc.assetType as InstrumentRecord['As'][number]['AssetType'] }],
})
