import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FuturesSpace, InstrumentDetails } from '../../../src/instruments/api/schema.ts'
import type { InstrumentRecord } from '../../../src/instruments/import/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoReference } from '../../support/demo.ts'
import { readError, readOk } from '../../support/reference/rest.ts'
import { demoLoadedAt } from '../../support/service/postgres.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const clock = new FixedClock(demoLoadedAt)
const service = await serviceForFile({ reference: true, clock })
let { access_token: ada } = await obtainTokens(service.url)

const today = Temporal.PlainDate.from(demoLoadedAt.slice(0, 10))
const records = await demoReference(today)
const instruments = records.flatMap((record) => (record.kind === 'instrument' ? [record as InstrumentRecord] : []))

function recordOf(symbol: string): InstrumentRecord {
  const record = instruments.find((each) => each.Symbol === symbol)
  assert.ok(record, `the demo has no ${symbol}`)
  return record
}
const futuresOf = (parent: InstrumentRecord): InstrumentRecord[] =>
  instruments.filter((each) => each.ContinuousFuturesUic === parent.Uic)

const get = (path: string) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, ada)

const space = (uic: number | string): Promise<FuturesSpace> => readOk(get(`/futuresspaces/${uic}`))

const errorOf = (uic: number | string) => readError(get(`/futuresspaces/${uic}`))

test('lists the unexpired futures of every continuous future by expiry (operation 5)', async () => {
  const parents = instruments.filter(({ DisplayHint }) => DisplayHint === 'Continuous')
  assert.ok(parents.length >= 8)
  for (const parent of parents) {
    const futures = futuresOf(parent).map(({ Uic, Symbol: symbol = '', ExpiryDate = '' }) => ({
      DaysToExpiry: today.until(ExpiryDate).days,
      ExpiryDate,
      Symbol: symbol,
      Uic,
    }))
    assert.ok(
      futures.some(({ DaysToExpiry }) => DaysToExpiry < 0),
      `${parent.Symbol} has an expired future`,
    )
    const wanted = futures.filter(({ DaysToExpiry }) => DaysToExpiry >= 0)
    wanted.sort((a, b) => a.DaysToExpiry - b.DaysToExpiry)
    assert.deepEqual(await space(parent.Uic), { BaseIdentifier: parent.BaseIdentifier, Elements: wanted })
  }
})

test('the nearest E-mini S&P 500 future expires in December (operation 5)', async () => {
  const { BaseIdentifier, Elements } = await space(recordOf('ES:xcme').Uic)
  assert.equal(BaseIdentifier, 'ES')
  assert.deepEqual(Elements[0], {
    DaysToExpiry: 32,
    ExpiryDate: '2026-12-18',
    Symbol: 'ESZ6',
    Uic: recordOf('ESZ6').Uic,
  })
})

test('the path matches in any case and with a trailing slash (operation 5)', async () => {
  const { Uic } = recordOf('ES:xcme')
  const answer = await get(`/FuturesSpaces/${Uic}/`)
  assert.deepEqual(await answer.json(), await space(Uic))
})

test('rejects other instruments, unknown numbers and text (operation 5)', async () => {
  const root = records.find((record) => record.kind === 'optionRoot' && record.AssetType === 'FuturesOption')
  const option = root?.kind === 'optionRoot' ? root.Series[0]?.Options[0]?.Uic : undefined
  for (const uic of [recordOf('ESZ6').Uic, recordOf('AAPL:xnas').Uic, recordOf('SPX.I').Uic, option ?? 0])
    assert.deepEqual(await errorOf(uic), [400, 'InvalidContinuousFuturesUic'])
  for (const uic of [9_999_999, 0, -1, recordOf('ES:xcme').Uic + 2 ** 32])
    assert.deepEqual(await errorOf(uic), [404, 'NoResultFound'])
  for (const uic of ['ES', '1.5'])
    assert.deepEqual(await errorOf(uic), [400, 'InvalidModelState', 'ContinuousFuturesUic'])
})

test('returns 304 if the entity tag matches; errors have no tag (operation 5)', async () => {
  const path = `/futuresspaces/${recordOf('ES:xcme').Uic}`
  const first = await get(path)
  assert.equal(first.headers.get('content-type'), 'application/json; charset=utf-8')
  const etag = first.headers.get('etag') ?? ''
  const ask = (where: string, tag: string) =>
    fetch(`${service.baseUrl}/ref/v1/instruments${where}`, {
      headers: { authorization: `Bearer ${ada}`, 'if-none-match': tag },
    })
  const again = await ask(path, etag)
  assert.deepEqual([again.status, await again.text()], [304, ''])
  for (const answer of [first, again]) {
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
    assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
  }
  assert.equal((await ask('/futuresspaces/9999999', '*')).status, 404)
})

/** Moves the clock and signs in again, because old tokens have expired. */
async function moveTo(instant: Temporal.Instant): Promise<void> {
  clock.advance(clock.now().until(instant).total('seconds'))
  ada = (await obtainTokens(service.url)).access_token
}

test('a future expires at the end of its last day in the time zone of the exchange (operation 5)', async () => {
  const parent = recordOf('CL:xnym')
  const [first, second] = (await space(parent.Uic)).Elements
  assert.ok(first && second)
  const reasonOf = async () => {
    const details = (await (await get(`/details/${first.Uic}/ContractFutures`)).json()) as InstrumentDetails
    return details.NonTradableReason
  }
  const nearest = async () => {
    const [element] = (await space(parent.Uic)).Elements
    return [element?.Symbol, element?.DaysToExpiry]
  }
  const midnight = Temporal.PlainDate.from(first.ExpiryDate)
    .add({ days: 1 })
    .toZonedDateTime('America/Chicago')
    .toInstant()
  await moveTo(midnight.subtract({ seconds: 1 }))
  assert.notEqual(clock.now().toString().slice(0, 10), first.ExpiryDate, 'in UTC it is the next day')
  assert.deepEqual(await nearest(), [first.Symbol, 0])
  assert.notEqual(await reasonOf(), 'ExpiredInstrument')
  await moveTo(midnight)
  assert.deepEqual(await nearest(), [second.Symbol, second.DaysToExpiry - first.DaysToExpiry - 1])
  assert.equal(await reasonOf(), 'ExpiredInstrument')
})

test('returns the revision and the number of records, with an entity tag', async () => {
  const ask = (headers = {}) =>
    fetch(`${service.baseUrl}/x/v1/revision`, { headers: { authorization: `Bearer ${ada}`, ...headers } })
  const answer = await ask()
  const kinds = Map.groupBy(await demoReference(Temporal.PlainDate.from(demoLoadedAt.slice(0, 10))), ({ kind }) => kind)
  const { OptionContracts, ...counts } = (await answer.json()) as Record<string, number>
  assert.deepEqual(counts, {
    Revision: 1,
    Exchanges: kinds.get('exchange')?.length,
    Instruments: kinds.get('instrument')?.length,
    OptionRoots: kinds.get('optionRoot')?.length,
  })
  assert.ok((OptionContracts ?? 0) > 10_000)
  assert.equal((await ask({ 'if-none-match': answer.headers.get('etag') ?? '' })).status, 304)
  assert.equal((await fetch(`${service.baseUrl}/x/v1/revision`)).status, 401)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  assert.match(metrics, /^refdesk_event_loop_delay_seconds_max \d/m)
})
