import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  detailsMembers,
  optionSpaceMembers,
  searchMembers,
} from '../../src/instruments/catalogue/write/vendor-members.ts'
import { readOk } from '../support/reference/rest.ts'
import { serviceForFile } from '../support/service/service.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'
import { cleaned, facts, faultsOf, rowShape, type Shape, Tally } from '../support/strict-client/check.ts'

/** The demo data with COMPAT=vendor, read and checked as the strictest published client does (§3). */
const plain = await sharedDemoService()
const vendor = await serviceForFile({ besides: plain, env: { COMPAT: 'vendor' } })
const { access_token: ada } = await obtainTokens(plain.url)

type Row = Record<string, unknown> & { AssetType: string }
type Page = { Data: Row[]; __next?: string }

const membersOf = ({ required, optional }: Shape = {}) => new Set(Object.keys({ ...required, ...optional }))
const read = <T>(path: string): Promise<T> => readOk<T>(getRest('', path, ada))

async function* walk(path: string): AsyncGenerator<Row> {
  for (let url: string | undefined = `${vendor.baseUrl}${path}`; url !== undefined; ) {
    const page: Page = await read(url)
    yield* page.Data
    // Links have the public address of the first node.
    url = page.__next?.replace(plain.url, vendor.url)
  }
}

async function tallySearch(query: string): Promise<Tally> {
  const tally = new Tally()
  for await (const row of walk(`/ref/v1/instruments?$top=1000&IncludeNonTradable=true${query}`))
    tally.add(row.AssetType, rowShape(facts['GET /ref/v1/instruments'], row.AssetType), row)
  return tally
}

test('the checker drops empty values, and finds missing and extra members and wrong values', () => {
  const shape = { required: { A: 'integer', B: '[string]' }, optional: { C: { enum: ['x'] } } }
  assert.deepEqual(faultsOf(shape, cleaned({ A: 1, B: ['b', ''], C: '.', D: [null], E: { F: {} } })), [])
  assert.deepEqual(faultsOf(shape, cleaned({ A: 'a', B: ['Undefined'], C: 'y', D: 0 }), 'Row'), [
    'Row.B: missing',
    'Row.A: not integer: "a"',
    'Row.C: "y"',
    'Row.D: extra',
  ])
})

/** Members that the description names for an asset type, and for option roots (§3). */
const namedForDetails: Record<string, string[]> = { CfdOnFutures: ['Exchange'], CfdOnIndex: ['Exchange'] }
const namedForSearch: Record<string, string[]> = {}
const namedForRoots =
  'DisplayHint ExpiryDate IsComplex MinimumLotSize MinimumOrderValue NoticeDate PriceCurrency PrimaryListing'.split(' ')

test('the tables of members are the facts about the client, with the members that the description names', () => {
  const spaces = facts['GET /ref/v1/instruments/contractoptionspaces/{OptionRootId}']
  for (const [table, expected, named] of [
    [detailsMembers, facts['GET /ref/v1/instruments/details/{Uic}/{AssetType}'], namedForDetails],
    [searchMembers, facts['GET /ref/v1/instruments'], namedForSearch],
  ] as const) {
    assert.deepEqual(Object.keys(table), Object.keys(expected.byAssetType))
    for (const [type, members] of Object.entries(table)) {
      const known = membersOf(rowShape(expected, type)).union(new Set(named[type]))
      assert.deepEqual([...members].sort(), [...known].sort(), type)
    }
  }
  assert.deepEqual([...optionSpaceMembers].sort(), [...membersOf(spaces).union(new Set(namedForRoots))].sort())
})

test('a strict client accepts at least 85 % of the details of the demo', async () => {
  const groups = 'OrderSetting,SupportedOrderTypeSettings,TradingSessions,MarketData'
  const shapes = facts['GET /ref/v1/instruments/details/{Uic}/{AssetType}']
  const tally = new Tally()

  for await (const row of walk(
    `/ref/v1/instruments/details?$top=1000&FieldGroups=${groups}&AssetTypes=${Object.keys(shapes.byAssetType)}`,
  ))
    tally.add(row.AssetType, rowShape(shapes, row.AssetType), row)

  assert.ok(tally.accepted > 1_000 && tally.rate >= 0.85, tally.table())
})

test('a strict client accepts at least 95 % of the search results of the demo', async () => {
  const types = Object.keys(facts['GET /ref/v1/instruments'].byAssetType).join()

  const tallies = [await tallySearch(''), await tallySearch(`&AssetTypes=${types}`)]

  for (const tally of tallies) assert.ok(tally.accepted > 1_000 && tally.rate >= 0.95, tally.table())
})

/** Members that the description names (§6.3): sent where the client expects none, and absent or empty without a value. */
const acceptedDifferences = [
  'OptionSpace.IsComplex: extra',
  'OptionSpace.MinimumLotSize: extra',
  'OptionSpace.PriceCurrency: extra',
  'OptionSpace.SupportedStrategies: missing',
  'OptionSpace.TradableOn: missing',
]

test('a strict client accepts every option space of the demo but for members that the description names', async () => {
  const shape = facts['GET /ref/v1/instruments/contractoptionspaces/{OptionRootId}']
  const tally = new Tally()

  for await (const { SummaryType, Identifier } of walk('/ref/v1/instruments?$top=1000&IncludeNonTradable=true')) {
    if (SummaryType !== 'ContractOptionRoot') continue
    const path = `/ref/v1/instruments/contractoptionspaces/${Identifier}?OptionSpaceSegment=AllDates`
    tally.add('OptionSpace', shape, await read(`${vendor.baseUrl}${path}`), acceptedDifferences)
  }

  assert.ok(tally.accepted > 30 && tally.refused === 0, tally.table())
})
