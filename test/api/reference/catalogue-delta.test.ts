import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accessView } from '../../../src/access/rules/visibility.ts'
import { ChangeFeed } from '../../../src/database/changes.ts'
import { DetailsWriter, scheduleBody } from '../../../src/instruments/api/details.ts'
import { searchBody } from '../../../src/instruments/api/search.ts'
import { futuresSpace, optionSpaceBody } from '../../../src/instruments/api/spaces.ts'
import { buildWhole } from '../../../src/instruments/catalogue/build/build.ts'
import { CatalogueBuilder } from '../../../src/instruments/catalogue/builder.ts'
import { Catalogue } from '../../../src/instruments/catalogue/catalogue.ts'
import type { DetailsCursor } from '../../../src/instruments/catalogue/search/find-details.ts'
import type { SearchCursor } from '../../../src/instruments/catalogue/search/row-taker.ts'
import { type RequestView, Snapshot } from '../../../src/instruments/catalogue/snapshot.ts'
import { readRevision } from '../../../src/instruments/store/reference.ts'
import { databaseForFile, exchange, importTexts, instrument, lines, optionRoot } from '../../support/service/import.ts'
import { testLog } from '../../support/service/service.ts'

const { connection, db } = await databaseForFile()
const now = Date.UTC(2026, 10, 16, 12)
const right = { userKey: null, accountKey: null, exchangeIds: null, level: 'Trade' } as const
const account = { accountKey: 'key', accountId: '1' }
const views = [
  accessView([{ ...right, assetTypes: null }], [account]),
  accessView([{ ...right, assetTypes: ['Stock', 'StockOption'], exchangeIds: ['LSE'] }], [account]),
]

async function change(records: object[]): Promise<number> {
  const { errors } = await importTexts(connection, { 'change.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  return readRevision(db)
}

/** Deterministic random numbers. */
let state = 20261116
function upTo(most: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return (state >>> 8) % most
}
const oneOf = <T>(...choices: T[]): T => choices[upTo(choices.length)] as T

const words = ['alpha', 'alpine', 'alps', 'bank', 'bancorp', 'beta', 'gamma', 'global', 'group', 'holding', 'iron']
const [instruments, roots] = [150, 12]

function anyInstrument(): object {
  const Uic = 1 + upTo(instruments)
  if (upTo(5) === 0) return { kind: 'instrument', Uic, delete: true }
  return instrument(Uic, {
    ExchangeId: oneOf('LSE', 'PAR'),
    Symbol: `${oneOf(...words)}${upTo(30)}:x`,
    Description: `${oneOf(...words)} ${oneOf(...words)} ${Uic}`,
    As: oneOf<object[]>([{ AssetType: 'Stock' }, { AssetType: 'CfdOnStock' }], [{ AssetType: 'Etf' }]),
    ...(upTo(3) > 0 && { Rank: 1 + upTo(40) }),
    ...(upTo(2) > 0 && { OneWeekTotalValueChange: upTo(40) - 20 }),
    ...(upTo(4) === 0 && { GroupId: 1 + upTo(9) }),
    ...(upTo(9) === 0 && { ExpiryDate: oneOf('2026-11-15', '2026-12-18') }),
    ...(upTo(9) === 0 && { TradingStatus: oneOf('NonTradable', 'ReduceOnly') }),
  })
}

const continuous = 200
const As = [{ AssetType: 'ContractFutures' }]

function parent(): object {
  return instrument(continuous, { DisplayHint: 'Continuous', BaseIdentifier: oneOf('ES', 'NQ'), Rank: 1 + upTo(9), As })
}

function anyFuture(): object {
  const cursor = upTo(9)
  if (cursor === 0) return parent()
  const Uic = continuous + cursor
  if (upTo(5) === 0) return { kind: 'instrument', Uic, delete: true }
  const ExpiryDate = oneOf('2026-10-16', '2026-12-18', '2027-03-19')
  const Hours = [{ Days: ['Mon'], Start: oneOf('01:00', '02:00'), End: '23:00' }]
  return instrument(Uic, { ContinuousFuturesUic: continuous, ExpiryDate, Symbol: `F${upTo(99)}`, Hours, As })
}

function anyRoot(): object {
  const OptionRootId = 1 + upTo(roots)
  if (upTo(5) === 0) return { kind: 'optionRoot', OptionRootId, delete: true }
  const first = 1_000 * OptionRootId
  const uics = Array.from({ length: 8 }, (_, index) => first + index).filter(() => upTo(2) > 0)
  return optionRoot(OptionRootId, uics, { Description: `${oneOf(...words)} options`, Rank: 1 + upTo(40) })
}

/** Some records with distinct keys. */
function someChanges(count: number): object[] {
  const records = new Map<string, object>()
  for (let made = 0; made < count; made++) {
    const record = oneOf(anyRoot, anyFuture, anyInstrument, anyInstrument, anyInstrument)()
    const { kind, Uic, OptionRootId } = record as { kind: string; Uic?: number; OptionRootId?: number }
    records.set(`${kind} ${Uic ?? OptionRootId}`, record)
  }
  if (upTo(3) === 0) records.set('exchange', { ...exchange, Name: `London ${upTo(100)}` })
  return [...records.values()]
}

const listing = {
  keywords: undefined,
  assetTypes: undefined,
  exchangeId: undefined,
  isComplex: undefined,
  displayHint: undefined,
  canParticipateInMultiLegOrder: undefined,
  includeNonTradable: false,
  uics: undefined,
  bounds: [],
}
const keywords = [
  'a',
  'al',
  'alp',
  'alpha',
  'alpha ba',
  'b',
  'gamma group',
  'aplha',
  'globl',
  'opti',
  'x',
  '7',
  'iron 12',
]
const searches = [
  ...keywords.map((text) => ({ ...listing, keywords: text })),
  ...keywords.map((text) => ({ ...listing, keywords: text, assetTypes: ['Stock', 'CfdOnStock', 'StockOption'] })),
  listing,
  { ...listing, includeNonTradable: true, exchangeId: 'PAR' },
  { ...listing, uics: [1, 5, 9, 77, 140] },
  { ...listing, bounds: [{ figure: 0, from: -5, to: 5 }] },
]

/** Every response for this data, page by page. */
function* allAnswers(snapshot: Snapshot): Generator<[string, string]> {
  for (const [who, access] of views.entries()) {
    const view: RequestView = { snapshot, access, now }
    for (const criteria of searches)
      yield* pages<SearchCursor>(`${who} search ${JSON.stringify(criteria)}`, (after, nextLink) =>
        searchBody(view, criteria, { top: 7, skip: 0, after, isCounted: true }, { nextLink }),
      )
    yield* pages<DetailsCursor>(`${who} details`, (after, nextLink) =>
      new DetailsWriter(
        view,
        { uics: undefined, assetTypes: undefined, displayHint: undefined },
        { top: 20, skip: 0, after },
        new Set(['OrderSetting']),
        { nextLink },
      ).whole(),
    )
    for (let root = 1; root <= roots; root++)
      yield [`${who} root ${root}`, String(optionSpaceBody(view, root, { OptionSpaceSegment: 'AllDates' }, '')?.())]
    yield [`${who} futures`, JSON.stringify(futuresSpace(view, continuous, 'NoResultFound'))]
    for (let uic = continuous; uic < continuous + 9; uic++) yield [`${who} schedule ${uic}`, scheduleOf(view, uic)]
  }
}

function scheduleOf(view: RequestView, uic: number): string {
  try {
    return JSON.stringify(scheduleBody(view, uic, 'ContractFutures'))
  } catch (error) {
    return String(error)
  }
}

function* pages<P>(
  name: string,
  make: (after: P | undefined, nextLink: (cursor: P) => string) => Buffer,
): Generator<[string, string]> {
  let after: P | undefined
  for (let page = 0; page < 100; page++) {
    let next: P | undefined
    const text = make(after, (cursor) => {
      next = cursor
      return JSON.stringify(cursor)
    }).toString()
    yield [`${name}, page ${page}`, text]
    if (next === undefined) return
    after = next
  }
  assert.fail(`${name} does not end`)
}

async function freshSnapshot(): Promise<Snapshot> {
  const { revision, base, exchanges } = await buildWhole(db)
  return new Snapshot(revision, base, exchanges)
}

const feed = new ChangeFeed(db, connection, testLog())
await feed.start()
await change([exchange, { ...exchange, ExchangeId: 'PAR', Name: 'Paris' }, parent()])
await change(someChanges(200))
const catalogue = await Catalogue.start(new CatalogueBuilder({ db, connection, feed, log: testLog() }))
after(async () => {
  await catalogue.stop()
  await feed.stop()
})

test('a base segment with changes responds byte for byte like a fresh base of the same data', async () => {
  const base = catalogue.current().readers[0]?.segment
  for (let round = 0; round < 5; round++) {
    await catalogue.reached(await change(someChanges(1 + upTo(25))))
    const [changed, fresh] = [catalogue.current(), await freshSnapshot()]
    assert.deepEqual([changed.revision, changed.readers.length], [fresh.revision, 2])
    assert.equal(changed.readers[1]?.segment, base)
    const expected = new Map(allAnswers(fresh))
    let count = 0
    for (const [name, text] of allAnswers(changed)) {
      assert.equal(text, expected.get(name), `round ${round}: ${name}`)
      count++
    }
    assert.equal(count, expected.size, `round ${round}: as many pages`)
  }
})
