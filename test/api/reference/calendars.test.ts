import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  Exchange,
  ExchangeHolidays,
  InstrumentDetails,
  OptionSpace,
  TradingSchedule,
} from '../../../src/instruments/api/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { findUic, readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
let { access_token: ada } = await obtainTokens(service.url)

const get = (path: string) => getRest(service.baseUrl, path, ada)
const read = <T>(path: string): Promise<T> => readOk(get(path))
const ofInstruments = (path: string) => get(`/ref/v1/instruments${path}`)
const uicOf = (symbol: string, assetType: string) => findUic(ofInstruments, symbol, assetType)

/** Moves the clock and signs in again, because old tokens have expired. */
async function moveTo(instant: string): Promise<void> {
  clock.advance(clock.now().until(Temporal.Instant.from(instant)).total('seconds'))
  ada = (await obtainTokens(service.url)).access_token
}

const details = async (symbol: string, assetType: string): Promise<InstrumentDetails> =>
  read(`/ref/v1/instruments/details/${await uicOf(symbol, assetType)}/${assetType}`)

/** The current session, as `AutomatedTrading until 2026-11-27T18:15`. */
async function sessionOf(uic: number, assetType: string): Promise<string> {
  const { Sessions } = await read<TradingSchedule>(`/ref/v1/instruments/tradingschedule/${uic}/${assetType}`)
  return `${Sessions[0]?.State} until ${Sessions[0]?.EndTime.slice(0, 16)}`
}

const grains = ['ZC:xcbt', 'ZW:xcbt', 'ZS:xcbt']
const futures = new Map<string, number>()
for (const symbol of [...grains, 'ES:xcme', '6E:xcme', 'ZN:xcbt', 'YM:xcbt', 'CL:xnym', 'GC:xcec'])
  futures.set(symbol, await uicOf(symbol, 'ContractFutures'))
const futureSession = (symbol: string) => sessionOf(futures.get(symbol) ?? 0, 'ContractFutures')

const valueDates = async (symbol: string) => {
  const { FxForwardMinForwardDate, FxForwardMaxForwardDate } = await details(symbol, 'FxForwards')
  return [FxForwardMinForwardDate, FxForwardMaxForwardDate]
}

const contractOf = async (symbol: string, assetType: string, expiry: string) => {
  const root = await uicOf(symbol, assetType)
  const query = `OptionSpaceSegment=SpecificDates&ExpiryDates=${expiry}`
  const { OptionSpace: all } = await read<OptionSpace>(`/ref/v1/instruments/contractoptionspaces/${root}?${query}`)
  const series = all.find(({ SpecificOptions }) => SpecificOptions)
  return { LastTradeDate: series?.LastTradeDate?.slice(0, 16), uic: series?.SpecificOptions?.[0]?.Uic ?? 0 }
}

test('gets the regular hours of an exchange for a week', async () => {
  const { Sessions, TimeZone } = await read<TradingSchedule>('/x/v1/tradingschedule/tyo')
  assert.equal(TimeZone, 401)
  assert.ok(Sessions.some(({ State }) => State === 'Break'))
  for (const [index, { StartTime }] of Sessions.entries())
    if (index > 0) assert.equal(StartTime, Sessions[index - 1]?.EndTime)
  const { ExchangeSessions } = await read<Exchange>('/ref/v1/exchanges/TYO')
  assert.deepEqual(Sessions.slice(0, ExchangeSessions.length), ExchangeSessions)
  assert.ok(Sessions.length > ExchangeSessions.length)
  assert.deepEqual(await readError(get('/x/v1/tradingschedule/XTKS')), [404, 'NoResultFound'])
  assert.equal((await get('/x/v1/tradingschedule/%00')).status, 400)
})

test('value dates follow the day, the holidays of both currencies and time travel', async () => {
  assert.deepEqual(await valueDates('EURUSD'), ['2026-11-18', '2027-11-18'])
  assert.deepEqual(await valueDates('USDCAD'), ['2026-11-17', '2027-11-17'])

  // Two days later.
  await moveTo('2026-11-18T12:00:00Z')
  assert.deepEqual(await valueDates('EURUSD'), ['2026-11-20', '2027-11-22'])
  // 23 November is a holiday in Japan.
  await moveTo('2026-11-20T12:00:00Z')
  assert.deepEqual([(await valueDates('EURUSD'))[0], (await valueDates('USDJPY'))[0]], ['2026-11-24', '2026-11-25'])
  // Nothing settles on Thanksgiving, but it does not delay the count.
  await moveTo('2026-11-24T12:00:00Z')
  assert.deepEqual([(await valueDates('EURUSD'))[0], (await valueDates('EURGBP'))[0]], ['2026-11-27', '2026-11-27'])
  await moveTo('2026-11-25T12:00:00Z')
  assert.deepEqual([(await valueDates('EURUSD'))[0], (await valueDates('USDCAD'))[0]], ['2026-11-27', '2026-11-27'])
})

test('the tag of details changes with the value dates', async () => {
  const path = `/ref/v1/instruments/details/${await uicOf('EURUSD', 'FxSpot')}/FxSpot`
  const etag = (await get(path)).headers.get('etag')
  await moveTo('2026-11-26T12:00:00Z')
  const later = await get(path)
  assert.notEqual(later.headers.get('etag'), etag)
  assert.equal(((await later.json()) as InstrumentDetails).FxForwardMinForwardDate, '2026-11-30')
})

test('on Thanksgiving grains are closed until Friday morning, and other groups close at their own times', async () => {
  for (const symbol of grains) assert.equal(await futureSession(symbol), 'Closed until 2026-11-27T14:30', symbol)
  const open = 'AutomatedTrading until 2026-11-26T'
  assert.equal(await futureSession('ES:xcme'), `${open}18:00`)
  assert.equal(await futureSession('YM:xcbt'), `${open}18:00`)
  assert.equal(await futureSession('ZN:xcbt'), `${open}18:00`)
  assert.equal(await futureSession('6E:xcme'), `${open}22:00`)
  assert.equal(await futureSession('CL:xnym'), `${open}19:30`)
  assert.equal(await futureSession('GC:xcec'), `${open}19:30`)
  const option = await contractOf('OZC:xcbt', 'FuturesOption', '2026-12-24')
  assert.equal(await sessionOf(option.uic, 'FuturesOption'), 'Closed until 2026-11-27T14:30')
})

test('index options close at 18:15 UTC on half days, and last trade times follow', async () => {
  await moveTo('2026-11-27T15:00:00Z')
  const expiring = [
    ['SPXW:xcbo', 'StockIndexOption', '18:00', '18:15'],
    ['SPY:xcbo', 'StockOption', '18:15', '18:15'],
    ['AAPL:xcbo', 'StockOption', '18:00', '18:00'],
  ] as const
  for (const [symbol, assetType, last, close] of expiring) {
    const { LastTradeDate, uic } = await contractOf(symbol, assetType, '2026-11-27')
    assert.equal(LastTradeDate, `2026-11-27T${last}`, symbol)
    assert.equal(await sessionOf(uic, assetType), `AutomatedTrading until 2026-11-27T${close}`, symbol)
  }
  for (const symbol of grains) assert.equal(await futureSession(symbol), 'AutomatedTrading until 2026-11-27T18:05')
  await moveTo('2026-12-24T15:00:00Z')
  const { uic } = await contractOf('SPX:xcbo', 'StockIndexOption', '2027-01-15')
  assert.equal(await sessionOf(uic, 'StockIndexOption'), 'AutomatedTrading until 2026-12-24T18:15')
})

test('grains are closed on every full holiday of the year, and financial futures trade on most', async () => {
  const holidays = ['2027-01-18', '2027-02-15', '2027-05-31', '2027-06-18', '2027-07-05', '2027-09-06']
  for (const day of ['2027-01-01', '2027-03-26', ...holidays].sort()) {
    await moveTo(`${day}T15:00:00Z`)
    for (const symbol of grains) assert.match(await futureSession(symbol), /^Closed/, `${symbol} ${day}`)
    const isTrading = holidays.includes(day)
    assert.match(await futureSession('ES:xcme'), isTrading ? /^AutomatedTrading/ : /^Closed/, day)
  }
  // After a holiday on a Monday they open the same evening.
  assert.equal(await futureSession('ZC:xcbt'), 'Closed until 2027-09-07T00:00')
})

test('an instrument has the holidays of its calendar, in a period if asked', async () => {
  const path = `/x/v1/holidays/instruments/${futures.get('ZC:xcbt')}/contractfutures`
  const found = await read<ExchangeHolidays>(`${path}?FromDate=2026-11-20&ToDate=2026-11-30`)
  assert.deepEqual(found, {
    ExchangeId: 'CBOT',
    Name: 'Chicago Board of Trade',
    Mic: 'XCBT',
    CountryCode: 'US',
    TimeZone: 'America/Chicago',
    TimeZoneId: '5',
    Data: [{ Date: '2026-11-26', Name: 'Thanksgiving Day' }],
    EarlyCloses: [{ Date: '2026-11-27', Name: 'Day after Thanksgiving', Time: '12:05' }],
    LateOpens: [{ Date: '2026-11-27', Name: 'Day after Thanksgiving', Time: '08:30' }],
  })
  const { Data } = await read<ExchangeHolidays>('/x/v1/holidays/CBOT?FromDate=2026-11-20&ToDate=2026-11-30')
  assert.deepEqual(Data, [])
  const wrong = [`${path}?FromDate=2026-12-01&ToDate=2026-11-01`, '/x/v1/holidays/instruments/999999/Stock']
  assert.deepEqual(
    await Promise.all(
      [...wrong, '/x/v1/holidays/instruments/1/Stonk'].map(async (one) => (await readError(get(one))).slice(0, 2)),
    ),
    [
      [400, 'InvalidModelState'],
      [404, 'IllegalInstrumentId'],
      [400, 'InvalidAssetType'],
    ],
  )
})

test('a contract for difference on an index has the exchange of the index', async () => {
  const list = '/ref/v1/instruments/details?AssetTypes=CfdOnIndex&$top=100'
  const { Data } = await read<{ Data: InstrumentDetails[] }>(list)
  assert.equal(Data.length, 19)
  for (const { Symbol: symbol, Exchange: own, UnderlyingUic } of Data) {
    const index = await read<InstrumentDetails>(`/ref/v1/instruments/details/${UnderlyingUic}/StockIndex`)
    assert.equal(own.ExchangeId, index.Exchange.ExchangeId, symbol ?? '')
  }
  // They trade as long as the futures on the index.
  await moveTo('2027-09-07T12:00:00Z')
  assert.equal(
    await sessionOf(await uicOf('US500.I', 'CfdOnIndex'), 'CfdOnIndex'),
    'AutomatedTrading until 2027-09-07T21:00',
  )
})

test('every exchange has a market identifier code, a country and a time zone', async () => {
  const { Data } = await read<{ Data: Exchange[] }>('/ref/v1/exchanges')
  assert.equal(Data.length, 29)
  const countries = await read<{ Data: { CountryCode: string }[] }>('/ref/v1/countries')
  const known = new Set(countries.Data.map(({ CountryCode }) => CountryCode))
  for (const { ExchangeId, Mic, CountryCode } of Data) {
    assert.match(Mic ?? '', /^[A-Z]{4}$/, ExchangeId)
    assert.ok(known.has(CountryCode), ExchangeId)
  }
  const of = (id: string) => Data.find(({ ExchangeId }) => ExchangeId === id)
  assert.deepEqual(
    ['FX', 'CRYPTO', 'BONDS', 'FUNDS'].map((id) => [of(id)?.Mic, of(id)?.CountryCode, of(id)?.TimeZoneAbbreviation]),
    [
      ['FXAL', 'US', 'EDT'],
      ['ZODM', 'GB', 'BST'],
      ['TREU', 'GB', 'BST'],
      ['XLUX', 'LU', 'CEST'],
    ],
  )
})
