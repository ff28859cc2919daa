import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import { type ErrorBody, readError, readOk } from '../../support/reference/rest.ts'
import { importTexts, lines } from '../../support/service/import.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const { url, baseUrl, node, database } = await serviceForFile({ reference: true, clock })
let { access_token: ada } = await obtainTokens(url)
const euroDollar = 4000

type Row = { Date: string; Unit: string; Value: number }
type Feed = { __count: number; MaxRows: number; Data: Row[] }
const get = (path: string, token = ada) => getRest(baseUrl, `/ref/v1/standarddates/${path}`, token)
const dateOf = ({ Data }: Feed, value: number, unit: string) =>
  Data.find(({ Unit, Value }) => Unit === unit && Value === value)?.Date
const forwards = () => readOk<Feed>(get(`forwardtenor/${euroDollar}`))
const expiries = () => readOk<Feed>(get(`fxoptionexpiry/${euroDollar}`))

test('forwards and options have the dates of the usual tenors, in order', async () => {
  for (const feed of [await forwards(), await expiries()]) {
    const dates = feed.Data.map(({ Date: date }) => date)
    assert.deepEqual(dates, dates.toSorted())
    assert.deepEqual([feed.__count, feed.MaxRows], [feed.Data.length, 1000])
  }
  assert.equal(dateOf(await forwards(), 1, 'Months'), '2026-12-18')
  assert.equal(dateOf(await expiries(), 1, 'Weeks'), '2026-11-23')
  const account = `?AccountKey=${encodeURIComponent(demoKey('unknown account'))}`
  assert.deepEqual(await readError(get(`forwardtenor/${euroDollar}${account}`)), [404, 'NoResultFound'])
})

test('only a currency pair that the caller may see has standard dates', async () => {
  const { access_token: bo } = await obtainTokens(url, { user: 'bo' })
  for (const list of ['forwardtenor', 'fxoptionexpiry']) {
    for (const uic of [1000, 999_999_999])
      assert.deepEqual(await readError(get(`${list}/${uic}`)), [404, 'IllegalInstrumentId'])
    assert.deepEqual(await readError(get(`${list}/${euroDollar}`, bo)), [404, 'IllegalInstrumentId'])
    assert.deepEqual(await readError(get(`${list}/x`)), [400, 'InvalidModelState', 'Uic'])
  }
})

test('standard dates follow the service clock and the holidays of the currencies', async () => {
  clock.advance(clock.now().until(Temporal.Instant.from('2026-12-16T12:00:00Z')).total('seconds'))
  ada = (await obtainTokens(url)).access_token
  assert.equal(dateOf(await forwards(), 1, 'Weeks'), '2026-12-28', 'a week after spot is Christmas Day')
  const headers = { authorization: `Bearer ${ada}` }
  for (const list of ['forwardtenor', 'fxoptionexpiry']) {
    const own = (await get(`${list}/${euroDollar}`)).headers.get('etag') ?? ''
    const again = await fetch(`${baseUrl}/ref/v1/standarddates/${list}/${euroDollar}`, {
      headers: { ...headers, 'if-none-match': own },
    })
    assert.equal(again.status, 304)
  }
})

async function load(...records: object[]): Promise<void> {
  const { revision } = node.catalogue.current()
  const { errors } = await importTexts(database.connection, { 'f.ndjson': lines(...records) })
  assert.deepEqual(errors, [])
  await node.catalogue.reached(revision + 1)
}

test('a changed calendar is served without a change of the instruments', async () => {
  assert.equal(dateOf(await forwards(), 2, 'Weeks'), '2027-01-04')
  const weekdays = [{ Days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], Start: '00:00', End: '24:00' }]
  const euro = { kind: 'calendar', CalendarId: 'SETTLE_EUR', Name: 'Euro', TimeZone: 'Europe/Berlin', Hours: weekdays }
  await load({ ...euro, Currencies: ['EUR'], Holidays: [{ Date: '2027-01-04', Name: 'Bank holiday' }] })
  assert.equal(dateOf(await forwards(), 2, 'Weeks'), '2027-01-05')
})

test('a pair without spot days has no standard dates, and the error says what is missing', async () => {
  const pair = { Symbol: 'EURSEK', Description: 'Euro/Krona', CurrencyCode: 'SEK', ExchangeId: 'FX' }
  await load({
    kind: 'instrument',
    Uic: 90_000_002,
    ...pair,
    As: [{ AssetType: 'FxSpot' }, { AssetType: 'FxForwards' }],
  })
  const response = await get('forwardtenor/90000002')
  assert.equal(response.status, 404)
  const { ErrorCode, Message } = (await response.json()) as ErrorBody
  assert.equal(ErrorCode, 'NoResultFound')
  assert.match(Message, /import its record with SpotDays/)
})
