import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails, OptionSpace } from '../../../src/instruments/api/schema.ts'
import type { OptionRootRecord } from '../../../src/instruments/import/schema.ts'
import { demoKey, demoReference } from '../../support/demo.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { sharedDemoService } from '../../support/service/shared.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await sharedDemoService()
const { access_token: ada } = await obtainTokens(service.url)
const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })
const { access_token: cy } = await obtainTokens(service.url, { user: 'cy' })

const get = (path: string, token = ada) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, token)

async function read<T = InstrumentDetails>(path: string, token = ada): Promise<T> {
  const answer = await get(path, token)
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`)
  return (await answer.json()) as T
}

const listed = async (query: string, token = ada) =>
  read<{ Data: InstrumentDetails[]; __count: number }>(`/details?$top=1000&${query}`, token)

const listedTypes = new Map<string, Promise<{ Data: InstrumentDetails[] }>>()

async function bySymbol(symbol: string, assetType: string): Promise<InstrumentDetails> {
  const list = listedTypes.get(assetType) ?? listed(`AssetTypes=${assetType}`)
  listedTypes.set(assetType, list)
  const { Data } = await list
  const found = Data.find((each) => each.Symbol === symbol)
  assert.ok(found, `there is no ${symbol} as ${assetType}`)
  return found
}

const accounts = ['9226397', '9226398']
const viewOnly = `AccountKey=${demoKey('account 9226400')}`
type Standing = Pick<InstrumentDetails, 'IsTradable' | 'NonTradableReason' | 'TradableOn' | 'TradableAs'>

function standingOf({ IsTradable, NonTradableReason, TradableOn, TradableAs }: Standing): unknown[] {
  return [IsTradable, NonTradableReason, TradableOn, TradableAs]
}
const not = (reason: string): unknown[] => [false, reason, [], undefined]

async function standing({ Uic, AssetType }: InstrumentDetails, query = '', token = ada): Promise<unknown[]> {
  return standingOf(await read(`/details/${Uic}/${AssetType}?${query}`, token))
}

test('a tradable instrument lists its accounts and asset types, main one first (operation 3)', async () => {
  const apple = await bySymbol('AAPL:xnas', 'Stock')
  const types = ['Stock', 'CfdOnStock']
  assert.deepEqual(await standing(apple), [true, 'None', accounts, types])
  assert.deepEqual(await standing(apple, `AccountKey=${demoKey('account 9226397')}`), [
    true,
    'None',
    accounts.slice(0, 1),
    types,
  ])
  assert.deepEqual(await standing(apple, '', bo), [true, 'None', ['9300101'], ['Stock']])
  assert.deepEqual(await standing(apple, '', cy), [true, 'None', ['9400001', '9400002'], types])
  assert.deepEqual(await standing(await bySymbol('EURUSD', 'FxSpot'), '', cy), [
    true,
    'None',
    ['9400001', '9400002'],
    ['FxSpot'],
  ])
})

test('a view-only account sees everything and trades nothing (operation 2)', async () => {
  const apple = await bySymbol('AAPL:xnas', 'Stock')
  assert.deepEqual(await standing(apple, viewOnly), not('NotOnlineClientTradable'))
  const { Data, __count } = await listed(`Uics=${apple.Uic}&${viewOnly}`)
  assert.equal(__count, 2)
  for (const each of Data) assert.deepEqual(standingOf(each), not('NotOnlineClientTradable'))
})

test('NonTradableReason is the first that applies: expired, reduce-only, no right, other (operation 3)', async () => {
  const futures = (await listed('AssetTypes=ContractFutures')).Data
  const expired = futures.find(({ ExpiryDate }) => ExpiryDate && ExpiryDate < demoLoadedAt.slice(0, 10))
  const all = [...(await listed('AssetTypes=FxSpot')).Data, ...(await listed('AssetTypes=Stock')).Data]
  const reduceOnly = all.find(({ TradingStatus }) => TradingStatus === 'ReduceOnly')
  const nonTradable = all.find(({ TradingStatus }) => TradingStatus === 'NonTradable')
  const undecided = (await listed('AssetTypes=Bond')).Data.find(({ TradingStatus }) => TradingStatus === 'NotDefined')
  assert.ok(expired && reduceOnly && nonTradable && undecided)
  assert.deepEqual(await standing(expired), not('ExpiredInstrument'))
  assert.deepEqual(await standing(expired, viewOnly), not('ExpiredInstrument'))
  assert.deepEqual(await standing(reduceOnly), not('ReduceOnlyInstrument'))
  assert.deepEqual(await standing(reduceOnly, viewOnly), not('ReduceOnlyInstrument'))
  assert.deepEqual(await standing(nonTradable), not('OtherReason'))
  assert.deepEqual(await standing(nonTradable, viewOnly), not('NotOnlineClientTradable'))
  assert.deepEqual(await standing(undecided), [true, 'None', accounts, ['Bond']])
})

test('an index and a continuous future are never tradable (operation 3)', async () => {
  for (const each of [await bySymbol('DAX.I', 'StockIndex'), await bySymbol('ES:xcme', 'ContractFutures')]) {
    assert.deepEqual(await standing(each), not('OtherReason'))
    assert.deepEqual(await standing(each, '', cy), not('OtherReason'))
    assert.deepEqual(await standing(each, viewOnly), not('NotOnlineClientTradable'))
  }
})

const roots = (await demoReference(Temporal.PlainDate.from(demoLoadedAt.slice(0, 10)))).flatMap((record) =>
  record.kind === 'optionRoot' ? [record as OptionRootRecord] : [],
)

test('the tradability of a contract depends on its expiry, its status and its root (operation 3)', async () => {
  const optionWith = (code: string, isAsked: (option: { TradingStatus?: string }, expiry: string) => boolean) =>
    roots
      .filter((root) => root.Symbol === code)
      .flatMap(({ AssetType, Series }) =>
        Series.flatMap(({ Expiry, Options }) => Options.filter((option) => isAsked(option, Expiry))).map(({ Uic }) => ({
          Uic,
          AssetType,
        })),
      )[0] as InstrumentDetails
  const today = demoLoadedAt.slice(0, 10)
  const tradable = optionWith('TSLA:xcbo', ({ TradingStatus }) => TradingStatus === 'Tradable')
  assert.deepEqual(await standing(tradable), [true, 'None', accounts, ['StockOption']])
  assert.deepEqual(await standing(tradable, '', cy), [true, 'None', ['9400001', '9400002'], ['StockOption']])
  assert.deepEqual(await standing(tradable, viewOnly), not('NotOnlineClientTradable'))
  const expired = optionWith('AAPL:xcbo', (_, expiry) => expiry < today)
  assert.deepEqual(await standing(expired), not('ExpiredInstrument'))
  const reduceOnly = optionWith('TSLA:xcbo', ({ TradingStatus }) => TradingStatus === 'ReduceOnly')
  assert.deepEqual(await standing(reduceOnly), not('ReduceOnlyInstrument'))
  const nonTradable = optionWith('TSLA:xcbo', ({ TradingStatus }) => TradingStatus === 'NonTradable')
  assert.deepEqual(await standing(nonTradable), not('OtherReason'))
})

test('an option space includes the tradability of its root (operation 4)', async () => {
  const rootStanding = async (code: string, token: string) => {
    const root = roots.find((each) => each.Symbol === code)
    const space = await read<OptionSpace>(`/contractoptionspaces/${root?.OptionRootId}`, token)
    return [space.IsTradable, space.NonTradableReason, space.TradableOn]
  }
  assert.deepEqual(await rootStanding('AAPL:xcbo', ada), [true, 'None', accounts])
  assert.deepEqual(await rootStanding('AAPL:xcbo', cy), [true, 'None', ['9400001', '9400002']])
  const adjusted = roots.find(({ TradingStatus }) => TradingStatus === 'ReduceOnly')
  assert.deepEqual(await rootStanding(adjusted?.Symbol ?? '', ada), [false, 'ReduceOnlyInstrument', []])
})

/** An error without its request ID and the requested number. */
async function errorWithout(number: number, path: string, token: string) {
  const answer = await get(path.replace('#', String(number)), token)
  const differing = ['x-correlation', 'x-request-id', 'date', 'content-length']
  // The link to the explanation repeats the request.
  const headers = [...answer.headers]
    .filter(([name]) => !differing.includes(name))
    .map(([name, value]) => [name, name === 'link' ? value.replace(`%2F${number}`, '%2F#') : value])
  return { status: answer.status, headers, body: (await answer.text()).replace(String(number), '#') }
}

test('an invisible instrument returns the same 404 as an unknown one (operation 3)', async () => {
  const [euro, gold] = [await bySymbol('EURUSD', 'FxSpot'), await bySymbol('ES:xcme', 'ContractFutures')]
  const [root] = roots
  const option = root?.Series[0]?.Options[0]
  assert.ok(root && option)
  const hidden: [string, number][] = [
    ['/details/#/FxSpot', euro.Uic],
    ['/details/#/FxSpot?FieldGroups=TradingSessions', euro.Uic],
    [`/details/#/${root.AssetType}`, option.Uic],
    ['/contractoptionspaces/#', root.OptionRootId],
    ['/contractoptionspaces/#?OptionSpaceSegment=SpecificDates', root.OptionRootId],
    ['/contractoptionspaces/#?OptionSpaceSegment=UnderlyingUic', root.OptionRootId],
    ['/futuresspaces/#', gold.Uic],
    ['/tradingschedule/#/FxSpot', euro.Uic],
    [`/tradingschedule/#/${root.AssetType}`, option.Uic],
  ]
  for (const [path, number] of hidden) {
    assert.equal((await get(path.split('?')[0]?.replace('#', String(number)) ?? '')).status, 200, `${path} is there`)
    const invisible = await errorWithout(number, path, bo)
    assert.equal(invisible.status, 404, path)
    assert.deepEqual(invisible, await errorWithout(9_999_999, path, bo), path)
  }
})

test('an instrument that is visible as other asset types is 404 with these only (operation 3)', async () => {
  const apple = await bySymbol('AAPL:xnas', 'Stock')
  const messageOf = async (assetType: string, token: string) =>
    ((await (await get(`/details/${apple.Uic}/${assetType}`, token)).json()) as { Message: string }).Message
  assert.match(await messageOf('Bond', ada), / as Bond, or you may not see it\. It is offered as CfdOnStock, Stock\.$/)
  for (const invisible of ['CfdOnStock', 'Bond'])
    assert.match(await messageOf(invisible, bo), /, or you may not see it\. It is offered as Stock\.$/)
})

test('InvalidContinuousFuturesUic is returned only for a visible instrument (operation 5)', async () => {
  const future = await bySymbol('ESZ6', 'ContractFutures')
  assert.equal((await get(`/futuresspaces/${future.Uic}`)).status, 400)
  assert.equal((await get(`/futuresspaces/${future.Uic}`, bo)).status, 404)
})

test('invisible instruments are not listed or counted (operation 2)', async () => {
  const everything = await listed('', bo)
  assert.deepEqual([...new Set(everything.Data.map(({ AssetType }) => AssetType))], ['Stock'])
  assert.equal(everything.__count, (await listed('AssetTypes=Stock')).__count)
  const euro = await bySymbol('EURUSD', 'FxSpot')
  const option = roots[0]?.Series[0]?.Options[0]
  for (const query of [`Uics=${euro.Uic}`, `Uics=${option?.Uic}`, 'AssetTypes=FxSpot,StockOption,ContractFutures']) {
    const { Data, __count } = await listed(query, bo)
    assert.deepEqual([Data, __count], [[], 0], query)
  }
  for (const assetType of ['Bond', 'FxCrypto', 'FxForwards'])
    assert.equal((await listed(`AssetTypes=${assetType}`, cy)).__count, 0, assetType)
})

test('reference data requires a token (operation 2)', async () => {
  for (const path of ['/details', '/details/1/Stock', '/contractoptionspaces/1', '/futuresspaces/1']) {
    const answer = await fetch(`${service.baseUrl}/ref/v1/instruments${path}`)
    assert.equal(answer.status, 401, path)
  }
  assert.equal((await get('/tradingschedule/1/Stock', 'no.such.token')).status, 401)
})
