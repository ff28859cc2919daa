import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { FeedOf } from '../../../src/http/output/feed.ts'
import { InstrumentSummary } from '../../../src/instruments/api/schema.ts'
import type { ExchangeRecord, InstrumentRecord, OptionRootRecord } from '../../../src/instruments/import/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoReference } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
const ada = (await obtainTokens(service.url)).access_token
const path = '/ref/v1/instruments'

type Feed = { __count?: number; __next?: string; Data: InstrumentSummary[] }

/** The response to a search by ada, checked against the schema. */
async function search(query: string | URL): Promise<Feed> {
  const response =
    query instanceof URL
      ? await fetch(query, { headers: { authorization: `Bearer ${ada}` } })
      : await getRest(service.baseUrl, `${path}?${query}`, ada)
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const answer = (await response.json()) as Feed
  assert.deepEqual(Value.Errors(FeedOf(InstrumentSummary), answer), [])
  assert.deepEqual(Value.Clean(FeedOf(InstrumentSummary), structuredClone(answer)), answer)
  return answer
}

const symbols = ({ Data }: Feed): string[] => Data.map(({ Symbol }) => Symbol)
const keywords = (text: string, more = ''): Promise<Feed> => search(`Keywords=${encodeURIComponent(text)}${more}`)

/** The search results that follow from the demo records (§6.1). */
type Expected = Omit<InstrumentSummary, 'TradableAs' | 'IsKeywordMatch'>
const isInstrument = (record: object): record is { kind: 'instrument' } & InstrumentRecord => 'Uic' in record
const isRoot = (record: object): record is { kind: 'optionRoot' } & OptionRootRecord => 'OptionRootId' in record
const records = await demoReference(Temporal.PlainDate.from('2026-11-16'))
const instruments = records.filter(isInstrument)
const roots = records.filter(isRoot)
const exchanges = new Map(
  records.flatMap((record) => (record.kind === 'exchange' ? [[record.ExchangeId, record as ExchangeRecord]] : [])),
)

function expectedEntry(record: (typeof instruments)[number] | (typeof roots)[number]): Expected {
  type Shown = InstrumentRecord & { AssetType: Expected['AssetType'] }
  const shown = (isRoot(record) ? record : { ...record, ...record.As[0] }) as unknown as Shown
  const { AssetType, CurrencyCode, Description, DisplayHint, ExchangeId, GroupId = 0, IssuerCountry, Symbol } = shown
  const { UnderlyingAssetType, UnderlyingUic } = shown
  const isListed = ['CompanyWarrant', 'Etc', 'Etf', 'Etn', 'Fund', 'Rights', 'Stock'].includes(AssetType)
  const { PrimaryListing = isListed && !isRoot(record) ? record.Uic : undefined } = shown
  const entry = {
    AssetType,
    CurrencyCode,
    Description,
    DisplayHint,
    ExchangeCountry: exchanges.get(ExchangeId ?? '')?.CountryCode,
    ExchangeId,
    ExchangeName: exchanges.get(ExchangeId ?? '')?.Name,
    GroupId,
    Identifier: isRoot(record) ? record.OptionRootId : record.Uic,
    IssuerCountry,
    PrimaryListing,
    SummaryType: isRoot(record) ? 'ContractOptionRoot' : 'Instrument',
    Symbol,
    UnderlyingAssetType,
    UnderlyingUic,
    ...(isRoot(record) && {
      CanParticipateInMultiLegOrder: record.CanParticipateInMultiLegOrder ?? false,
      GroupOptionRootId: record.GroupOptionRootId,
    }),
  }
  return JSON.parse(JSON.stringify(entry)) as Expected
}

const byRank = [...instruments, ...roots].toSorted((one, other) => {
  const [first, second] = [expectedEntry(one), expectedEntry(other)]
  return (one.Rank ?? 2 ** 32) - (other.Rank ?? 2 ** 32) || first.Identifier - second.Identifier
})
const everything = byRank.map(expectedEntry)
const key = ({ SummaryType, Identifier }: Expected): string => `${SummaryType} ${Identifier}`

/** All pages, by __next. */
async function walk(query: string): Promise<{ pages: Feed[]; rows: InstrumentSummary[] }> {
  const pages = [await search(query)]
  for (let next = pages[0]?.__next; next !== undefined; next = pages.at(-1)?.__next)
    pages.push(await search(new URL(next)))
  return { pages, rows: pages.flatMap(({ Data }) => Data) }
}

test('finds Apple by name, symbol, ISIN, prefix and with a typo (operation 1)', async () => {
  for (const text of [
    'apple',
    'aapl',
    'AAPL:xnas',
    'US0378331005',
    'us0378331005',
    'appl',
    'aplpe',
    'Äpple',
    'inc apple',
  ]) {
    const { Data } = await keywords(text)
    const { Description, Symbol, AssetType, IsKeywordMatch } = Data[0] ?? {}
    assert.deepEqual(
      { text, Description, Symbol, AssetType, IsKeywordMatch },
      { text, Description: 'Apple Inc.', Symbol: 'AAPL:xnas', AssetType: 'Stock', IsKeywordMatch: true },
    )
  }
  assert.equal((await search('$top=1')).Data[0]?.Symbol, 'AAPL:xnas', 'nothing is traded more')
})

test('ranks exact symbols first, then symbol prefixes, then words of descriptions (operation 1)', async () => {
  const { Data } = await keywords('so', '&$top=1000')
  const classOf = ({ Symbol, Description }: InstrumentSummary): number => {
    const [base = ''] = Symbol.toLowerCase().split(':')
    if (base === 'so') return 0
    if (base.startsWith('so')) return 1
    return /(^|[^a-z0-9])so/i.test(Description) ? 2 : 3
  }
  const matches = Data.filter(({ IsKeywordMatch }) => IsKeywordMatch)
  const classes = matches.map(classOf)
  assert.deepEqual(new Set(classes), new Set([0, 1, 2]))
  assert.deepEqual(classes, classes.toSorted())
  for (const each of [0, 1, 2]) {
    const found = new Set(matches.filter((row) => classOf(row) === each).map(key))
    assert.deepEqual(
      [...found],
      everything.map(key).filter((name) => found.has(name)),
      `class ${each} goes by rank`,
    )
  }
})

test('all words must match, in any order; the best match of any word counts (operation 1)', async () => {
  assert.deepEqual(symbols(await keywords('hathaway b')), symbols(await keywords('B  HATHAWAY')))
  assert.deepEqual(symbols(await keywords('hathaway brk.b')), ['BRK.B:xnys', 'BRK.A:xnys'])
  assert.deepEqual((await keywords('apple microsoft')).Data, [])
  assert.equal(symbols(await keywords('johnson & johnson'))[0], 'JNJ:xnys')
  assert.equal(symbols(await keywords('at&t'))[0], 'T:xnys')
  assert.ok(symbols(await keywords('s&p 500', '&$top=1000')).includes('SPY:arcx'))
})

test('corrects one typo in a word of at least four letters that matches nothing (operation 1)', async () => {
  for (const text of ['microsft', 'micrsooft', 'micrrosoft', 'nicrosoft'])
    assert.equal((await keywords(text)).Data[0]?.Symbol, 'MSFT:xnas', text)
  assert.deepEqual((await keywords('micrsfot')).Data, [], 'two slips')
  assert.deepEqual((await keywords('zzq')).Data, [], 'three letters')
  const exact = await keywords('intel', '&$top=1000')
  for (const { Description, Symbol } of exact.Data) assert.match(`${Description} ${Symbol}`, /\bintel/i)
})

test('lists group members after the matches, without IsKeywordMatch (operation 1)', async () => {
  const { Data } = await keywords('GOOG:xnas')
  assert.deepEqual(
    Data.map(({ Symbol, GroupId, IsKeywordMatch }) => ({ Symbol, GroupId, IsKeywordMatch })),
    [
      { Symbol: 'GOOG:xnas', GroupId: 1004, IsKeywordMatch: true },
      { Symbol: 'GOOGL:xnas', GroupId: 1004, IsKeywordMatch: undefined },
    ],
  )
  assert.deepEqual(symbols(await keywords('GOOG:xnas', '&Uics=1005,1000')).length, 1, 'they pass all other filters')
  const shell = await walk('Keywords=SHEL:xlon&$top=1&$inlinecount=AllPages')
  const group = everything.filter(({ GroupId }) => GroupId === shell.rows[0]?.GroupId).map(({ Symbol }) => Symbol)
  const others = group.filter((symbol) => symbol !== 'SHEL:xlon')
  assert.ok(others.length > 1 && shell.rows[0]?.GroupId !== 0)
  assert.deepEqual(
    shell.rows.map(({ Symbol, IsKeywordMatch = false }) => [Symbol, IsKeywordMatch]),
    [['SHEL:xlon', true], ...others.map((symbol) => [symbol, false])],
  )
  for (const { __count } of shell.pages) assert.equal(__count, group.length)
})

test('a search without keywords, or with blank ones, has no IsKeywordMatch (operation 1)', async () => {
  for (const query of ['$top=20', 'Keywords=&$top=20', 'Keywords=%20%20&$top=20', 'Keywords=%CC%81&$top=20']) {
    const { Data } = await search(query)
    assert.equal(Data.length, 20)
    assert.ok(Data.every((row) => !('IsKeywordMatch' in row)))
  }
})

test('lists every instrument and option root with the fields of its record, by rank (operation 1)', async () => {
  const { rows, pages } = await walk('IncludeNonTradable=true&$top=1000&$inlinecount=AllPages')
  assert.deepEqual(
    rows.map(({ TradableAs: _, ...row }) => row),
    everything,
  )
  assert.ok(everything.length > 1_000 && pages.length > 1)
  for (const { __count } of pages) assert.equal(__count, everything.length)
})

test('pages of 7 return each row exactly once and in order (operation 1)', async () => {
  const { rows, pages } = await walk('IncludeNonTradable=true&$top=7')
  assert.deepEqual(rows.map(key), everything.map(key))
  for (const { Data, __next } of pages.slice(0, -1)) assert.ok(Data.length === 7 && __next !== undefined)
  assert.ok(pages.every((page) => !('__count' in page) && !('MaxRows' in page)))
})

test('paging over all asset types returns each instrument in each of its asset types once (operation 1)', async () => {
  const { rows } = await walk('AssetTypes=FxSpot,FxForwards,fxswap,FxVanillaOption&IncludeNonTradable=true&$top=9')
  const wanted = ['FxForwards', 'FxSpot', 'FxSwap', 'FxVanillaOption']
  const expected = byRank.filter(isInstrument).flatMap(({ Uic, As }) =>
    As.map(({ AssetType }) => AssetType)
      .filter((type) => wanted.includes(type))
      .sort()
      .map((type) => `${Uic} ${type}`),
  )
  assert.deepEqual(
    rows.map(({ Identifier, AssetType }) => `${Identifier} ${AssetType}`),
    expected,
  )
})

test('__next is absolute, keeps the query, and is absent on the last page (operation 1)', async () => {
  const filters = 'Keywords=share%20b&AssetTypes=Stock,CfdOnStock&includenontradable=True&$inlinecount=AllPages&x=1'
  const first = await search(`${filters}&$top=5&$skip=2`)
  const next = first.__next ?? ''
  assert.ok(next.startsWith(`${service.baseUrl}${path}?`), next)
  for (const part of [/[?&]\$skiptoken=[\w-]+(&|$)/, /[?&]\$top=5(&|$)/]) assert.match(next, part)
  const sent = new URL(next).searchParams
  sent.delete('$skiptoken')
  assert.deepEqual([...sent].sort(), [...new URLSearchParams(`${filters}&$top=5`)].sort())
  const whole = await search(`${filters}&$top=1000`)
  assert.equal('__next' in whole, false)
  const second = await search(new URL(next))
  assert.deepEqual([...first.Data, ...second.Data].map(key), whole.Data.slice(2, 12).map(key))
  assert.equal('__next' in (await search(`${filters}&$top=${whole.Data.length}`)), false)
})

test('a future is listed until the end of its last day at the exchange; then the entity tag changes (operation 1)', async () => {
  const coming = instruments.filter(({ ExpiryDate }) => ExpiryDate !== undefined && ExpiryDate >= '2026-11-16')
  const [next] = coming.toSorted((one, other) => ((one.ExpiryDate ?? '') < (other.ExpiryDate ?? '') ? -1 : 1))
  const zone = records.find((record) => record.kind === 'exchange' && record.ExchangeId === next?.ExchangeId)
  assert.ok(next?.ExpiryDate && zone?.kind === 'exchange')
  const midnight = Temporal.PlainDate.from(next.ExpiryDate).add({ days: 1 }).toZonedDateTime(zone.TimeZone)
  clock.advance(clock.now().until(midnight.toInstant()).total('seconds') - 60)
  const token = (await obtainTokens(service.url)).access_token
  const ask = async () => {
    const response = await getRest(service.baseUrl, `${path}?Uics=${next.Uic}`, token)
    return { etag: response.headers.get('etag'), rows: ((await response.json()) as Feed).Data.length }
  }
  const before = await ask()
  clock.advance(60)
  const after = await ask()
  assert.deepEqual([before.rows, after.rows], [1, 0])
  assert.notEqual(before.etag, after.etag)
})
