import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessView } from '../../../access/rules/visibility.ts'
import type { InstrumentRecord, OptionRootRecord } from '../../import/schema.ts'
import { SegmentBuilder } from '../build/segment-builder.ts'
import { changedSince } from '../deleted-docs.ts'
import { typeNames } from '../segment.ts'
import { Snapshot } from '../snapshot.ts'
import { type DetailCriteria, type DetailPage, type DetailsCursor, findDetails } from './find-details.ts'

const exchanges = ['X', 'Y'].map((ExchangeId) => ({
  ExchangeId,
  Name: ExchangeId,
  CountryCode: 'US',
  TimeZone: 'Etc/UTC',
  Hours: [],
}))

type AssetType = InstrumentRecord['As'][number]['AssetType']
type Types = [AssetType, ...AssetType[]]
const instrument = (Uic: number, ExchangeId: string, ...types: Types): InstrumentRecord => ({
  Uic,
  Symbol: `S${Uic}`,
  Description: 'S',
  ExchangeId,
  CurrencyCode: 'USD',
  As: types.map((AssetType) => ({ AssetType })),
})

const root = (OptionRootId: number, ExchangeId: string, uics: number[]) =>
  ({
    OptionRootId,
    Symbol: `R${OptionRootId}`,
    Description: 'R',
    ExchangeId,
    CurrencyCode: 'USD',
    AssetType: 'StockOption',
    Series: [
      {
        Expiry: '2027-01-15',
        Options: uics.map((Uic) => ({ Uic, PutCall: 'Call', StrikePrice: Uic })),
      },
    ],
  }) as OptionRootRecord

type Records = { instruments: InstrumentRecord[]; roots: OptionRootRecord[] }

function segmentOf({ instruments, roots }: Records, revision: number) {
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of roots) builder.addRoot(record)
  return builder.finish(revision)
}

const range = (from: number, length: number): number[] => Array.from({ length }, (_, index) => from + index)

/** Too many to be gathered; contracts between and after the Uics of instruments, and long runs of invisible ones. */
const base: Records = {
  instruments: range(1, 9_000).map((n) =>
    n % 2 ? instrument(n * 3, n < 3_000 ? 'X' : 'Y', 'Stock', 'CfdOnStock') : instrument(n * 3, 'X', 'Etf'),
  ),
  roots: [
    root(
      1,
      'X',
      range(1, 3_000).map((n) => n * 3 + 1),
    ),
    root(2, 'Y', range(100_000, 5_000).toReversed()),
    root(3, 'X', range(110_000, 40)),
    root(4, 'Y', range(120_000, 2_000)),
  ],
}
const changed: Records = {
  instruments: [instrument(6, 'Y', 'Stock'), instrument(300_000, 'X', 'Etf', 'Stock')],
  roots: [root(3, 'Y', range(110_010, 20)), root(9, 'X', range(400_000, 10))],
}
const removed = { instruments: [9, 12, 3_000], optionRoots: [4] }
const old = segmentOf(base, 1)
const whole = new Snapshot(1, old, exchanges)
const moved = new Snapshot(2, old, exchanges, changedSince(old, segmentOf(changed, 2), removed))

const rowsOf = ({ instruments, roots }: Records) => [
  ...instruments.flatMap(({ Uic, ExchangeId, As }) => As.map(({ AssetType }) => ({ Uic, AssetType, ExchangeId }))),
  ...roots.flatMap(({ AssetType, ExchangeId, Series }) =>
    Series.flatMap(({ Options }) => Options.map(({ Uic }) => ({ Uic, AssetType, ExchangeId }))),
  ),
]
const movedRecords: Records = {
  instruments: [
    ...base.instruments.filter(({ Uic }) => Uic !== 6 && !removed.instruments.includes(Uic)),
    ...changed.instruments,
  ],
  roots: [...base.roots.filter(({ OptionRootId }) => OptionRootId < 3), ...changed.roots],
}

const viewOf = (exchangeIds: string[] | null, assetTypes: AssetType[] | null) =>
  accessView(
    [{ userKey: null, accountKey: null, assetTypes, exchangeIds, level: 'View' }],
    [{ accountKey: 'a', accountId: 'a' }],
  )

type Case = { exchangeIds: string[] | null; mayTypes: AssetType[] | null; assetTypes?: AssetType[] }
const cases: Case[] = [
  { exchangeIds: null, mayTypes: null },
  { exchangeIds: ['X'], mayTypes: null },
  { exchangeIds: ['Y'], mayTypes: null },
  { exchangeIds: null, mayTypes: ['Stock', 'CfdOnStock'] },
  { exchangeIds: null, mayTypes: ['StockOption'] },
  { exchangeIds: ['Y'], mayTypes: ['StockOption'] },
  { exchangeIds: ['X'], mayTypes: null, assetTypes: ['StockOption', 'Etf'] },
  { exchangeIds: null, mayTypes: null, assetTypes: ['Stock'] },
  { exchangeIds: null, mayTypes: null, assetTypes: ['Bond'] },
]

const named = ({ uic, type }: DetailsCursor): string => `${uic} ${typeNames[type]}`

for (const [name, snapshot, records] of [
  ['one reader', whole, base],
  ['two segments', moved, movedRecords],
] as const)
  test(`every page is a slice of the whole list, for every caller and filter: ${name}`, () => {
    const all = rowsOf(records).sort((a, b) => a.Uic - b.Uic || (a.AssetType < b.AssetType ? -1 : 1))
    for (const { exchangeIds, mayTypes, assetTypes } of cases) {
      const wanted = all
        .filter((row) => (exchangeIds ?? [row.ExchangeId]).includes(row.ExchangeId))
        .filter((row) => (mayTypes ?? [row.AssetType]).includes(row.AssetType as AssetType))
        .filter((row) => (assetTypes ?? [row.AssetType]).includes(row.AssetType as AssetType))
        .map(({ Uic, AssetType }) => `${Uic} ${AssetType}`)
      const view = viewOf(exchangeIds, mayTypes)
      const find = (page: DetailPage, criteria: DetailCriteria = { assetTypes }) =>
        findDetails({ snapshot, access: view }, criteria, page)
      const { length } = wanted
      for (const skip of [0, 1, 2, 255, 256, 257, 3_001, 6_000, 8_999, 13_500, length - 1, length, 1e9]) {
        if (skip < 0) continue
        const { rows, next, count } = find({ top: 7, skip })
        assert.equal(count, length)
        assert.deepEqual(
          rows.map(({ cursor }) => named(cursor)),
          wanted.slice(skip, skip + 7),
          `skip ${skip}`,
        )
        assert.equal(next !== undefined, skip + 7 < length)
      }
      assert.deepEqual(find({ top: 0, skip: 0 }).rows, [])
      const seen: string[] = []
      let after: DetailsCursor | undefined
      do {
        const { rows, next } = find({ top: 997, skip: 0, after })
        seen.push(...rows.map(({ cursor }) => named(cursor)))
        after = next
      } while (after)
      assert.deepEqual(seen, wanted)
    }
  })

test('lists requested Uics once each, in order, with their count', () => {
  const criteria = { uics: [110_001, 6, 3, 6, 999_999, 0, 2 ** 40] }
  const page = findDetails({ snapshot: whole, access: viewOf(null, null) }, criteria, { top: 2, skip: 1 })
  assert.deepEqual(
    page.rows.map(({ cursor }) => named(cursor)),
    ['3 Stock', '6 Etf'],
  )
  assert.equal(page.count, 4)
  const rest = findDetails({ snapshot: whole, access: viewOf(null, null) }, criteria, {
    top: 2,
    skip: 0,
    after: page.next,
  })
  assert.deepEqual(
    rest.rows.map(({ cursor }) => named(cursor)),
    ['110001 StockOption'],
  )
  assert.equal(rest.next, undefined)
})
