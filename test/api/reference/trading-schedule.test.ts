import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OptionSpace, TradingSchedule } from '../../../src/instruments/api/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { type ErrorBody, findUic, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
let { access_token: ada } = await obtainTokens(service.url)

const get = (path: string) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada)

const read = <T>(path: string): Promise<T> => readOk(get(path))

const identifierOf = (symbol: string, assetType: string) => findUic(get, symbol, assetType)

const pathOf = async (symbol: string, assetType: string) =>
  `/tradingschedule/${await identifierOf(symbol, assetType)}/${assetType}`
const scheduleOf = async (symbol: string, assetType: string) => read<TradingSchedule>(await pathOf(symbol, assetType))

/** `16T14:30 AutomatedTrading`: the start of each session in UTC, and its state. */
const startsOf = ({ Sessions }: TradingSchedule): string[] =>
  Sessions.map(({ StartTime, State }) => `${StartTime.slice(8, 16)} ${State}`)
const zoneOf = ({ TimeZone, TimeZoneAbbreviation, TimeZoneOffset }: TradingSchedule) => [
  TimeZone,
  TimeZoneAbbreviation,
  TimeZoneOffset,
]

test('a stock trades in the regular session, before and after it (operation 6)', async () => {
  const schedule = await scheduleOf('AAPL:xnas', 'Stock')
  const days = ['16', '17', '18', '19', '20']
  const sessions = days.flatMap((day) => [
    `${day}T09:00 PreMarket`,
    `${day}T14:30 AutomatedTrading`,
    `${day}T21:00 PostMarket`,
    `${Number(day) + 1}T01:00 Closed`,
  ])
  assert.deepEqual(startsOf(schedule), [...sessions, '23T09:00 PreMarket'])
  assert.deepEqual(schedule.Sessions[0], {
    StartTime: '2026-11-16T09:00:00.000000Z',
    EndTime: '2026-11-16T14:30:00.000000Z',
    State: 'PreMarket',
  })
  assert.deepEqual(zoneOf(schedule), [3, 'EST', '-05:00:00'])
  assert.deepEqual(Object.keys(schedule).sort(), ['Sessions', 'TimeZone', 'TimeZoneAbbreviation', 'TimeZoneOffset'])
  assert.deepEqual(await scheduleOf('AAPL:xnas', 'CfdOnStock'), schedule)
})

test('currencies trade all week, crypto around the clock, futures with a break (operation 6)', async () => {
  const fx = await scheduleOf('EURUSD', 'FxSpot')
  assert.deepEqual(startsOf(fx).slice(0, 2), ['15T22:00 AutomatedTrading', '16T22:00 AutomatedTrading'])
  assert.deepEqual(startsOf(fx).slice(-2), ['20T22:00 Closed', '22T22:00 AutomatedTrading'])
  const crypto = await scheduleOf('BTCUSD', 'FxCrypto')
  assert.ok(crypto.Sessions.every(({ State }) => State === 'AutomatedTrading'))
  assert.deepEqual(zoneOf(crypto), [1, 'GMT', '00:00:00'])
  const future = await scheduleOf('ESZ6', 'ContractFutures')
  assert.deepEqual(startsOf(future).slice(0, 3), [
    '15T23:00 AutomatedTrading',
    '16T22:00 Closed',
    '16T23:00 AutomatedTrading',
  ])
  assert.deepEqual(zoneOf(future), [5, 'CST', '-06:00:00'])
})

test('Tokyo has a Break at midday, and a holiday on the 23rd of November (operation 6)', async () => {
  const schedule = await scheduleOf('7203:xtks', 'Stock')
  const days = ['17', '18', '19', '20'].flatMap((day) => [
    `${Number(day) - 1}T23:00 OpeningAuction`,
    `${day}T00:00 AutomatedTrading`,
    `${day}T02:30 Break`,
    `${day}T03:30 AutomatedTrading`,
    `${day}T06:25 CallAuctionTrading`,
    `${day}T06:30 Closed`,
  ])
  assert.deepEqual(startsOf(schedule), ['16T06:30 Closed', ...days])
  assert.equal(schedule.Sessions.at(-1)?.EndTime, '2026-11-23T23:00:00.000000Z')
  assert.deepEqual(zoneOf(schedule).slice(1), ['JST', '09:00:00'])
})

test('an option contract has the hours of its root (operation 6)', async () => {
  for (const [symbol, end] of [
    ['AAPL:xcbo', '21:00'],
    ['SPY:xcbo', '21:15'],
  ] as const) {
    const root = await identifierOf(symbol, 'StockOption')
    const space = await read<OptionSpace>(`/contractoptionspaces/${root}?OptionSpaceSegment=DefaultDates`)
    const uic = space.OptionSpace[0]?.SpecificOptions?.[0]?.Uic
    const schedule = await read<TradingSchedule>(`/tradingschedule/${uic}/StockOption`)
    assert.deepEqual(startsOf(schedule).slice(0, 3), [
      `13T${end} Closed`,
      '16T14:30 AutomatedTrading',
      `16T${end} Closed`,
    ])
  }
})

test('sessions are in order and without gaps, from the current one through the next seven days (operation 6)', async () => {
  const [start, end] = [clock.now(), clock.now().add({ hours: 7 * 24 })].map((instant) =>
    instant.toString({ fractionalSecondDigits: 6 }),
  ) as [string, string]
  for (const [symbol, assetType] of [
    ['AAPL:xnas', 'Stock'],
    ['EURUSD', 'FxForwards'],
    ['XAUUSD', 'FxSpot'],
    ['BTCUSD', 'FxCrypto'],
    ['ES:xcme', 'ContractFutures'],
    ['ZCZ6', 'ContractFutures'],
    ['DAX.I', 'StockIndex'],
    ['00700:xhkg', 'Stock'],
    ['UST-0.625-2030-05', 'Bond'],
  ] as const) {
    const { Sessions } = await scheduleOf(symbol, assetType)
    const [first, last] = [Sessions[0], Sessions.at(-1)]
    assert.ok(first && last && first.StartTime <= start && start < first.EndTime, `${symbol}: the present session`)
    assert.ok(last.StartTime <= end && end < last.EndTime, `${symbol}: through seven days`)
    for (const [index, session] of Sessions.entries()) {
      assert.ok(session.StartTime < session.EndTime)
      assert.equal(session.EndTime, Sessions[index + 1]?.StartTime ?? session.EndTime, symbol)
    }
  }
})

test('returns the same errors as details (operation 6)', async () => {
  const errorOf = async (path: string) => {
    const answer = await get(`/tradingschedule/${path}`)
    const { ErrorCode, ModelState = {} } = (await answer.json()) as ErrorBody
    return [answer.status, ErrorCode, ...Object.keys(ModelState)]
  }
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  for (const path of [`${apple}/FxSpot`, '999999/Stock', '0/Stock', `${apple + 2 ** 32}/Stock`])
    assert.deepEqual(await errorOf(path), [404, 'IllegalInstrumentId'], path)
  assert.deepEqual(await errorOf(`${apple}/Stonk`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf('AAPL/Stock'), [400, 'InvalidModelState', 'Uic'])
  const anyCase = await get(`/TradingSchedule/${apple}/sTOCK/`)
  assert.deepEqual(await anyCase.json(), await read(`/tradingschedule/${apple}/Stock`))
})

/** Moves the clock and signs in again, because old tokens have expired. */
async function moveTo(instant: string): Promise<void> {
  clock.advance(clock.now().until(Temporal.Instant.from(instant)).total('seconds'))
  ada = (await obtainTokens(service.url)).access_token
}

test('the entity tag changes when the current session ends (operation 6)', async () => {
  const path = await pathOf('AAPL:xnas', 'Stock')
  const first = await get(path)
  const etag = first.headers.get('etag') ?? ''
  const again = () =>
    fetch(`${service.baseUrl}/ref/v1/instruments${path}`, {
      headers: { authorization: `Bearer ${ada}`, 'if-none-match': etag },
    })
  await moveTo('2026-11-16T14:29:59Z')
  const same = await again()
  assert.deepEqual([same.status, await same.text()], [304, ''])
  for (const answer of [first, same]) {
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
  }
  await moveTo('2026-11-16T14:30:00Z')
  const next = await again()
  assert.equal(next.status, 200)
  assert.notEqual(next.headers.get('etag'), etag)
  const starts = startsOf((await next.json()) as TradingSchedule)
  assert.deepEqual([starts[0], starts.at(-1)], ['16T14:30 AutomatedTrading', '23T14:30 AutomatedTrading'])
})

test('TradingSessions in details follow the schedule (operation 3)', async () => {
  const path = (await pathOf('AAPL:xnas', 'Stock')).replace('tradingschedule', 'details')
  const first = await get(`${path}?FieldGroups=TradingSessions`)
  assert.equal(first.status, 200)
  await moveTo('2026-11-16T21:00:00Z')
  const next = await get(`${path}?FieldGroups=TradingSessions`)
  assert.notEqual(next.headers.get('etag'), first.headers.get('etag'))
  const { TradingSessions } = (await next.json()) as { TradingSessions: TradingSchedule }
  assert.equal(TradingSessions.Sessions[0]?.State, 'PostMarket')
})

test('closes on Thanksgiving and early on the day after (operation 6)', async () => {
  await moveTo('2026-11-25T20:00:00Z')
  assert.deepEqual(startsOf(await scheduleOf('AAPL:xnas', 'Stock')).slice(0, 8), [
    '25T14:30 AutomatedTrading',
    '25T21:00 PostMarket',
    '26T01:00 Closed',
    '27T09:00 PreMarket',
    '27T14:30 AutomatedTrading',
    '27T18:00 PostMarket',
    '27T22:00 Closed',
    '30T09:00 PreMarket',
  ])
})
