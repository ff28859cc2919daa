import { accessView } from '../../src/access/rules/visibility.ts'
import { systemClock } from '../../src/core/clock.ts'
import { SegmentBuilder } from '../../src/instruments/catalogue/build/segment-builder.ts'
import { findRows, isMatch } from '../../src/instruments/catalogue/search/find-rows.ts'
import { Snapshot } from '../../src/instruments/catalogue/snapshot.ts'
import { type Engine, firstPage } from './engine.ts'

const account = { accountKey: 'bench', accountId: 'bench' }
const mayAll = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' } as const
/** The view of a user who may trade everything. */
export const access = accessView([mayAll], [account])
const page = { top: firstPage, skip: 0, isCounted: false }

/** The service's own index as operation 1 uses it, including access rights, filters and members of matched groups. */
export function refdesk(): Engine {
  let snapshot: Snapshot | undefined
  // A request has its time before it searches.
  const now = systemClock.now().epochMilliseconds
  return {
    build(docs) {
      const builder = new SegmentBuilder()
      for (const doc of docs) builder.addInstrument(doc)
      snapshot = new Snapshot(1, builder.finish(1), [])
    },
    search(keywords) {
      if (!snapshot) return []
      const criteria = { keywords, includeNonTradable: true, bounds: [] }
      const { rows } = findRows({ snapshot, access, now }, criteria, page)
      return rows
        .filter((row) => isMatch(row, true))
        .map(({ reader: { segment }, doc }) => segment.docIds[doc] as number)
    },
  }
}
