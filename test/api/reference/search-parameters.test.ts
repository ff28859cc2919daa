import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentSummary } from '../../../src/instruments/api/schema.ts'
import type { InstrumentRecord } from '../../../src/instruments/import/schema.ts'
import { demoReference } from '../../support/demo.ts'
import { type ErrorBody, readOk } from '../../support/reference/rest.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)
const path = '/ref/v1/instruments'

type Feed = { __count?: number; __next?: string; Data: InstrumentSummary[] }
const ask = (query: string, token = ada): Promise<Response> => getRest(service.baseUrl, `${path}?${query}`, token)

const search = (query: string, token = ada): Promise<Feed> => readOk(ask(query, token))

/** All results, and the count that the service returns. */
async function all(query: string, token = ada): Promise<InstrumentSummary[]> {
  const { __count, Data } = await search(`${query}&$top=1000&$inlinecount=AllPages`, token)
  assert.equal(Data.length, Math.min(Number(__count), 1_000))
  return Data
}

/** The query is rejected, with exactly these invalid fields. */
async function assertInvalid(query: string, ...fields: string[]): Promise<void> {
  const response = await ask(query)
  const body = (await response.json()) as ErrorBody
  assert.deepEqual([query, response.status, body.ErrorCode], [query, 400, 'InvalidModelState'])
  assert.deepEqual(Object.keys(body.ModelState ?? {}).sort(), fields.toSorted(), query)
  for (const reasons of Object.values(body.ModelState ?? {})) assert.ok(reasons.every((reason) => reason.length > 5))
}

const instruments = (await demoReference(Temporal.PlainDate.from('2026-11-16'))).filter(
  (record): record is { kind: 'instrument' } & InstrumentRecord => 'Uic' in record,
)
const keys = (rows: InstrumentSummary[]): string[] => rows.map((row) => `${row.AssetType} ${row.Identifier}`)
const idsOf = (rows: InstrumentSummary[]): number[] => rows.map(({ Identifier }) => Identifier).sort((a, b) => a - b)
const typesOf = (rows: InstrumentSummary[]): string[] => [...new Set(rows.map(({ AssetType }) => AssetType))].sort()

test('$top is the page size: 50 by default, at most 1000, and 0 for the count only (operation 1)', async () => {
  const fifty = await search('')
  assert.equal(fifty.Data.length, 50)
  assert.ok(fifty.__next)
  assert.deepEqual(keys((await search('$top=7')).Data), keys(fifty.Data).slice(0, 7))
  assert.deepEqual(keys((await search('%24TOP=3')).Data), keys(fifty.Data).slice(0, 3))
  assert.equal((await search('$top=1000')).Data.length, 1_000)
  assert.deepEqual(await search('$top=0'), { Data: [] })
  const { __count, ...rest } = await search('$top=0&$inlinecount=AllPages')
  assert.deepEqual(rest, { Data: [] })
  assert.ok(Number(__count) > 1_000)
  for (const bad of ['1001', '-1', '1.5', 'ten', '1e999']) await assertInvalid(`$top=${bad}`, '$top')
  await assertInvalid('$top=1&$top=2', '$top')
})

test('$skip skips rows: 0 by default, even past the end (operation 1)', async () => {
  const first = keys((await search('$top=20')).Data)
  assert.deepEqual(keys((await search('$top=5&$skip=10')).Data), first.slice(10, 15))
  assert.deepEqual(await search('$skip=100000'), { Data: [] })
  assert.deepEqual(await search('Keywords=apple&$skip=100000'), { Data: [] })
  for (const bad of ['-1', '0.5', 'x']) await assertInvalid(`$skip=${bad}`, '$skip')
})

test('$skiptoken continues after a page and overrides $skip (operation 1)', async () => {
  const first = await search('$top=10')
  const token = new URL(first.__next ?? '').searchParams.get('$skiptoken')
  const expected = keys((await search('$top=10&$skip=10')).Data)
  assert.deepEqual(keys((await search(`$top=10&$skiptoken=${token}`)).Data), expected)
  assert.deepEqual(keys((await search(`$top=10&$skip=300&$SkipToken=${token}`)).Data), expected)
  for (const bad of ['x', '!', 'MS4y', 'a'.repeat(513)]) await assertInvalid(`$skiptoken=${bad}`, '$skiptoken')
})

test('$inlinecount=AllPages adds the count to every page (operation 1)', async () => {
  const { __count, __next } = await search('Keywords=bank&$top=2&$inlinecount=AllPages')
  assert.equal(__count, (await search('Keywords=bank&$top=1000')).Data.length)
  assert.equal((await search(new URL(__next ?? '').search.slice(1))).__count, __count)
  assert.equal((await search('Keywords=bank&$INLINECOUNT=allpages')).__count, __count)
  for (const query of ['$top=2', '$top=2&$inlinecount=None']) assert.equal('__count' in (await search(query)), false)
  for (const bad of ['Some', '1']) await assertInvalid(`$inlinecount=${bad}`, '$inlinecount')
})

test('Keywords is optional, at most 500 characters, and sent once (operation 1)', async () => {
  assert.deepEqual(keys(await all('keywords=APPLE')), keys(await all('Keywords=apple')))
  assert.deepEqual(await search('Keywords=nothingiscalledthis'), { Data: [] })
  await assertInvalid(`Keywords=${'a'.repeat(501)}`, 'Keywords')
  await assertInvalid('Keywords=apple&keywords=pear', 'Keywords')
})

test('ExchangeId matches one exchange in any case; an unknown one finds nothing (operation 1)', async () => {
  const rows = await all('ExchangeId=XETRA')
  assert.ok(rows.length > 20)
  assert.deepEqual(new Set(rows.map(({ ExchangeId }) => ExchangeId)), new Set(['XETRA']))
  assert.deepEqual(keys(await all('exchangeid=xEtRa')), keys(rows))
  assert.ok(new Set((await all('')).map(({ ExchangeId }) => ExchangeId)).size > 10, 'all of them by default')
  assert.deepEqual(await search('ExchangeId=NOWHERE'), { Data: [] })
  await assertInvalid(`ExchangeId=${'x'.repeat(101)}`, 'ExchangeId')
  await assertInvalid('ExchangeId=XETRA&ExchangeId=LSE', 'ExchangeId')
})

test('IncludeNonTradable adds expired, index, continuous and non-tradable instruments (operation 1)', async () => {
  const futures = 'AssetTypes=ContractFutures'
  const [hidden, shown] = [await all(futures), await all(`${futures}&IncludeNonTradable=true`)]
  const expired = instruments.filter((each) => (each.ExpiryDate ?? '9') < '2026-11-16').map(({ Uic }) => Uic)
  const continuous = shown.filter(({ DisplayHint }) => DisplayHint === 'Continuous').map(({ Identifier }) => Identifier)
  assert.ok(expired.length > 0 && continuous.length >= 8)
  for (const uic of [...expired, ...continuous]) {
    assert.ok(!idsOf(hidden).includes(uic) && idsOf(shown).includes(uic), String(uic))
    assert.equal(shown.find(({ Identifier }) => Identifier === uic)?.TradableAs, undefined)
  }
  assert.ok(hidden.every(({ TradableAs }) => TradableAs?.includes('ContractFutures')))
  assert.deepEqual(await search('AssetTypes=StockIndex'), { Data: [] })
  assert.ok((await all('AssetTypes=StockIndex&IncludeNonTradable=TRUE')).length > 10)
  assert.deepEqual(keys(await all(`${futures}&includenontradable=False`)), keys(hidden), 'false is the default')
  const untraded = instruments.filter(({ TradingStatus }) => ['ReduceOnly', 'NonTradable'].includes(`${TradingStatus}`))
  const uics = `Uics=${untraded.map(({ Uic }) => Uic).join()}`
  assert.deepEqual(await search(uics), { Data: [] })
  assert.equal((await all(`${uics}&IncludeNonTradable=true`)).length, untraded.length)
  for (const bad of ['1', 'yes']) await assertInvalid(`IncludeNonTradable=${bad}`, 'IncludeNonTradable')
})

test('Class selects complex or non-complex instruments; both by default (operation 1)', async () => {
  const nvidia = 'Uics=1002&AssetTypes=Stock,CfdOnStock'
  assert.deepEqual(typesOf(await all(`${nvidia}&Class=Complex`)), ['CfdOnStock'])
  assert.deepEqual(typesOf(await all(`${nvidia}&class=noncomplex`)), ['Stock'])
  assert.deepEqual(typesOf(await all(nvidia)), ['CfdOnStock', 'Stock'])
  for (const bad of ['Both', '1']) await assertInvalid(`Class=${bad}`, 'Class')
})

test('CanParticipateInMultiLegOrder filters option roots only (operation 1)', async () => {
  const types = 'AssetTypes=StockOption,FxCrypto,FuturesOption'
  const [yes, no, both] = [
    await all(`${types}&CanParticipateInMultiLegOrder=true`),
    await all(`${types}&canparticipateinmultilegorder=FALSE`),
    await all(types),
  ]
  const rootsOf = (rows: InstrumentSummary[]) => rows.filter(({ SummaryType }) => SummaryType === 'ContractOptionRoot')
  assert.ok(rootsOf(yes).length > 10 && rootsOf(yes).every((root) => root.CanParticipateInMultiLegOrder === true))
  assert.ok(rootsOf(no).length > 1 && rootsOf(no).every((root) => root.CanParticipateInMultiLegOrder === false))
  assert.equal(rootsOf(both).length, rootsOf(yes).length + rootsOf(no).length)
  const others = both.length - rootsOf(both).length
  assert.ok(others > 10)
  for (const rows of [yes, no]) assert.equal(rows.length - rootsOf(rows).length, others)
  await assertInvalid('CanParticipateInMultiLegOrder=maybe', 'CanParticipateInMultiLegOrder')
})

test('Uics selects instruments, each in its main asset type, and excludes option roots (operation 1)', async () => {
  const rows = await all('Uics=1002,1000,1000,99999999999,-5,1')
  assert.deepEqual(keys(rows), ['Stock 1000', 'Stock 1002'])
  assert.deepEqual(idsOf(await all('uics=1000&Uics=1001,1002')), [1000, 1001, 1002])
  assert.deepEqual((await search('Uics=1,2,3')).Data, [], 'there are roots of these numbers')
  assert.ok((await all('AssetTypes=StockOption')).some(({ Identifier }) => Identifier === 1))
  for (const bad of ['x', '1,x', '1.5']) await assertInvalid(`Uics=${bad}`, 'Uics')
  await assertInvalid(`Uics=${Array.from({ length: 1_001 }, (_, uic) => uic).join()}`, 'Uics')
})

test('value change bounds are inclusive percentages; an unknown change does not match (operation 1)', async () => {
  for (const period of ['OneWeek', 'OneMonth', 'OneYear'] as const) {
    const figure = `${period}TotalValueChange` as const
    const [from, to] = [`${figure}sFrom`, `${figure}sTo`]
    const withFigure = instruments.filter((each) => each[figure] !== undefined)
    const values = withFigure.map((each) => each[figure] ?? 0).sort((a, b) => a - b)
    const [low, high] = [values[Math.floor(values.length / 3)] ?? 0, values[Math.floor(values.length / 2)] ?? 0]
    const expect = async (query: string, isWithin: (value: number) => boolean) => {
      const expected = withFigure.filter((each) => isWithin(each[figure] ?? 0)).map(({ Uic }) => Uic)
      assert.ok(expected.length > 0 && expected.length < instruments.length)
      assert.deepEqual(
        idsOf(await all(`${query}&IncludeNonTradable=true`)),
        expected.sort((a, b) => a - b),
        query,
      )
    }
    await expect(`${from}=${low}`, (value) => value >= low)
    await expect(`${to.toLowerCase()}=${high}`, (value) => value <= high)
    await expect(`${from}=${low}&${to}=${high}`, (value) => value >= low && value <= high)
    await expect(`${from}=${low}&${to}=${low}`, (value) => value === low)
    await assertInvalid(`${from}=a&${to}=b`, from, to)
    await assertInvalid(`${from}=2&${to}=1`, from, to)
  }
  const inBoth = idsOf(await all('OneWeekTotalValueChangesFrom=0&OneYearTotalValueChangesTo=0'))
  const [week, year] = [
    idsOf(await all('OneWeekTotalValueChangesFrom=0')),
    idsOf(await all('OneYearTotalValueChangesTo=0')),
  ]
  assert.deepEqual(
    inBoth,
    week.filter((uic) => year.includes(uic)),
  )
})

test('AssetTypes filters by asset type; without it each instrument is listed in its main one (operation 1)', async () => {
  const rows = await all('AssetTypes=cfdonSTOCK,FxForwards')
  assert.deepEqual(typesOf(rows), ['CfdOnStock', 'FxForwards'])
  assert.ok(rows.every(({ AssetType, TradableAs }) => TradableAs?.includes(AssetType)))
  const main = await all('Uics=1000,4000')
  assert.deepEqual(keys(main).sort(), ['FxSpot 4000', 'Stock 1000'])
  assert.deepEqual(typesOf(await all('AssetTypes=Stock&AssetTypes=Etf')), ['Etf', 'Stock'])
  for (const bad of ['Stocks', 'Stock,Share', '1']) await assertInvalid(`AssetTypes=${bad}`, 'AssetTypes')
})

test('Tags is one display hint, for stocks, ETFs and ETCs; null means none (operation 1)', async () => {
  const tagged = await all('Tags=etc')
  assert.deepEqual(typesOf(tagged), ['Etc'])
  assert.ok(tagged.length > 5 && tagged.every(({ DisplayHint }) => DisplayHint === 'Etc'))
  assert.deepEqual(keys(await all('tags=Etf&AssetTypes=Etf')), keys(await all('AssetTypes=Etf')))
  assert.deepEqual(await search('Tags=Etf&AssetTypes=Stock'), { Data: [] })
  assert.deepEqual(await search('Tags=Forex'), { Data: [] }, 'currencies are not searched by tag')
  assert.deepEqual(keys(await all('Tags=null')), keys(await all('')))
  assert.deepEqual(keys(await all('Tags=NULL&AssetTypes=Bond')), keys(await all('AssetTypes=Bond')))
  for (const query of ['Tags=Etf,Etc', 'Tags=Etf&Tags=Etc', 'Tags=Etf&AssetTypes=Etf,Bond', 'Tags=Blue']) {
    const response = await ask(query)
    const { ErrorCode, ModelState } = (await response.json()) as ErrorBody
    assert.deepEqual([query, response.status, ErrorCode], [query, 400, 'InvalidSearchCriteriaProvided'])
    assert.equal(ModelState, undefined)
  }
})

test('reports all invalid parameters at once (operation 1)', async () => {
  await assertInvalid(
    '$top=x&Class=y&Uics=z&OneYearTotalValueChangesTo=w',
    '$top',
    'Class',
    'Uics',
    'OneYearTotalValueChangesTo',
  )
})
