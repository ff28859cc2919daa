import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announceClients } from '../../../src/access/store/import.ts'
import type { InstrumentDetails, OptionSpace } from '../../../src/instruments/api/schema.ts'
import type { ExchangeRecord, InstrumentRecord } from '../../../src/instruments/import/schema.ts'
import { demoKey, demoReference } from '../../support/demo.ts'
import { readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { db, feed } = service.node.context
const { access_token: ada } = await obtainTokens(service.url)
const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })

const records = await demoReference(Temporal.PlainDate.from(demoLoadedAt.slice(0, 10)))
const instruments = records.filter((record) => record.kind === 'instrument') as unknown as InstrumentRecord[]
const instrumentCalled = (symbol: string): InstrumentRecord => {
  const found = instruments.find((record) => record.Symbol === symbol)
  assert.ok(found, `the demo has no ${symbol}`)
  return found
}

const read = <T>(path: string, token = ada): Promise<T> => readOk(getRest(service.baseUrl, path, token))

const errorOf = (path: string, token = ada) => readError(getRest(service.baseUrl, path, token))

/** A matching entity tag returns 304. */
async function assertTagged(path: string): Promise<void> {
  const etag = (await getRest(service.baseUrl, path, ada)).headers.get('etag') ?? ''
  const headers = { authorization: `Bearer ${ada}`, 'if-none-match': etag }
  const again = await fetch(`${service.baseUrl}${path}`, { headers })
  assert.deepEqual([again.status, await again.text()], [304, ''], path)
}

type Day = { Date: string; Name?: string; Time?: string }
type Holidays = { ExchangeId: string; Data: Day[]; EarlyCloses: Day[]; LateOpens: Day[] }

test('lists the named holidays of an exchange in order, all or those of a period', async () => {
  const nasdaq = records.find((record) => record.kind === 'exchange' && record.ExchangeId === 'NASDAQ')
  const { Holidays: all = [], EarlyCloses = [] } = nasdaq as unknown as ExchangeRecord
  const { Data, EarlyCloses: early, LateOpens: late, ...exchange } = await read<Holidays>('/x/v1/holidays/nasdaq')
  const zone = { TimeZone: 'America/New_York', TimeZoneId: '3' }
  assert.deepEqual(exchange, { ExchangeId: 'NASDAQ', Name: 'NASDAQ', Mic: 'XNAS', CountryCode: 'US', ...zone })
  const dates = Data.map(({ Date: day }) => day)
  assert.deepEqual(dates, dates.toSorted())
  assert.deepEqual([Data.length, early.length, late], [all.length, EarlyCloses.length, []])
  const autumn = await read<Holidays>('/x/v1/holidays/NASDAQ/?fromdate=2026-11-26&ToDate=2026-12-25')
  assert.deepEqual(autumn.Data, [
    { Date: '2026-11-26', Name: 'Thanksgiving Day' },
    { Date: '2026-12-25', Name: 'Christmas Day' },
  ])
  assert.deepEqual(
    autumn.EarlyCloses.map(({ Date: day, Time }) => [day, Time]),
    [
      ['2026-11-27', '13:00'],
      ['2026-12-24', '13:00'],
    ],
  )
  const { LateOpens } = await read<Holidays>('/x/v1/holidays/EUREX', bo)
  assert.ok(LateOpens.length > 0 && LateOpens.every(({ Time = '' }) => /^\d\d:\d\d$/.test(Time)))
  await assertTagged('/x/v1/holidays/NASDAQ?ToDate=2026-12-25')
  for (const id of ['XNAS', '%00'])
    assert.equal((await getRest(service.baseUrl, `/x/v1/holidays/${id}`, ada)).status, id === 'XNAS' ? 404 : 400)
  const bad = '/x/v1/holidays/NASDAQ?FromDate=2026-12-25&ToDate='
  assert.deepEqual(await errorOf(`${bad}2026-12-24`), [400, 'InvalidModelState', 'FromDate', 'ToDate'])
  assert.deepEqual(await errorOf(`${bad}2026-02-30`), [400, 'InvalidModelState', 'ToDate'])
})

test('lists the holidays of every exchange by id, in pages, for every caller', async () => {
  type Feed = { __count?: number; __next?: string; Data: Holidays[]; MaxRows: number }
  const period = 'FromDate=2026-11-26&ToDate=2026-12-25'
  const all = await read<Feed>(`/x/v1/holidays?${period}&$inlinecount=AllPages`, bo)
  const ids = records.flatMap((record) => (record.kind === 'exchange' ? [record.ExchangeId] : []))
  assert.deepEqual(
    all.Data.map(({ ExchangeId }) => ExchangeId),
    ids.toSorted(),
  )
  assert.deepEqual([all.__count, all.__next, all.MaxRows], [ids.length, undefined, 1000])
  const nasdaq = await read<Holidays>(`/x/v1/holidays/NASDAQ?${period}`)
  assert.deepEqual(
    all.Data.find(({ ExchangeId }) => ExchangeId === 'NASDAQ'),
    nasdaq,
  )
  const page = await read<Feed>(`/x/v1/holidays?${period}&$top=2&$skip=1`)
  assert.deepEqual([page.Data, page.__count], [all.Data.slice(1, 3), undefined])
  assert.ok(page.__next?.endsWith(`/x/v1/holidays?${period}&$top=2&$skip=3`), String(page.__next))
  await assertTagged(`/x/v1/holidays?${period}`)
  const bad = '/x/v1/holidays?FromDate=2026-12-25&ToDate=2026-12-24'
  assert.deepEqual(await errorOf(bad), [400, 'InvalidModelState', 'FromDate', 'ToDate'])
})

type Prices = { Data: { Uic: number; ReferencePrice: number; CurrencyCode: string }[] }

test('lists the reference prices of visible instruments with their currency', async () => {
  const [apple, shell, dax, bond] = ['AAPL:xnas', 'SHEL:xlon', 'DAX.I', 'UST-0.625-2030-05'].map(instrumentCalled)
  assert.ok(apple && shell && dax && bond)
  const contract = await aContract()
  const asked = [shell.Uic, apple.Uic, dax.Uic, bond.Uic, apple.Uic, contract, 0, -1, 9007199254740991]
  const path = `/x/v1/referenceprices?Uics=${asked}`
  const price = ({ Uic, ReferencePrice }: InstrumentRecord, CurrencyCode: string) => ({
    Uic,
    ReferencePrice,
    CurrencyCode,
  })
  const byUic = (...rows: ReturnType<typeof price>[]) => rows.sort((a, b) => a.Uic - b.Uic)
  const stocks = [price(apple, 'USD'), price(shell, 'GBX')]
  const { Data } = await read<Prices>(path)
  assert.deepEqual(Data, byUic(...stocks, price(dax, 'EUR'), price(bond, 'USD')))
  assert.deepEqual((await read<Prices>(path, bo)).Data, byUic(...stocks), 'bo sees stocks alone')
  assert.deepEqual((await read<Prices>(`/x/v1/referenceprices?Uics=${bond.Uic}`, bo)).Data, [])
  await assertTagged(path)
  const many = (count: number) => `/x/v1/referenceprices?Uics=${Array.from({ length: count }, (_, at) => at + 1)}`
  assert.ok(Array.isArray((await read<Prices>(many(200))).Data))
  for (const bad of [many(201), '/x/v1/referenceprices', '/x/v1/referenceprices?Uics=AAPL'])
    assert.deepEqual(await errorOf(bad), [400, 'InvalidModelState', 'Uics'])
  await db
    .updateTable('instrument')
    .set({ document: JSON.stringify({ ...apple, ReferencePrice: undefined }) })
    .where('uic', '=', apple.Uic)
    .execute()
  assert.deepEqual((await read<Prices>(`/x/v1/referenceprices?Uics=${apple.Uic}`)).Data, [], 'it has none any more')
})

async function aContract(): Promise<number> {
  const root = records.find((record) => record.kind === 'optionRoot' && record.Symbol === 'AAPL:xcbo')
  const id = (root as unknown as { OptionRootId: number }).OptionRootId
  const path = `/ref/v1/instruments/contractoptionspaces/${id}?OptionSpaceSegment=DefaultDates`
  const uic = (await read<OptionSpace>(path)).OptionSpace[0]?.SpecificOptions?.[0]?.Uic
  assert.ok(uic)
  return uic
}

type Account = {
  AccountId: string
  AccountKey: string
  Currency: string
  MayView: boolean
  MayTrade: boolean
  IsTradable: boolean
  NonTradableReason: string
  Reason: string
  Right?: object
}
type Tradability = {
  __next?: string
  Uic: number
  AssetType: string
  ExchangeId: string
  IsTradable: boolean
  NonTradableReason: string
  Accounts: Account[]
  MaxRows: number
}

const tradability = (uic: number, assetType: string, token = ada) =>
  read<Tradability>(`/x/v1/tradability/${uic}/${assetType}`, token)

test('explains tradability per account, in agreement with the details', async () => {
  const { Uic } = instrumentCalled('AAPL:xnas')
  const { Accounts, ...rest } = await tradability(Uic, 'stock')
  const decided = { IsTradable: true, NonTradableReason: 'None' }
  assert.deepEqual(rest, { Uic, AssetType: 'Stock', ExchangeId: 'NASDAQ', ...decided, MaxRows: 1_000 })
  const trading = {
    MayView: true,
    MayTrade: true,
    ...decided,
    Right: { Level: 'Trade', Of: 'Account' },
  }
  const account = (AccountId: string, Currency: string) => ({
    AccountId,
    AccountKey: demoKey(`account ${AccountId}`),
    Currency,
  })
  const reason = (id: string) => `Account ${id} may trade Stock on NASDAQ under a right of this account.`
  assert.deepEqual(Accounts, [
    { ...account('9226397', 'EUR'), ...trading, Reason: reason('9226397') },
    { ...account('9226398', 'USD'), ...trading, Reason: reason('9226398') },
    {
      ...account('9226400', 'GBP'),
      MayView: true,
      MayTrade: false,
      IsTradable: false,
      NonTradableReason: 'NotOnlineClientTradable',
      Reason:
        'Account 9226400 may only view Stock on NASDAQ, under a right of this account; trading requires a Trade right.',
      Right: { Level: 'View', Of: 'Account' },
    },
  ])
  const asBo = await tradability(Uic, 'Stock', bo)
  assert.deepEqual(asBo.Accounts[0]?.Right, { Level: 'Trade', Of: 'Client', AssetTypes: ['Stock'] })
  await assertTagged(`/x/v1/tradability/${Uic}/Stock`)
})

test('tradability agrees with the details of each account: expired, reduce-only, indices, contracts (operation 3)', async () => {
  const listed = async (assetType: string) =>
    (await read<{ Data: InstrumentDetails[] }>(`/ref/v1/instruments/details?$top=1000&AssetTypes=${assetType}`)).Data
  const found = (await Promise.all(['ContractFutures', 'FxSpot', 'Stock', 'StockIndex'].map(listed))).flat()
  const byReason = Map.groupBy(found, ({ NonTradableReason }) => NonTradableReason)
  const some = [...byReason.values()].flatMap((rows) => rows.slice(0, 3))
  assert.equal(byReason.size, 4)
  const asked = [...some, { Uic: await aContract(), AssetType: 'StockOption' }]
  for (const { Uic, AssetType } of asked) {
    const { Accounts, ...rest } = await tradability(Uic, AssetType)
    const path = `/ref/v1/instruments/details/${Uic}/${AssetType}`
    const whole = await read<InstrumentDetails>(path)
    assert.deepEqual([rest.IsTradable, rest.NonTradableReason], [whole.IsTradable, whole.NonTradableReason])
    for (const { AccountKey, AccountId, IsTradable, NonTradableReason, Reason } of Accounts) {
      const alone = await read<InstrumentDetails>(`${path}?AccountKey=${AccountKey}`)
      assert.deepEqual([IsTradable, NonTradableReason], [alone.IsTradable, alone.NonTradableReason], path)
      assert.match(Reason, new RegExp(`^Account ${AccountId} .*${AssetType} on ${whole.Exchange.ExchangeId}.*\\.$`))
    }
  }
})

test('sessions that ended in the last 24 hours are listed by exchange', async () => {
  type Earlier = { Data: { ExchangeId: string; Sessions: { EndTime: string; State: string }[] }[]; __next?: string }
  const { Data } = await read<Earlier>('/x/v1/earliersessions?$top=2')
  assert.deepEqual([Data.length, Data[1]?.ExchangeId, Data[1]?.Sessions.length], [2, 'ASX', 1])
  const { EndTime, State } = Data[1]?.Sessions[0] ?? assert.fail()
  assert.ok(EndTime <= service.clock.now().toString() && State === 'AutomatedTrading')
})

test('the rights of a user override those of the client; accounts are paged; errors are those of details', async () => {
  const [apple, bond] = [instrumentCalled('AAPL:xnas'), instrumentCalled('UST-0.625-2030-05')]
  const row = {
    client_key: demoKey('client ada'),
    user_key: demoKey('user ada'),
    account_key: demoKey('account 9226398'),
    asset_types: ['Stock'],
    exchange_ids: ['NASDAQ'],
    level: 'Trade' as const,
  }
  await db.insertInto('access_right').values(row).execute()
  await announceClients(db, [row.client_key])
  await feed.poll()
  const first = await read<Tradability>(`/x/v1/tradability/${apple.Uic}/Stock?$top=1`)
  assert.match(first.Accounts[0]?.Reason ?? '', /^Account 9226397 has no right to Stock on NASDAQ: only your own/)
  assert.deepEqual([first.Accounts[0]?.MayView, first.IsTradable], [false, true])
  assert.equal(first.__next, `${service.baseUrl}/x/v1/tradability/${apple.Uic}/Stock?$top=1&$skip=1`)
  const second = await read<Tradability>(first.__next.slice(service.baseUrl.length))
  const Right = { Level: 'Trade', Of: 'User', AssetTypes: ['Stock'], ExchangeIds: ['NASDAQ'] }
  assert.deepEqual([second.Accounts[0]?.AccountId, second.Accounts[0]?.Right], ['9226398', Right])
  const path = '/x/v1/tradability'
  for (const unseen of [`${bond.Uic}/Bond`, `${apple.Uic}/CfdOnStock`, '999999/Stock', '-1/Stock'])
    assert.deepEqual(await errorOf(`${path}/${unseen}`), [404, 'IllegalInstrumentId'], unseen)
  assert.deepEqual(await errorOf(`${path}/${apple.Uic}/Stonk`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf(`${path}/AAPL/Stock?$top=1001`), [400, 'InvalidModelState', 'Uic', '$top'])
})
