import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { testServer } from '../../../test/support/http-server.ts'
import { FeedOf } from '../../http/output/feed.ts'
import {
  DetailsListQuery,
  DetailsQuery,
  FuturesSpaceParams,
  InstrumentParams,
  OptionSpaceParams,
  OptionSpaceQuery,
  SearchQuery,
} from './fields/parameters.ts'
import { FuturesSpace, InstrumentDetails, InstrumentSummary, OptionSpace, TradingSchedule } from './schema.ts'

const key = 'Cf4xZWiYL6W1nMKpygBLLA=='

/** The parsed query, or the names of its invalid fields. */
async function read(querystring: TSchema, query: string): Promise<unknown> {
  const { server } = testServer()
  server.get('/', { schema: { querystring } }, async (request) => request.query)
  const answer = (await server.inject(`/?${query}`)).json()
  return answer.ModelState ? Object.keys(answer.ModelState) : answer
}

/** A response body after serialization. */
async function sent(schema: TSchema, answer: object): Promise<unknown> {
  const { server } = testServer()
  server.get('/', { schema: { response: { 200: schema } } }, async () => answer as never)
  return (await server.inject('/')).json()
}

const page = { $top: 50, $skip: 0, $inlinecount: 'None' }

test('operations 1 and 2 have default parameters, 3 and 4 have none', async () => {
  assert.deepEqual(await read(SearchQuery, ''), { ...page, IncludeNonTradable: false })
  assert.deepEqual(await read(DetailsListQuery, ''), page)
  assert.deepEqual(await read(DetailsQuery, ''), {})
  assert.deepEqual(await read(OptionSpaceQuery, ''), {})
})

test('search accepts every parameter, with names and enum values in any case (§6.1)', async () => {
  const changes = ['Week', 'Month', 'Year'].flatMap((period) =>
    ['From', 'To'].map((side) => [`One${period}TotalValueChanges${side}`, side === 'From' ? -1.5 : 2]),
  )
  const query = `$TOP=3&$skip=1&exchangeid=nyse&keywords=two%20words&includenontradable=TRUE&class=noncomplex
    &canparticipateinmultilegorder=false&uics=1,2&assettypes=stock,FXSPOT&tags=Etf&accountkey=${key}
    &${changes.map((pair) => pair.join('=')).join('&')}`
  assert.deepEqual(await read(SearchQuery, query.replaceAll(/\s+/g, '')), {
    ...page,
    $top: 3,
    $skip: 1,
    AccountKey: key,
    AssetTypes: ['Stock', 'FxSpot'],
    CanParticipateInMultiLegOrder: false,
    Class: ['NonComplex'],
    ExchangeId: 'nyse',
    IncludeNonTradable: true,
    Keywords: 'two words',
    ...Object.fromEntries(changes),
    Tags: ['Etf'],
    Uics: [1, 2],
  })
})

test('search reports all invalid parameters at once', async () => {
  const query =
    '$top=1001&AccountKey=x&AssetTypes=Stonk&Class=Simple&IncludeNonTradable=1&OneYearTotalValueChangesTo=x&Uics=a'
  const fields = [
    '$top',
    'AccountKey',
    'AssetTypes',
    'Class',
    'IncludeNonTradable',
    'OneYearTotalValueChangesTo',
    'Uics',
  ]
  assert.deepEqual(await read(SearchQuery, query), fields)
  const uics = Array.from({ length: 1_001 }, (_, index) => index)
  assert.deepEqual(await read(SearchQuery, `Uics=${uics}`), ['Uics'])
})

test('an option space accepts its parameters and rejects an unknown segment or status', async () => {
  const query = `ClientKey=${key}&OptionSpaceSegment=specificdates&ExpiryDates=2026-12-18,2027-01-15T00:00:00Z
    &UnderlyingUic=211&CanParticipateInMultiLegOrder=true&TradingStatus=notdefined`
  assert.deepEqual(await read(OptionSpaceQuery, query.replaceAll(/\s+/g, '')), {
    CanParticipateInMultiLegOrder: true,
    ClientKey: key,
    ExpiryDates: ['2026-12-18', '2027-01-15'],
    OptionSpaceSegment: 'SpecificDates',
    TradingStatus: 'NotDefined',
    UnderlyingUic: 211,
  })
  assert.deepEqual(await read(OptionSpaceQuery, 'OptionSpaceSegment=Some&TradingStatus=2'), [
    'OptionSpaceSegment',
    'TradingStatus',
  ])
})

test('a path accepts any text as AssetType, which has an error of its own, but only a number as Uic', async () => {
  const { server } = testServer()
  server.get('/:Uic/:AssetType', { schema: { params: InstrumentParams } }, async ({ params }) => params)
  assert.deepEqual((await server.inject('/211/stonk')).json(), { Uic: 211, AssetType: 'stonk' })
  assert.deepEqual(Object.keys((await server.inject('/x/Stock')).json().ModelState), ['Uic'])
})

const summary = {
  AssetType: 'Stock',
  CurrencyCode: 'USD',
  Description: 'Apple Inc.',
  ExchangeCountry: 'US',
  ExchangeName: 'NASDAQ',
  ExchangeId: 'NASDAQ',
  GroupId: 0,
  Identifier: 211,
  SummaryType: 'Instrument',
  Symbol: 'AAPL:xnas',
}
const Exchange = { CountryCode: 'US', ExchangeId: 'NASDAQ', Name: 'NASDAQ' }
const schedule = {
  Sessions: [{ StartTime: '2026-12-18T14:30:00.000000Z', EndTime: '2026-12-18T21:00:00.000000Z', State: 'Closed' }],
  TimeZone: 3,
  TimeZoneAbbreviation: 'EST',
  TimeZoneOffset: '-05:00:00',
}
const option = { PutCall: 'Call', StrikePrice: 1.5, TradingStatus: 'Tradable', Uic: 100_000, UnderlyingUic: 211 }
const details = {
  AssetType: 'Stock',
  Exchange,
  IsTradable: false,
  NonTradableReason: 'OtherReason',
  TradableOn: [],
  Uic: 211,
}

test('a response contains only fields that its schema names', async () => {
  const more = { secret: 1, Isin: 'US0378331005' }
  assert.deepEqual(await sent(FeedOf(InstrumentSummary), { Data: [{ ...summary, ...more }], ...more }), {
    Data: [summary],
  })
  const whole = {
    ...details,
    TradingSessions: schedule,
    TickSize: 0.01,
    PutCall: 'Put',
    StrikePrice: 5,
    OptionRootId: 1,
  }
  assert.deepEqual(await sent(InstrumentDetails, { ...whole, ...more }), whole)
  assert.deepEqual(await sent(FeedOf(InstrumentDetails), { __count: 1, Data: [details], MaxRows: 1_000 }), {
    __count: 1,
    Data: [details],
    MaxRows: 1_000,
  })
  assert.deepEqual(await sent(TradingSchedule, { ...schedule, ...more }), schedule)
  const futures = {
    BaseIdentifier: 'ES',
    Elements: [{ DaysToExpiry: 1, ExpiryDate: '2026-12-18', Symbol: 'ESZ6', Uic: 5100 }],
  }
  assert.deepEqual(await sent(FuturesSpace, { ...futures, ...more }), futures)
})

test('an option space contains details and series, without field groups', async () => {
  const series = {
    DisplayDaysToExpiry: 3,
    DisplayExpiry: '2026-12-01',
    Expiry: '2026-12-18',
    SpecificOptions: [option],
  }
  const root = {
    OptionRootId: 1,
    AssetType: 'StockOption',
    Symbol: 'AAPL:xcbf',
    Exchange,
    IsTradable: true,
    OptionSpace: [series],
    TradableOn: ['100'],
    TradingStatus: 'Tradable',
    NonTradableReason: 'None',
  }
  const beyond = { OrderSetting: {}, Unknown: 'x' }
  assert.deepEqual(await sent(OptionSpace, { ...root, ...beyond }), root)
})

test('a response that lacks a required field is an internal error', async () => {
  const { Exchange: _, ...without } = details
  assert.equal(((await sent(InstrumentDetails, without)) as { ErrorCode: string }).ErrorCode, 'InternalError')
})

test('every parameter and field has a description', () => {
  const described = (schema: TSchema): [string, unknown][] =>
    Object.entries((schema as unknown as { properties: Record<string, { description?: string }> }).properties).map(
      ([name, member]) => [name, member.description],
    )
  const schemas = [SearchQuery, DetailsListQuery, DetailsQuery, OptionSpaceQuery, InstrumentDetails, TradingSchedule]
  const params = [InstrumentParams, OptionSpaceParams, FuturesSpaceParams]
  const undescribed = [...schemas, ...params].flatMap(described).filter(([, text]) => text === undefined)
  assert.deepEqual(
    undescribed.filter(([name]) => name !== '$inlinecount'),
    [],
  )
})
