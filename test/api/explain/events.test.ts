import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Explanation } from '../../../src/core/explain/schema.ts'
import { demoKey } from '../../support/demo.ts'
import { assertSteps, call, explain, explainUrl, helpOf } from '../../support/explain/explain.ts'

const path = '/ca/v2/events'
type Feed = { __count: number; Data: { EventId: string }[] }

const some = <const T>(...values: T[]) => fc.constantFrom(...values)
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const day = fc
  .integer({ min: -40, max: 40 })
  .map((days) => Temporal.PlainDate.from('2026-11-16').add({ days }).toString())
const query = fc.record({
  ClientKey: seldom(some(demoKey('client bo'), demoKey('client cy'), demoKey('nobody'))),
  AccountKey: seldom(some(demoKey('account 9226397'), demoKey('account 9300101'))),
  IncludeSubAccounts: seldom(some('true')),
  IncludeLapsedEvents: seldom(some('true')),
  AssetTypes: seldom(some('Stock', 'Stock,CfdOnStock', 'Bond')),
  CorporateActionTypes: seldom(some('Mandatory', 'Voluntary')),
  ElectionStatuses: seldom(some('NotElected', 'Elected,PartialElected')),
  EventStates: seldom(some('Confirmed', 'Preliminary,Withdrawn', 'Complete')),
  EventStatus: seldom(some('Active', 'Past', 'Upcoming')),
  EventTypes: seldom(some('DVCA', 'DVOP,TEND', 'nothing')),
  Keywords: seldom(some('a', 'dk', 'ne st', 'nothing')),
  FromExDate: seldom(day),
  ToPayDate: seldom(day),
  FromDeadlineDate: seldom(day),
  SortColumn: seldom(some('Date', 'EventId', 'EligibleHoldings', 'InstrumentDescription')),
  SortType: seldom(some('Asc', 'Desc')),
  $top: some('0', '1', '3', '10'),
  $skip: seldom(some('1', '5', '1000')),
})

const addressOf = (parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `${path}?${new URLSearchParams(given)}`
}

test('for any request, the explanation of a list ends with the rows of the list', async () => {
  let listed = 0
  const property = fc.asyncProperty(query, some('ada', 'bo', 'cy'), async (parameters, user) => {
    const request = addressOf(parameters)
    const [response, explanation] = await Promise.all([call(request, user), explain(request, user)])
    assert.equal(explanation.Status, response.status, request)
    if (response.status !== 200) {
      const { Status: _, Summary, Rows, Steps, Request, OperationId, ...error } = explanation
      assert.deepEqual(error, await response.json())
      return
    }
    const { Data, __count } = (await response.json()) as Feed
    assert.deepEqual(
      [explanation.Count, explanation.Steps.at(-1)?.RowsOut, explanation.Rows.map(({ Id }) => Id)],
      [__count, Data.length, Data.map(({ EventId }) => EventId)],
      request,
    )
    assertSteps(explanation, request)
    listed += Data.length
  })
  await fc.assert(property, { numRuns: 300, seed: 17 })
  assert.ok(listed > 300, `only ${listed} rows were compared`)
})

test('says why each event is left out', async () => {
  const all = await explain(path)
  const removed = all.Steps.find(({ Title }) => Title === 'Listed events')?.Removed ?? []
  assert.ok(
    removed.some(({ Reason }) => /It has lapsed|It is complete|It is cancelled|more than a year away/.test(Reason)),
  )

  const none = await explain(`${path}?EventTypes=CONV&AssetTypes=Stock`)
  assert.equal(none.Count, 0)
  assert.match(none.Summary, /^None of the \d+ announced events are listed\.$/)
  const types = none.Steps.find(({ Title }) => Title === 'EventTypes')
  assert.equal(types?.RowsOut, 0)
  assert.equal(types?.Removed?.length, 10)
  assert.match(types?.Removed?.[0]?.Reason ?? '', /^Its event type is [A-Z]{4}\.$/)
  assert.equal(types?.Section, '§7.2')
})

test('one event: found, in another state, or unknown', async () => {
  const { Data } = (await (await call(`${path}?$top=1`)).json()) as Feed
  const id = Data[0]?.EventId ?? assert.fail()
  const found = await explain(`${path}/${id}`)
  assert.deepEqual([found.Status, found.Count, found.Rows[0]?.Id], [200, 1, id])

  const other = await explain(`${path}/${id}?EventStates=Complete`)
  const answer = await call(`${path}/${id}?EventStates=Complete`)
  assert.deepEqual([other.Status, other.Message], [404, ((await answer.json()) as { Message: string }).Message])
  assert.match(other.Steps.at(-1)?.Removed?.[0]?.Reason ?? '', /^Its state is \w+\. EventStates=\w+ finds it\.$/)
  assert.match(other.Summary, /^The event is \w+\. EventStates=\w+ finds it\.$/)
  const states = 'Approved,Cancelled,Complete,Confirmed,Preliminary,Withdrawn'
  assert.equal((await call(`${path}/${id}?EventStates=${states}`)).status, 200)
})

test('the event of another client is explained like an unknown one', async () => {
  const named = ({ Data }: Feed) => Data.map(({ EventId }) => EventId)
  const of = async (user: string) => named((await (await call(`${path}?$top=1000`, user)).json()) as Feed)
  const all = async (user: string) => {
    const { Steps } = await explain(`${path}?$top=0`, user)
    return Steps.flatMap(({ Removed = [] }) => Removed.map(({ Id }) => Id))
  }
  const own = new Set([...(await of('cy')), ...(await all('cy'))])
  const foreign = (await of('ada')).filter((id) => !own.has(id))
  const same = (explanation: Explanation, id: string) => JSON.stringify(explanation).replaceAll(id, 'ID')
  let compared = 0
  for (const id of foreign) {
    const explanation = await explain(`${path}/${id}`, 'cy')
    // Of what the client once held, events are public.
    if (explanation.Steps.length > 1) continue
    assert.equal(same(explanation, id), same(await explain(`${path}/unknown-id`, 'cy'), 'unknown-id'))
    compared += 1
  }
  assert.ok(compared > 3, `only ${compared} were compared`)
})

test('an empty list and a 404 link to their explanation, in every format', async () => {
  for (const request of [
    `${path}?EventTypes=CONV`,
    `${path}?$top=0`,
    `${path}/unknown`,
    `${path}?ClientKey=${demoKey('x')}`,
  ]) {
    for (const accept of ['application/json', 'text/csv', 'text/calendar']) {
      const response = await call(request, 'ada', { accept })
      const help = helpOf(response) ?? assert.fail(request)
      const explanation = (await (await call(help)).json()) as Explanation
      assert.equal(explanation.Status, response.status, request)
      assert.equal(explanation.Request, request)
    }
  }
  assert.equal(helpOf(await call(`${path}?$top=1`)), undefined)
  assert.equal(
    (await call(`${path}?$top=1`, 'ada', { accept: 'text/csv' })).headers.get('link')?.includes('rel="next"'),
    true,
  )
  const long = `${path}?Keywords=${'x'.repeat(150)}&y=${'y'.repeat(2_000)}`
  assert.equal(helpOf(await call(long)), undefined)
})

test('only operations that can be explained are, and an invalid request is explained by its errors', async () => {
  for (const request of [
    '/port/v1/users/me',
    '/nowhere',
    'https://example.com/ca/v2/events',
    '/ca/v2/elections',
    ' ',
  ]) {
    const response = await call(explainUrl(request))
    const { ModelState } = (await response.json()) as { ModelState: { Request: string[] } }
    assert.equal(response.status, 400, request)
    assert.match(ModelState.Request.join(), /Can be explained: GET .*\/ca\/v2\/events/, request)
  }
  assert.equal((await call('/x/v1/explain')).status, 400)
  assert.equal((await call(explainUrl(`${path}?x=${'x'.repeat(2_048)}`))).status, 400)

  const wrong = await explain(`${path}?$top=-1&EventTypes=nothing&FromExDate=yesterday`)
  assert.deepEqual([wrong.Status, wrong.ErrorCode], [400, 'InvalidModelState'])
  assert.deepEqual(Object.keys(wrong.ModelState ?? {}).sort(), ['$top', 'EventTypes', 'FromExDate'])
  const many = Array.from({ length: 201 }, (_, at) => `a${at}=1`).join('&')
  const { Status, ErrorCode } = await explain(`${path}?${many}`)
  assert.deepEqual([Status, ErrorCode], [400, 'InvalidRequest'])
})
