import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OptionSpace } from '../../../src/instruments/api/schema.ts'
import type { OptionRootRecord } from '../../../src/instruments/import/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoKey, demoReference } from '../../support/demo.ts'
import { type ErrorBody, readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
let { access_token: ada } = await obtainTokens(service.url)

type Entry = OptionSpace['OptionSpace'][number]

const today = demoLoadedAt.slice(0, 10)
const roots = new Map(
  (await demoReference(Temporal.PlainDate.from(today))).flatMap((record) =>
    record.kind === 'optionRoot' ? [[record.Symbol ?? '', record as OptionRootRecord]] : [],
  ),
)

/** By symbol, or by number. */
function pathOf(root: string, query = ''): string {
  return `/ref/v1/instruments/contractoptionspaces/${roots.get(root)?.OptionRootId ?? root}?${query}`
}

const get = (root: string, query = '') => getRest(service.baseUrl, pathOf(root, query), ada)
const space = (root: string, query = ''): Promise<OptionSpace> => readOk(get(root, query))

const errorOf = (root: string, query = '') => readError(get(root, query))

const day = (text: string): string => `${text}T00:00:00Z`
const opened = ({ OptionSpace }: OptionSpace): string[] =>
  OptionSpace.filter(({ SpecificOptions }) => SpecificOptions).map(({ Expiry }) => Expiry.slice(0, 10))
const optionsOf = (entries: readonly Entry[]) => entries.flatMap(({ SpecificOptions = [] }) => SpecificOptions)

function recordOf(root: string): OptionRootRecord {
  const record = roots.get(root)
  assert.ok(record, `the demo has no option root ${root}`)
  return record
}
const listed = (root: string) => recordOf(root).Series.filter(({ Expiry }) => Expiry >= today)

test('returns the fields of the root and its unexpired series, without options (operation 4)', async () => {
  const { Series, Rank: _, Hours: _2, ExchangeId, ...record } = recordOf('AAPL:xcbo')
  const { kind: _3, SupportedOrderTypeSettings: _4, ...fields } = record as typeof record & { kind: string }
  const answer = await space('AAPL:xcbo')
  const { OptionSpace, Exchange, IsTradable, NonTradableReason, TradableOn, ...root } = answer
  const flags = Object.entries(root).filter(([name, value]) => value === false && !(name in fields))
  const Format = { ...fields.Format, PriceCurrency: 'USD' }
  assert.deepEqual(root, { GroupId: 0, ...fields, Format, ...Object.fromEntries(flags) })
  assert.equal(Exchange.ExchangeId, ExchangeId)
  assert.deepEqual([IsTradable, NonTradableReason, TradableOn], [true, 'None', ['9226397', '9226398']])
  assert.ok(
    Series.some(({ Expiry }) => Expiry < today),
    'the demo has an expired series',
  )
  assert.deepEqual(
    OptionSpace.map(({ Expiry }) => Expiry),
    listed('AAPL:xcbo').map(({ Expiry }) => day(Expiry)),
  )
  assert.deepEqual(OptionSpace[0], {
    DisplayDaysToExpiry: 4,
    DisplayDaysToLastTradeDate: 4,
    DisplayExpiry: '2026-11-01T00:00:00Z',
    Expiry: '2026-11-20T00:00:00Z',
    LastTradeDate: '2026-11-20T21:00:00.000000Z',
    TickSizeScheme: { DefaultTickSize: 0.05, Elements: [{ HighPrice: 3, TickSize: 0.01 }] },
  })
  assert.deepEqual(await space('AAPL:xcbo', 'OptionSpaceSegment=none'), answer)
  assert.deepEqual(await space('AAPL:xcbo', 'OptionSpaceSegment='), answer)
})

test('days to the last trade are counted in the time zone of the exchange (operation 4)', async () => {
  const [first] = (await space('SPX:xcbo')).OptionSpace
  assert.deepEqual([first?.DisplayDaysToExpiry, first?.DisplayDaysToLastTradeDate], [4, 3])
  assert.equal(first?.LastTradeDate, '2026-11-19T21:15:00.000000Z')
})

test('DefaultDates selects the nearest expiry and the next two monthly ones (operation 4)', async () => {
  assert.deepEqual(opened(await space('AAPL:xcbo', 'OptionSpaceSegment=DefaultDates')), [
    '2026-11-20',
    '2026-12-18',
    '2027-01-15',
  ])
  const daily = opened(await space('SPY:xcbo', 'OptionSpaceSegment=DefaultDates'))
  assert.deepEqual(daily, ['2026-11-16', '2026-11-20', '2026-12-18'])
})

test('AllDates includes the options of every series, by strike, Call before Put (operation 4)', async () => {
  const answer = await space('TSLA:xcbo', 'OptionSpaceSegment=AllDates')
  const wanted = listed('TSLA:xcbo').map(({ Options }) =>
    Options.toSorted((a, b) => a.StrikePrice - b.StrikePrice || (a.PutCall < b.PutCall ? -1 : 1)),
  )
  assert.deepEqual(
    answer.OptionSpace.map(({ SpecificOptions }) => SpecificOptions),
    wanted,
  )
})

test('SpecificDates selects series by Expiry or DisplayExpiry (operation 4)', async () => {
  const specific = async (dates: string) =>
    opened(await space('AAPL:xcbo', `OptionSpaceSegment=SpecificDates&ExpiryDates=${dates}`))
  const inDecember = listed('AAPL:xcbo').flatMap(({ Expiry }) => (Expiry.startsWith('2026-12') ? [Expiry] : []))
  assert.ok(inDecember.length > 1)
  assert.deepEqual(await specific('2026-12-18'), ['2026-12-18'])
  assert.deepEqual(await specific('2026-12-18T00:00:00Z'), ['2026-12-18'])
  assert.deepEqual(await specific('2026-12-18T00:00:00.000000%2B09:00'), ['2026-12-18'])
  assert.deepEqual(await specific('2026-12-01'), inDecember)
  assert.deepEqual(await specific('2026-12-01T00:00:00Z'), inDecember)
  assert.deepEqual(await specific('2027-01-15,2026-12-18&expirydates=2026-11-20'), [
    '2026-11-20',
    '2026-12-18',
    '2027-01-15',
  ])
  assert.deepEqual(await specific('2026-11-13'), [], 'an expired series is not opened either')
  assert.deepEqual(await specific('2031-01-01'), [])
  for (const dates of ['', '&ExpiryDates=,'])
    assert.deepEqual(await errorOf('AAPL:xcbo', `OptionSpaceSegment=SpecificDates&ExpiryDates=${dates}`), [
      400,
      'ExpiryDatesMustBeSet',
    ])
  for (const dates of ['friday', '2026-02-30', '2026-12-18,x', '2026-12-18T25:00:00Z', '20261218'])
    assert.deepEqual(
      await errorOf('AAPL:xcbo', `OptionSpaceSegment=SpecificDates&ExpiryDates=${dates}`),
      [400, 'InvalidModelState', 'ExpiryDates'],
      dates,
    )
})

test('UnderlyingUic selects every option on that underlying (operation 4)', async () => {
  const root = [...roots.values()].find(({ AssetType }) => AssetType === 'FuturesOption')?.Symbol ?? ''
  const underlyings = [...new Set(listed(root).map(({ Options }) => Options[0]?.UnderlyingUic))]
  assert.ok(underlyings.length > 1)
  const segment = 'OptionSpaceSegment=UnderlyingUic'
  const answer = await space(root, `${segment}&UnderlyingUic=${underlyings[0]}`)
  const wanted = listed(root).flatMap(({ Options }) => Options.filter((each) => each.UnderlyingUic === underlyings[0]))
  assert.deepEqual(optionsOf(answer.OptionSpace), wanted)
  assert.equal(answer.OptionSpace.length, listed(root).length)
  assert.deepEqual(opened(await space(root, `${segment}&UnderlyingUic=1`)), [])
  assert.deepEqual(await errorOf(root, segment), [400, 'UnderlyingUICMustBeSet'])
  assert.deepEqual(await errorOf(root, `${segment}&UnderlyingUic=x`), [400, 'InvalidModelState', 'UnderlyingUic'])
  assert.deepEqual(await space(root, 'UnderlyingUic=1'), await space(root), 'without its segment it does nothing')
})

test('TradingStatus filters options; NotDefined selects all (operation 4)', async () => {
  const all = 'OptionSpaceSegment=AllDates'
  for (const status of ['Tradable', 'ReduceOnly', 'NonTradable']) {
    const { OptionSpace } = await space('TSLA:xcbo', `${all}&TradingStatus=${status.toUpperCase()}`)
    const wanted = listed('TSLA:xcbo').flatMap(({ Options }) => Options.filter((each) => each.TradingStatus === status))
    assert.ok(wanted.length > 0)
    assert.deepEqual(new Set(optionsOf(OptionSpace).map(({ Uic }) => Uic)), new Set(wanted.map(({ Uic }) => Uic)))
    assert.equal(OptionSpace.length, listed('TSLA:xcbo').length)
  }
  assert.deepEqual(await space('TSLA:xcbo', `${all}&TradingStatus=NotDefined`), await space('TSLA:xcbo', all))
  assert.deepEqual(opened(await space('AAPL:xcbo', `${all}&TradingStatus=ReduceOnly`)), [])
  for (const status of ['Open', '3'])
    assert.deepEqual(await errorOf('AAPL:xcbo', `TradingStatus=${status}`), [400, 'InvalidModelState', 'TradingStatus'])
})

test('CanParticipateInMultiLegOrder must agree with the root (operation 4)', async () => {
  const single = [...roots.values()].find((root) => root.CanParticipateInMultiLegOrder === false)?.Symbol ?? ''
  assert.deepEqual(await space('AAPL:xcbo', 'CanParticipateInMultiLegOrder=TRUE'), await space('AAPL:xcbo'))
  assert.deepEqual(await errorOf('AAPL:xcbo', 'CanParticipateInMultiLegOrder=false'), [404, 'NoResultFound'])
  assert.equal((await space(single, 'canparticipateinmultilegorder=false')).CanParticipateInMultiLegOrder, false)
  assert.deepEqual(await errorOf(single, 'CanParticipateInMultiLegOrder=true'), [404, 'NoResultFound'])
  for (const value of ['1', 'yes'])
    assert.deepEqual(await errorOf('AAPL:xcbo', `CanParticipateInMultiLegOrder=${value}`), [
      400,
      'InvalidModelState',
      'CanParticipateInMultiLegOrder',
    ])
})

test('ClientKey applies the rights of the caller’s client or one below it (operation 4)', async () => {
  const [own, below, foreign] = [demoKey('client ada'), demoKey('client bo'), demoKey('client cy')]
  assert.deepEqual(await space('AAPL:xcbo', `ClientKey=${own}`), await space('AAPL:xcbo'))
  assert.deepEqual(await errorOf('AAPL:xcbo', `ClientKey=${below}`), [404, 'NoResultFound'])
  const bodies = [foreign, demoKey('unknown client')].map(async (key) =>
    (await getRest(service.baseUrl, pathOf('AAPL:xcbo', `ClientKey=${key}`), ada)).json(),
  )
  const [theirs, unknown] = (await Promise.all(bodies)) as ErrorBody[]
  assert.deepEqual(theirs, unknown)
  assert.match(theirs?.Message ?? '', /ClientKey/)
  assert.deepEqual(await errorOf('AAPL:xcbo', 'ClientKey=x'), [400, 'InvalidModelState', 'ClientKey'])
})

test('an unknown root is not found; an invalid number or segment is rejected (operation 4)', async () => {
  for (const root of ['99999', '0', '-1', '4294967297']) assert.deepEqual(await errorOf(root), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf('AAPL'), [400, 'InvalidModelState', 'OptionRootId'])
  for (const segment of ['Everything', '2'])
    assert.deepEqual(await errorOf('AAPL:xcbo', `OptionSpaceSegment=${segment}`), [
      400,
      'InvalidModelState',
      'OptionSpaceSegment',
    ])
})

test('returns 304 if the entity tag matches; errors have no tag (operation 4)', async () => {
  const ask = async (query: string, etag?: string) =>
    fetch(`${service.baseUrl}${pathOf('AAPL:xcbo', query)}`, {
      headers: { authorization: `Bearer ${ada}`, ...(etag && { 'if-none-match': etag }) },
    })
  const first = await ask('OptionSpaceSegment=AllDates')
  const etag = first.headers.get('etag') ?? ''
  const again = await ask('OptionSpaceSegment=AllDates', etag)
  assert.deepEqual([again.status, await again.text()], [304, ''])
  for (const answer of [first, again]) {
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
  }
  assert.equal((await ask('OptionSpaceSegment=SpecificDates', etag)).status, 400)
  assert.equal((await ask('CanParticipateInMultiLegOrder=false', '*')).status, 404)
})

/** Moves the clock and signs in again, because old tokens have expired. */
async function moveTo(instant: string): Promise<void> {
  clock.advance(clock.now().until(Temporal.Instant.from(instant)).total('seconds'))
  ada = (await obtainTokens(service.url)).access_token
}

test('the day ends at midnight in the time zone of the exchange: days count down and expired series disappear (operation 4)', async () => {
  const firstOf = async () => {
    const [first] = (await space('AAPL:xcbo')).OptionSpace
    return [first?.Expiry.slice(0, 10), first?.DisplayDaysToExpiry, first?.DisplayDaysToLastTradeDate]
  }
  const etag = async () => (await getRest(service.baseUrl, pathOf('AAPL:xcbo'), ada)).headers.get('etag')
  await moveTo('2026-11-17T00:01:00Z')
  assert.deepEqual(await firstOf(), ['2026-11-20', 4, 4], 'the next day in London, still Monday in New York')
  await moveTo('2026-11-17T04:59:59Z')
  assert.deepEqual(await firstOf(), ['2026-11-20', 4, 4])
  const before = await etag()
  await moveTo('2026-11-17T05:00:00Z')
  assert.deepEqual(await firstOf(), ['2026-11-20', 3, 3])
  assert.notEqual(await etag(), before)
  await moveTo('2026-11-21T04:59:59Z')
  assert.deepEqual(await firstOf(), ['2026-11-20', 0, 0], 'listed through its last day')
  await moveTo('2026-11-21T05:00:00Z')
  const next = listed('AAPL:xcbo')[1]?.Expiry
  assert.deepEqual((await firstOf())[0], next)
  assert.deepEqual(opened(await space('AAPL:xcbo', 'OptionSpaceSegment=SpecificDates&ExpiryDates=2026-11-20')), [])
})
