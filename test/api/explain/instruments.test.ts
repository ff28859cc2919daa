import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Explanation } from '../../../src/core/explain/schema.ts'
import { assertSteps, call, explain, explainUrl, helpOf } from '../../support/explain/explain.ts'

const search = '/ref/v1/instruments'
const some = <const T>(...values: T[]) => fc.constantFrom(...values)
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const users = some('ada', 'bo', 'cy')

const addressOf = (path: string, parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** Asserts that an error is explained as it is sent. Returns the body of a success. */
async function answered<Body>(request: string, user: string): Promise<[Explanation, Body | undefined]> {
  const [response, explanation] = await Promise.all([call(request, user), explain(request, user)])
  const body = (await response.json()) as Body
  assert.equal(explanation.Status, response.status, request)
  if (response.status === 200) return [explanation, body]
  const { ErrorCode, Message, ModelState } = explanation
  assert.deepEqual({ ErrorCode, Message, ...(ModelState && { ModelState }) }, body, request)
  return [explanation, undefined]
}

const tops = some('0', '1', '4', '10')
const searched = fc.record({
  Keywords: fc.option(
    some('apple', 'appl', 'aplpe', 'AAPL', 'gold', 's&p 500', 'US0378331005', 'a', 'zzzz', 'nov nord'),
    {
      nil: undefined,
    },
  ),
  AssetTypes: seldom(some('Stock', 'Stock,Etf', 'CfdOnStock', 'FxSpot,FxForwards', 'StockOption', 'nothing')),
  ExchangeId: seldom(some('NASDAQ', 'nyse', 'CSE', 'nowhere')),
  Class: seldom(some('Complex', 'NonComplex')),
  IncludeNonTradable: seldom(some('true')),
  Uics: seldom(some('1000,1001,1002,9', '1500')),
  Tags: seldom(some('Etf', 'None', 'null')),
  CanParticipateInMultiLegOrder: seldom(some('true', 'false')),
  OneYearTotalValueChangesFrom: seldom(some('0', '20')),
  $top: tops,
  $skip: seldom(some('1', '5')),
  $inlinecount: some('AllPages'),
})

test('for any search of the demo, the explanation ends with its rows', async () => {
  let found = 0
  type Feed = { __count: number; Data: { Identifier: number; AssetType: string }[] }
  const property = fc.asyncProperty(searched, users, async (parameters, user) => {
    const request = addressOf(search, parameters)
    const [explanation, body] = await answered<Feed>(request, user)
    if (!body) return
    const ids = body.Data.map(({ Identifier, AssetType }) => `${Identifier}/${AssetType}`)
    assert.deepEqual([explanation.Count, explanation.Rows.map(({ Id }) => Id)], [body.__count, ids], request)
    assert.equal(explanation.Steps.at(-1)?.RowsOut, ids.length)
    assertSteps(explanation, request)
    found += ids.length
  })
  await fc.assert(property, { numRuns: 250, seed: 17 })
  assert.ok(found > 200, `only ${found} rows were compared`)
})

test('for any list of details of the demo, the explanation ends with its rows', async () => {
  let found = 0
  type Feed = { __count: number; Data: { Uic: number; AssetType: string }[] }
  const { AssetTypes, Uics, Tags } = {
    AssetTypes: some('Stock', 'Stock,Etf', 'StockOption'),
    Uics: some('1000,1001,9'),
    Tags: some('Etf'),
  }
  const query = fc.record({ AssetTypes: seldom(AssetTypes), Uics: seldom(Uics), Tags: seldom(Tags), $top: tops })
  const property = fc.asyncProperty(query, users, async (parameters, user) => {
    const request = addressOf(`${search}/details`, parameters)
    const [explanation, body] = await answered<Feed>(request, user)
    if (!body) return
    const ids = body.Data.map(({ Uic, AssetType }) => `${Uic}/${AssetType}`)
    assert.deepEqual([explanation.Count, explanation.Rows.map(({ Id }) => Id)], [body.__count, ids], request)
    assertSteps(explanation, request)
    found += ids.length
  })
  await fc.assert(property, { numRuns: 100, seed: 17 })
  assert.ok(found > 100, `only ${found} rows were compared`)
})

test('for any option space of the demo, the explanation ends with its series and options', async () => {
  let found = 0
  type Space = { OptionSpace: { Expiry: string; SpecificOptions?: unknown[] }[] }
  const query = fc.record({
    OptionSpaceSegment: seldom(some('AllDates', 'DefaultDates', 'SpecificDates', 'UnderlyingUic', 'None')),
    ExpiryDates: seldom(some('2026-12-18', 'tomorrow')),
    UnderlyingUic: seldom(some('1000', '7')),
    TradingStatus: seldom(some('Tradable', 'NonTradable')),
    CanParticipateInMultiLegOrder: seldom(some('true', 'false')),
  })
  const property = fc.asyncProperty(query, fc.integer({ min: 1, max: 12 }), users, async (parameters, root, user) => {
    const request = addressOf(`${search}/contractoptionspaces/${root}`, parameters)
    const [explanation, body] = await answered<Space>(request, user)
    if (!body) return
    const { OptionSpace } = body
    const options = OptionSpace.reduce((sum, { SpecificOptions = [] }) => sum + SpecificOptions.length, 0)
    assert.deepEqual([explanation.Count, explanation.Steps.at(-1)?.RowsOut], [OptionSpace.length, options], request)
    assert.deepEqual(
      explanation.Rows.map(({ Id }) => Id),
      OptionSpace.slice(0, 10).map(({ Expiry }) => Expiry.slice(0, 10)),
    )
    found += OptionSpace.length
  })
  await fc.assert(property, { numRuns: 150, seed: 17 })
  assert.ok(found > 100, `only ${found} series were compared`)
})

test('one instrument: other asset types, rights, and why it cannot be traded', async () => {
  const details = `${search}/details`
  const stock = await explain(`${details}/1000/Stock`)
  assert.deepEqual([stock.Status, stock.Rows[0]?.Id], [200, '1000/Stock'])
  assert.match(stock.Summary, /It is tradable on \d accounts?\.$/)

  const other = await explain(`${details}/1000/Bond`)
  assert.deepEqual([other.Status, other.ErrorCode], [404, 'IllegalInstrumentId'])
  assert.ok(other.Steps[1]?.Removed?.some(({ Id }) => Id === '1000/Stock'))

  const continuous = await explain(`${details}/5004/ContractFutures`)
  assert.match(continuous.Summary, /It is not tradable\. .*continuous future/)
  const accounts = continuous.Steps.find(({ Title }) => Title === 'Accounts')
  assert.equal(accounts?.RowsOut, 0)
  assert.match(accounts?.Removed?.[0]?.Reason ?? '', /a continuous future cannot be traded/)

  const { Status, ErrorCode } = await explain(`${details}/1000/Nothing`)
  assert.deepEqual([Status, ErrorCode], [400, 'InvalidAssetType'])
})

test('schedules and futures spaces are explained by their answers', async () => {
  type Schedule = { Sessions: { StartTime: string }[] }
  const [schedule, sessions] = await answered<Schedule>(`${search}/tradingschedule/1000/Stock`, 'ada')
  assert.equal(schedule.Count, sessions?.Sessions.length)
  type Futures = { Elements: { Uic: number }[] }
  const [space, futures] = await answered<Futures>(`${search}/futuresspaces/5004`, 'ada')
  assert.deepEqual([space.Count, space.Steps.at(-1)?.RowsOut], [futures?.Elements.length, futures?.Elements.length])
  const [dated] = await answered(`${search}/futuresspaces/1000`, 'ada')
  assert.equal(dated.ErrorCode, 'InvalidContinuousFuturesUic')
  for (const path of ['tradingschedule/999999/Stock', 'futuresspaces/999999', 'contractoptionspaces/999999'])
    assert.equal((await answered(`${search}/${path}`, 'ada'))[0].Status, 404)
})

test('what a caller may not see is explained like what does not exist', async () => {
  const types = 'Bond,FxSpot,Etf,MutualFund'
  type Feed = { Data: { Uic: number; AssetType: string }[] }
  const { Data } = (await (await call(`${search}/details?AssetTypes=${types}&$top=1000`)).json()) as Feed
  const same = (explanation: Explanation, id: number) => JSON.stringify(explanation).replaceAll(String(id), 'ID')
  const unknown = 99_999_999
  for (const { Uic, AssetType } of Data.filter((_, at) => at % 40 === 0)) {
    const hidden = await explain(`${search}/details/${Uic}/${AssetType}`, 'bo')
    assert.equal(same(hidden, Uic), same(await explain(`${search}/details/${unknown}/${AssetType}`, 'bo'), unknown))
  }
  assert.ok(Data.length > 100)
  for (const [operation, id] of [
    ['contractoptionspaces', 11],
    ['futuresspaces', 5004],
  ] as const) {
    assert.equal((await call(`${search}/${operation}/${id}`)).status, 200)
    const [hidden, missing] = [
      await explain(`${search}/${operation}/${id}`, 'bo'),
      await explain(`${search}/${operation}/${unknown}`, 'bo'),
    ]
    assert.equal(hidden.Status, 404)
    assert.equal(same(hidden, id).replaceAll(/§6\.ID|§ID/g, ''), same(missing, unknown).replaceAll(/§6\.ID|§ID/g, ''))
  }
})

test('an empty answer and a 404 have a link to their explanation on every path, remembered answers too', async () => {
  const empty = [
    `${search}?Keywords=zzzqqq`,
    `${search}/details?Uics=999999999`,
    `${search}/details?Uics=999999999&FieldGroups=TradingSessions`,
    `${search}?$top=0`,
  ]
  const missing = [
    `${search}/details/1000/Bond`,
    `${search}/contractoptionspaces/999999`,
    `${search}/tradingschedule/1/Bond`,
  ]
  for (const request of [...empty, ...missing]) {
    const etags: (string | null)[] = []
    // The third answer is a remembered one.
    for (let time = 0; time < 4; time++) {
      const response = await call(request)
      etags.push(response.headers.get('etag'))
      assert.equal(
        helpOf(response),
        explainUrl(request).replace(/Request=.*/, `Request=${encodeURIComponent(`/sim/openapi${request}`)}`),
      )
      await response.arrayBuffer()
    }
    const etag = etags.at(-1)
    if (etag) {
      const again = await call(request, 'ada', { 'if-none-match': etag })
      assert.deepEqual([again.status, again.headers.get('link')], [304, null])
    }
  }
  assert.equal((await call(`${search}?Keywords=apple`)).headers.get('link'), null)
})
