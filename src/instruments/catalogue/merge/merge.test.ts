import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import type { Records, World } from '../../../../test/support/reference/naive-search.ts'
import { records, worldOf } from '../../../../test/support/reference/search-arbitraries.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'
import { SegmentBuilder } from '../build/segment-builder.ts'
import { deletedDocs } from '../deleted-docs.ts'
import { factsPerRow, rowFact } from '../facts/row-facts.ts'
import type { Segment, Slices } from '../segment.ts'
import { mergeSegments } from './merge.ts'

/** With what the arbitrary records lack, differently in each version. */
function enriched({ instruments, roots }: Records, version: number): Records {
  const oneIn = (share: number, id: number) => (id + version) % share === 0
  const Hours = [{ Days: ['Mon' as const], Start: `0${version}:00`, End: '20:00' }]
  const instrument = (record: InstrumentRecord): InstrumentRecord => ({
    ...record,
    ...(oneIn(2, record.Uic) && { ReferencePrice: record.Uic / (version + 2) }),
    ...(oneIn(3, record.Uic) && { ContinuousFuturesUic: 1 + (record.Uic % 3) }),
    ...(oneIn(4, record.Uic) && { BaseIdentifier: `B${version}` }),
    ...(oneIn(5, record.Uic) && { Hours }),
  })
  const root = (record: OptionRootRecord): OptionRootRecord => ({
    ...record,
    ...(oneIn(2, record.OptionRootId) && { GroupOptionRootId: 1 + (record.OptionRootId % 3), Hours }),
    ...(oneIn(3, record.OptionRootId) && { TickSize: 0.01 * (1 + version) }),
    UnderlyingUic: 1 + version,
    Series: ['2027-03-19', '2026-12-18'].slice(record.OptionRootId % 3).map((Expiry, series) => ({
      Expiry,
      ...(series === 0 && { LastTradeDate: `${Expiry}T12:00:00Z` }),
      Options: [3, 1, 2].slice(version).map((strike) => ({
        Uic: 1_000 * record.OptionRootId + 100 * version + 10 * series + strike,
        StrikePrice: strike / 2,
        PutCall: strike === 2 ? 'Put' : 'Call',
      })),
    })),
  })
  return { instruments: instruments.map(instrument), roots: roots.map(root) }
}

function segmentOf({ instruments, roots }: Records, revision: number): Segment {
  const builder = new SegmentBuilder()
  for (const record of instruments.toSorted((one, other) => one.Uic - other.Uic)) builder.addInstrument(record)
  for (const record of roots.toSorted((one, other) => one.OptionRootId - other.OptionRootId)) builder.addRoot(record)
  return builder.finish(revision, `identity ${revision}`)
}

/** The records after the changes. */
function after({ base, changed = { instruments: [], roots: [] }, removed }: World): Records {
  const uics = new Set([...removed.instruments, ...changed.instruments.map(({ Uic }) => Uic)])
  const ids = new Set([...removed.optionRoots, ...changed.roots.map(({ OptionRootId }) => OptionRootId)])
  return {
    instruments: [...base.instruments.filter(({ Uic }) => !uics.has(Uic)), ...changed.instruments],
    roots: [...base.roots.filter(({ OptionRootId }) => !ids.has(OptionRootId)), ...changed.roots],
  }
}

const texts = (text: Uint8Array, { starts, lengths }: Slices): string[] =>
  Array.from(starts, (start, index) => Buffer.from(text.slice(start, start + (lengths[index] as number))).toString())

/** A segment without what depends on the order in which records were added: the numbers of exchanges, templates, buckets
 *  and times, and where texts lie. */
const normal = (segment: Segment): object => plain(comparable(segment)) as object

/** With short texts for arrays: comparing them element by element takes long. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const numbers = Array.from(value as Uint32Array)
    return numbers.length > 1_000 ? crc32(numbers.join()) : numbers.join()
  }
  if (value instanceof Map) return [...value].sort(([one], [other]) => one - other)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

function comparable(segment: Segment): object {
  const {
    text,
    exchangeIds,
    ownTimes,
    docTimes,
    rowTemplates,
    rowCommon,
    rowOwn,
    bucketStarts,
    bucketRows,
    rowFacts,
    bucketLists,
    ...others
  } = segment
  const { templateBuckets, templateSummary, templateDetails, templateOrderSetting, templateOrderTypes, ...more } =
    others
  const { bucketTypes, bucketExchanges, bucketHints, bucketFlags, docBuckets, options, ...same } = more
  const buckets = Array.from(bucketTypes, (type, bucket) =>
    [type, exchangeIds[bucketExchanges[bucket] as number], bucketHints[bucket], bucketFlags[bucket]].join(' '),
  )
  const shares = [templateSummary, templateDetails, templateOrderSetting, templateOrderTypes]
  const columns = shares.map((slices) => texts(text, slices))
  const templates = Array.from(templateBuckets, (bucket, template) =>
    [buckets[bucket], ...columns.map((column) => column[template])].join('\n'),
  )
  const { seriesTickSchemes, text: optionText, ...contracts } = options
  return {
    ...same,
    exchangeIds: exchangeIds.toSorted(),
    times: Array.from(docTimes, (each) => ownTimes[each]),
    ownTimes: ownTimes.toSorted(),
    // Records that differ only in how they leave a field out have equal templates, which merging unites.
    templates: [...new Set(templates)].sort(),
    rowTemplates: Array.from(rowTemplates, (template) => templates[template]),
    rowCommon: texts(text, rowCommon),
    rowOwn: texts(text, rowOwn),
    facts: Array.from(rowTemplates, (_, row) => {
      const factsOfRow = rowFacts.subarray(row * factsPerRow, (row + 1) * factsPerRow)
      const factOf = (name: keyof typeof rowFact) => factsOfRow[rowFact[name]] as number
      const textAt = (start: number, length: number) => Buffer.from(text.slice(start, start + length)).toString()
      const list = factOf('bucketList')
      return [
        factOf('id'),
        templates[factOf('template')],
        textAt(factOf('common'), factOf('commonLength')),
        textAt(factOf('own'), factOf('ownLength')),
        Array.from(
          bucketLists.buckets.slice(bucketLists.starts[list], bucketLists.starts[list + 1]),
          (each) => buckets[each],
        ),
        factOf('flags'),
      ]
    }),
    docBuckets: Array.from(docBuckets, (bucket) => buckets[bucket]),
    rowsOfBuckets: Object.fromEntries(
      buckets.map((name, bucket) => [name, bucketRows.slice(bucketStarts[bucket], bucketStarts[bucket + 1])]),
    ),
    contracts,
    tickSchemes: texts(optionText, seriesTickSchemes),
  }
}

const worlds = fc
  .tuple(records(14), records(6), fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 4 }))
  .map(([base, changed, deleted]) => worldOf(enriched(base, 0), enriched(changed, 1), deleted))

const mergedOf = ({ base, changed, removed }: World): Segment => {
  const segment = segmentOf(changed ?? { instruments: [], roots: [] }, 2)
  const old = segmentOf(base, 1)
  return mergeSegments(old, deletedDocs(old, { segment, removed }), segment)
}

test('merged segments are what the records would become', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      assert.deepEqual(normal(mergedOf(world)), normal(segmentOf(after(world), 2)))
    }),
    { numRuns: 60 },
  )
})

test('when the last instrument with another name per asset type is removed, none differs', () => {
  const facts = { Symbol: 'a', Description: 'a', ExchangeId: 'West', CurrencyCode: 'USD' }
  const differing = {
    ...facts,
    Uic: 1,
    As: [{ AssetType: 'Stock' as const }, { AssetType: 'Etf' as const, Description: 'b' }],
  }
  const instruments = [differing, { ...facts, Uic: 2, As: [{ AssetType: 'Stock' as const }] }]
  const removed = { instruments: [1], optionRoots: [] }
  const merged = mergedOf({ base: { instruments, roots: [] }, removed })
  assert.deepEqual([[...merged.docIds], merged.docDiffers.length], [[2], 0])
})

test('a merged segment can be merged again', () => {
  fc.assert(
    fc.property(worlds, records(6), (world, later) => {
      const once = mergedOf(world)
      const changes = enriched(later, 2)
      const segment = segmentOf(changes, 3)
      const removed = { instruments: [], optionRoots: [] }
      const twice = mergeSegments(once, deletedDocs(once, { segment, removed }), segment)
      assert.deepEqual(normal(twice), normal(segmentOf(after({ base: after(world), changed: changes, removed }), 3)))
    }),
    { numRuns: 30 },
  )
})

test('contracts that have not changed stay where they are', () => {
  const [made] = fc.sample(records(14, 8), { numRuns: 1, seed: 5 })
  const base = segmentOf(enriched(made as Records, 0), 1)
  const [instrument] = (made as Records).instruments
  const segment = segmentOf({ instruments: [{ ...(instrument as InstrumentRecord), Rank: 1 }], roots: [] }, 2)
  const removed = { instruments: [], optionRoots: [] }
  const merged = mergeSegments(base, deletedDocs(base, { segment, removed }), segment)
  assert.ok(base.options.uics.length > 0)
  assert.equal(merged.options.uics, base.options.uics)
  assert.equal(merged.docIds.buffer, merged.text.buffer)
})
