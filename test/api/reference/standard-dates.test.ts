import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FixedClock } from '../../support/clock.ts'
import { demoKey } from '../../support/demo.ts'
import { readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const { url, baseUrl } = await serviceForFile({ reference: true, clock })
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
