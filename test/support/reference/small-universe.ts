import { accessView } from '../../../src/access/rules/visibility.ts'
import { SegmentBuilder } from '../../../src/instruments/catalogue/build/segment-builder.ts'
import { changedSince, type Removed } from '../../../src/instruments/catalogue/deleted-docs.ts'
import { type Criteria, cursorOf, findRows, isMatch } from '../../../src/instruments/catalogue/search/find-rows.ts'
import { Snapshot } from '../../../src/instruments/catalogue/snapshot.ts'
import type { InstrumentRecord } from '../../../src/instruments/import/schema.ts'

/** A few instruments, as a snapshot to search. */
const exchanges = [{ ExchangeId: 'X', Name: 'X', CountryCode: 'US', TimeZone: 'Etc/UTC', Hours: [] }]
export const right = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' as const }
export const now = Date.UTC(2026, 10, 16, 12)
export const view = accessView([right], [{ accountKey: 'one', accountId: 'one' }])

type Facts = Partial<InstrumentRecord> & { Description: string }
export const instrument = (Uic: number, facts: Facts): InstrumentRecord => ({
  Uic,
  Symbol: `S${Uic}:x`,
  ExchangeId: 'X',
  CurrencyCode: 'USD',
  As: [{ AssetType: 'Stock' }],
  ...facts,
})

function segmentOf(records: readonly InstrumentRecord[]) {
  const builder = new SegmentBuilder()
  for (const record of records) builder.addInstrument(record)
  return builder.finish(1)
}

export const snapshotOf = (...base: InstrumentRecord[]): Snapshot => new Snapshot(1, segmentOf(base), exchanges)
export const nothing: Removed = { instruments: [], optionRoots: [] }
export function changed(base: InstrumentRecord[], now: InstrumentRecord[], removed = nothing): Snapshot {
  const segment = segmentOf(base)
  return new Snapshot(2, segment, exchanges, changedSince(segment, segmentOf(now), removed))
}

/** The Uics found; + marks those that match themselves. */
export function find(snapshot: Snapshot, keywords: string, more: Partial<Criteria> = {}, top = 100): string[] {
  const criteria = { keywords, includeNonTradable: false, bounds: [], ...more }
  const page = { top, skip: 0, isCounted: false }
  const { rows, isKeywordSearch } = findRows({ snapshot, access: view, now }, criteria, page)
  return rows.map((row) => `${isMatch(row, isKeywordSearch) ? '+' : ''}${cursorOf(row).id}`)
}
