import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FixedClock } from '../support/clock.ts'
import { demoKey } from '../support/demo.ts'
import { importTexts } from '../support/service/import.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { url, baseUrl } = service
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

type Session = { StartTime: string; EndTime: string; State: string }
type Exchange = {
  ExchangeId: string
  AllDay: boolean
  Currency: string
  TimeZone: number
  TimeZoneId: string
  ExchangeSessions: Session[]
}
type Pairs = { CurrencyCode: string; RelatedCurrencies: { CurrencyCode: string; Uic: number }[] }
type Feed<Row = Record<string, unknown>> = { __count?: number; __next?: string; Data: Row[] }

async function read<Answer>(path: string, token = ada): Promise<Answer> {
  const response = await getRest(baseUrl, path, token)
  assert.equal(response.status, 200, path)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  return (await response.json()) as Answer
}
const rowsOf = async (list: string) => (await read<Feed>(`/ref/v1/${list}`)).Data
const pairsOf = async (code: string) =>
  (await read<Feed<Pairs>>('/ref/v1/currencypairs')).Data.find(({ CurrencyCode }) => CurrencyCode === code)
const statusOf = async (path: string, token: string) => (await getRest(baseUrl, path, token)).status

test('an exchange has its current and next sessions, as in the schedule of its index', async () => {
  const nasdaq = await read<Exchange>('/ref/v1/exchanges/nasdaq')
  assert.deepEqual(nasdaq, {
    AllDay: false,
    CountryCode: 'US',
    Currency: 'USD',
    ExchangeId: 'NASDAQ',
    ExchangeSessions: [
      { StartTime: '2026-11-13T21:00:00.000000Z', EndTime: '2026-11-16T14:30:00.000000Z', State: 'Closed' },
      { StartTime: '2026-11-16T14:30:00.000000Z', EndTime: '2026-11-16T21:00:00.000000Z', State: 'AutomatedTrading' },
      { StartTime: '2026-11-16T21:00:00.000000Z', EndTime: '2026-11-17T14:30:00.000000Z', State: 'Closed' },
    ],
    Mic: 'XNAS',
    Name: 'NASDAQ',
    PriceSourceName: 'NASDAQ',
    TimeZone: 3,
    TimeZoneAbbreviation: 'EST',
    TimeZoneId: '3',
    TimeZoneOffset: '-05:00:00',
  })
  const { Sessions, ...zone } = await read<{ Sessions: Session[] }>(
    '/ref/v1/instruments/tradingschedule/4301/StockIndex',
  )
  assert.deepEqual(nasdaq.ExchangeSessions, Sessions.slice(0, 3))
  assert.partialDeepStrictEqual(nasdaq, zone)
})

test('lists the exchanges at which the caller can see instruments, in pages', async () => {
  const all = await read<Feed<Exchange>>('/ref/v1/exchanges')
  const ids = all.Data.map(({ ExchangeId }) => ExchangeId)
  assert.deepEqual(Object.keys(all), ['__count', 'MaxRows', 'Data'])
  assert.deepEqual([all.__count, ids.length], [29, 29])
  assert.deepEqual(
    all.Data.filter(({ AllDay }) => AllDay).map(({ ExchangeId }) => ExchangeId),
    ['CRYPTO'],
  )
  const first = await read<Feed<Exchange>>('/ref/v1/exchanges?$top=20')
  assert.equal(first.__next, `${baseUrl}/ref/v1/exchanges?$top=20&$skip=20`)
  const second = await read<Feed<Exchange>>(first.__next.slice(baseUrl.length))
  assert.deepEqual(second, { __count: 29, MaxRows: 1000, Data: all.Data.slice(20) })
  assert.deepEqual(await read('/ref/v1/exchanges?$top=0'), { __count: 29, MaxRows: 1000, Data: [] })

  const bos = await read<Feed<Exchange>>('/ref/v1/exchanges', bo)
  assert.equal(bos.__count, bos.Data.length)
  const hidden = ids.filter((id) => !bos.Data.some(({ ExchangeId }) => ExchangeId === id))
  assert.ok(hidden.includes('FX') && hidden.includes('CME') && !hidden.includes('NASDAQ'), String(hidden))
  assert.equal(await statusOf('/ref/v1/exchanges/LSE', bo), 200)
  const rejected = await getRest(baseUrl, '/ref/v1/exchanges/fx', bo)
  assert.deepEqual(
    [rejected.status, ((await rejected.json()) as { ErrorCode: string }).ErrorCode],
    [404, 'NoResultFound'],
  )
})

test('currency pairs refer to their instruments, each once; a caller without access gets an empty list', async () => {
  const { Data } = await read<Feed<Pairs>>('/ref/v1/currencypairs')
  const pairs = Data.flatMap((row) => row.RelatedCurrencies.map((related) => ({ from: row.CurrencyCode, ...related })))
  const found = await read<Feed<{ Identifier: number; Symbol: string }>>(
    '/ref/v1/instruments?AssetTypes=FxSpot&IncludeNonTradable=true&$top=1000',
  )
  const named = new Map(found.Data.map((row) => [row.Identifier, row.Symbol]))
  assert.equal(pairs.length, named.size)
  for (const { from, CurrencyCode, Uic } of pairs) assert.equal(named.get(Uic), `${from}${CurrencyCode}`)
  const codes = new Set((await rowsOf('currencies')).map(({ CurrencyCode }) => CurrencyCode))
  for (const { from, CurrencyCode } of pairs) assert.ok(codes.has(from) && codes.has(CurrencyCode), from + CurrencyCode)
  assert.deepEqual(await read('/ref/v1/currencypairs', bo), { __count: 0, Data: [], MaxRows: 1000 })
  const asBo = `/ref/v1/currencypairs?ClientKey=${encodeURIComponent(demoKey('client bo'))}`
  assert.deepEqual(await read(asBo), { __count: 0, Data: [], MaxRows: 1000 })
  assert.equal(await statusOf(`/ref/v1/currencypairs?ClientKey=${encodeURIComponent(demoKey('client ada'))}`, bo), 404)
})

test('some lists are the same for every caller', async () => {
  const expected: Record<string, object[]> = {
    countries: [
      { A3: 'AFG', CountryCode: 'AF', DisplayName: 'Afghanistan', Name: 'Afghanistan', Numeric: 4 },
      { A3: 'DNK', CountryCode: 'DK', DisplayName: 'Denmark', Name: 'Denmark', Numeric: 208 },
    ],
    currencies: [
      { CurrencyCode: 'USD', Decimals: 2, Name: 'US Dollar', Symbol: '$' },
      { CurrencyCode: 'JPY', Decimals: 0, Name: 'Japanese Yen', Symbol: '¥' },
      { CurrencyCode: 'KWD', Decimals: 3, Name: 'Kuwaiti Dinar', Symbol: 'KWD' },
    ],
    languages: [
      { LanguageCode: 'da', LanguageName: 'Danish', NativeName: 'Dansk' },
      { LanguageCode: 'el', LanguageName: 'Greek', NativeName: 'Ελληνικά' },
    ],
    cultures: [{ CultureCode: 'en-GB', Name: 'English (United Kingdom)' }],
    timezones: [
      {
        DisplayName: 'Europe/London (GMT, BST)',
        TimeZoneAbbreviation: 'GMT',
        TimeZoneId: '1',
        TimeZoneOffset: '00:00:00',
        ZoneName: 'Europe/London',
      },
    ],
  }
  for (const [list, samples] of Object.entries(expected)) {
    const response = await getRest(baseUrl, `/ref/v1/${list}`, ada)
    const body = await response.text()
    const { Data, ...rest } = JSON.parse(body) as Feed
    assert.deepEqual(rest, { __count: Data.length, MaxRows: 1000 }, list)
    for (const sample of samples)
      assert.ok(
        Data.some((row) => JSON.stringify(row) === JSON.stringify(sample)),
        JSON.stringify(sample),
      )
    assert.equal(await (await getRest(baseUrl, `/ref/v1/${list}`, bo)).text(), body)
    assert.equal(response.headers.get('cache-control'), 'private, no-cache')
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': response.headers.get('etag') ?? '' }
    assert.equal((await fetch(`${baseUrl}/ref/v1/${list}`, { headers })).status, 304)
    assert.equal((await fetch(`${baseUrl}/ref/v1/${list}`)).status, 401)
  }
})

test('the lists contain what users and exchanges refer to, also a time zone under another spelling', async () => {
  const me = await read<{ Culture: string; Language: string; TimeZoneId: number }>('/port/v1/users/me')
  assert.ok((await rowsOf('cultures')).some(({ CultureCode }) => CultureCode === me.Culture))
  assert.ok((await rowsOf('languages')).some(({ LanguageCode }) => LanguageCode === me.Language))
  const exchange = { kind: 'exchange', ExchangeId: 'Z', Name: 'Z', CountryCode: 'US', TimeZone: 'US/Alaska', Hours: [] }
  const traded = { Symbol: 'ZEDUSD', Description: 'Zed', CurrencyCode: 'USD', ExchangeId: 'Z' }
  const change = async (...records: object[]) => {
    const before = service.node.catalogue.current().revision
    const { errors } = await importTexts(service.database.connection, {
      'z.ndjson': records.map((record) => JSON.stringify(record)).join('\n'),
    })
    assert.deepEqual(errors, [])
    await service.node.catalogue.reached(before + 1)
  }
  await change(exchange, { kind: 'instrument', Uic: 90_000_001, ...traded, As: [{ AssetType: 'FxSpot' }] })
  assert.deepEqual((await pairsOf('ZED'))?.RelatedCurrencies, [{ CurrencyCode: 'USD', Uic: 90_000_001 }])

  const { Data } = await read<Feed<Exchange>>('/ref/v1/exchanges')
  assert.equal(Data.length, 30)
  const zones = new Set((await rowsOf('timezones')).map(({ TimeZoneId }) => TimeZoneId))
  const currencies = new Set((await rowsOf('currencies')).map(({ CurrencyCode }) => CurrencyCode))
  const countries = new Set((await rowsOf('countries')).map(({ CountryCode }) => CountryCode))
  for (const { ExchangeId, TimeZone, TimeZoneId, Currency, ...row } of Data) {
    assert.ok(zones.has(TimeZoneId), ExchangeId)
    assert.equal(TimeZoneId, String(TimeZone))
    assert.ok(ExchangeId === 'Z' ? Currency === undefined : currencies.has(Currency), ExchangeId)
    const { CountryCode } = row as unknown as { CountryCode: string }
    assert.ok(countries.has(CountryCode), ExchangeId)
  }
  assert.ok(zones.has(String(me.TimeZoneId)))

  const crypto = await read<Feed<{ Identifier: number }>>('/ref/v1/instruments?ExchangeId=CRYPTO&$top=1000')
  const [euro] = (await pairsOf('EUR'))?.RelatedCurrencies ?? []
  const gone = [90_000_001, euro?.Uic, ...crypto.Data.map(({ Identifier }) => Identifier)]
  await change(...gone.map((Uic) => ({ kind: 'instrument', Uic, delete: true })))
  for (const id of ['Z', 'CRYPTO']) assert.equal(await statusOf(`/ref/v1/exchanges/${id}`, ada), 404, id)
  assert.equal(await pairsOf('ZED'), undefined)
  assert.ok(!(await pairsOf('EUR'))?.RelatedCurrencies.some(({ Uic }) => Uic === euro?.Uic))
})

test('an exchange that opens shows it immediately', async () => {
  const first = async () => {
    // Earlier tokens have expired.
    const { access_token } = await obtainTokens(url)
    const { Data } = await read<Feed<Exchange>>('/ref/v1/exchanges', access_token)
    const nasdaq = await read<Exchange>('/ref/v1/exchanges/NASDAQ', access_token)
    assert.deepEqual(
      Data.find(({ ExchangeId }) => ExchangeId === 'NASDAQ'),
      nasdaq,
    )
    return nasdaq.ExchangeSessions[0]
  }
  const opening = '2026-11-16T14:30:00.000000Z'
  assert.partialDeepStrictEqual(await first(), { EndTime: opening, State: 'Closed' })
  const clock = service.clock as FixedClock
  clock.advance(clock.now().until(Temporal.Instant.from(opening)).total('seconds'))
  assert.partialDeepStrictEqual(await first(), { StartTime: opening, State: 'AutomatedTrading' })
})

test('time zones have the offset of the service clock', async () => {
  const clock = service.clock as FixedClock
  clock.advance(clock.now().until(Temporal.Instant.from('2027-03-14T07:00:00Z')).total('seconds'))
  const { Data } = await read<Feed>('/ref/v1/timezones', (await obtainTokens(url)).access_token)
  const newYork = Data.find(({ TimeZoneId }) => TimeZoneId === '3')
  assert.deepEqual([newYork?.TimeZoneAbbreviation, newYork?.TimeZoneOffset], ['EDT', '-04:00:00'])
})
