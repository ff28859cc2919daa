import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { issueDemoToken } from '../../src/auth/grants/demo-token.ts'
import { callOverHttp } from '../../src/mcp/stdio.ts'
import { demoApp } from '../support/demo.ts'
import { Agent, type ToolAnswer } from '../support/http/agent.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { projectFolder } from '../support/service/process.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true, env: { RATE_LIMITS: 'off' } })
const { baseUrl } = service

/** An agent that starts `refdesk mcp` and talks to it over its standard input and output. */
async function overStdio(user: string): Promise<Agent> {
  const ACCESS_TOKEN = await issueDemoToken(service.node.context, demoApp.AppKey, user)
  noteSecret('access token', ACCESS_TOKEN)
  const command = { command: process.execPath, args: ['src/cli/cli.ts', 'mcp'], cwd: projectFolder }
  const agent = new Agent()
  return agent.connect(new StdioClientTransport({ ...command, env: { BASE_URL: baseUrl, ACCESS_TOKEN } }))
}

const transports = { http: await Agent.signedIn(service), stdio: await overStdio('ada') }
const bo = await Agent.signedIn(service, 'bo')
after(() => Promise.all([transports.http, transports.stdio, bo].map(({ client }) => client.close())))

const tokens = {
  ada: (await obtainTokens(service.url)).access_token,
  bo: (await obtainTokens(service.url, { user: 'bo' })).access_token,
}

/** What the operation answers to the same user. */
async function rest(path: string, user: keyof typeof tokens = 'ada') {
  const response = await getRest(baseUrl, path, tokens[user])
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const withoutLink = ({ __next, ...document }: Record<string, unknown>) => document
const rowsOf = ({ structured }: ToolAnswer) => structured?.Data as Record<string, unknown>[]

/** All answers of a call that is continued with its cursor. */
async function allOf(agent: Agent, name: string, parameters: Record<string, unknown>): Promise<ToolAnswer[]> {
  const answers = [await agent.call(name, parameters)]
  for (let cursor = answers[0]?.structured?.cursor; cursor !== undefined; cursor = answers.at(-1)?.structured?.cursor)
    answers.push(await agent.call(name, { ...parameters, cursor }))
  return answers
}

const names = [
  ...['search_instruments', 'get_instrument', 'get_option_chain', 'get_futures', 'get_trading_schedule'],
  ...['list_events', 'get_event', 'explain', 'travel', 'load_scenario', 'elect'],
]

/** A call of each reading tool, and the request of its operation. */
const readings: Record<string, [parameters: Record<string, unknown>, path: string]> = {
  search_instruments: [
    { Keywords: 'apple', AssetTypes: ['Stock', 'Bond'], top: 5 },
    '/ref/v1/instruments?Keywords=apple&AssetTypes=Stock,Bond&$top=5',
  ],
  get_instrument: [{ Uic: 1000, AssetType: 'Stock' }, '/ref/v1/instruments/details/1000/Stock'],
  get_option_chain: [{ OptionRootId: 1 }, '/ref/v1/instruments/contractoptionspaces/1'],
  get_futures: [{ ContinuousFuturesUic: 5000 }, '/ref/v1/instruments/futuresspaces/5000'],
  get_trading_schedule: [{ Uic: 1000, AssetType: 'Stock' }, '/ref/v1/instruments/tradingschedule/1000/Stock'],
  list_events: [{ top: 2 }, '/ca/v2/events?$top=2'],
  explain: [
    { Request: '/ref/v1/instruments?Keywords=nothing' },
    `/x/v1/explain?Request=${encodeURIComponent('/ref/v1/instruments?Keywords=nothing')}`,
  ],
}

for (const [kind, agent] of Object.entries(transports))
  describe(`over ${kind}`, () => {
    test('lists every tool, with the parameters of its operation', async () => {
      const { tools } = await agent.client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        names,
      )
      const chain = tools.find(({ name }) => name === 'get_option_chain')
      assert.deepEqual(chain?.inputSchema.required, ['OptionRootId'])
      assert.deepEqual(Object.keys(tools[0]?.inputSchema.properties ?? {}).slice(0, 2), ['top', 'inlinecount'])
      for (const { name, annotations } of tools)
        assert.equal(annotations?.readOnlyHint, !['travel', 'load_scenario', 'elect'].includes(name), name)
    })

    for (const [name, [parameters, path]] of Object.entries(readings))
      test(`${name} answers what its operation does`, async () => {
        const { isError, text, structured } = await agent.call(name, parameters)
        assert.equal(isError, false, text)
        const { cursor: _, ...document } = structured ?? {}
        assert.deepEqual(document, withoutLink((await rest(path)).body))
        assert.deepEqual(JSON.parse(text), structured)
      })

    test('get_event returns an event of list_events', async () => {
      const [first] = rowsOf(await agent.call('list_events', { top: 1 }))
      const { structured } = await agent.call('get_event', { EventId: first?.EventId })
      assert.deepEqual(structured, (await rest(`/ca/v2/events/${first?.EventId}`)).body)
    })

    test('errors of the operation are errors of the tool, with the same text but for `$`', async () => {
      for (const [name, parameters, path] of [
        ['get_instrument', { Uic: 999, AssetType: 'Stock' }, '/ref/v1/instruments/details/999/Stock'],
        ['get_event', { EventId: 'none' }, '/ca/v2/events/none'],
        ['search_instruments', { top: 5_000 }, '/ref/v1/instruments?$top=5000'],
      ] as const) {
        const { isError, text } = await agent.call(name, parameters)
        const { ErrorCode, Message, ModelState } = (await rest(path)).body
        assert.equal(isError, true)
        assert.ok(text.startsWith(`${ErrorCode}: ${String(Message).replaceAll('$', '')}`), text)
        for (const [sentence] of Object.values((ModelState ?? {}) as Record<string, [string]>))
          assert.ok(text.includes(sentence))
      }
    })

    test('names unknown and missing parameters, and rejects a cursor that is none', async () => {
      assert.match(
        (await agent.call('search_instruments', { Keyword: 'x' })).text,
        /Keyword: There is no .* Did you mean Keywords\?/,
      )
      assert.match((await agent.call('get_instrument', { Uic: 1000 })).text, /AssetType: Is required/)
      for (const cursor of ['x', 5, Buffer.from('{"page":{"$top":"1"}}').toString('base64url')])
        assert.match((await agent.call('search_instruments', { cursor })).text, /cursor: Must be the cursor/)
      await assert.rejects(agent.call('no_tool'), /There is no tool no_tool/)
    })

    test('long answers are cut, and their cursors lead to all of it', async () => {
      const chain = { OptionRootId: 1, OptionSpaceSegment: 'AllDates' }
      const pieces = await allOf(agent, 'get_option_chain', chain)
      assert.ok(pieces.length > 1)
      for (const { text } of pieces) assert.ok(text.length < 21_000, String(text.length))
      const optionsIn = (document: Record<string, unknown>) =>
        (document.OptionSpace as { SpecificOptions?: { Uic: number }[] }[]).flatMap(({ SpecificOptions = [] }) =>
          SpecificOptions.map(({ Uic }) => Uic),
        )
      const { body } = await rest('/ref/v1/instruments/contractoptionspaces/1?OptionSpaceSegment=AllDates')
      assert.deepEqual(
        pieces.flatMap(({ structured }) => optionsIn(structured ?? {})),
        optionsIn(body),
      )

      const found = await allOf(agent, 'search_instruments', { AssetTypes: 'Stock', top: 100 })
      assert.ok(found.length > 2)
      const { body: all } = await rest('/ref/v1/instruments?AssetTypes=Stock&$top=1000')
      assert.deepEqual(found.flatMap(rowsOf), all.Data)
    })
  })

test('a second user sees only their rights', async () => {
  const events = (await allOf(bo, 'list_events', {})).flatMap(rowsOf)
  assert.ok(events.length > 0)
  assert.deepEqual(events, (await rest('/ca/v2/events?$top=1000', 'bo')).body.Data)
  const [ofAda] = rowsOf(await transports.http.call('list_events', { top: 1 }))
  const { isError, text } = await bo.call('get_event', { EventId: ofAda?.EventId })
  const unknown = await bo.call('get_event', { EventId: 'none' })
  assert.equal(isError, true)
  assert.equal(text.replace(String(ofAda?.EventId), 'none'), unknown.text)
})

test('changes and their errors are those of the operations: elect, load_scenario', async () => {
  const { http, stdio } = transports
  const { structured } = await http.call('load_scenario', { Name: 'tender-offer' })
  assert.equal(structured?.IsLoaded, true)
  assert.match((await stdio.call('load_scenario', { Name: 'tender-offer' })).text, /^ScenarioLoaded: /)
  const electable = async (agent: Agent) =>
    (await allOf(agent, 'list_events', {})).flatMap(rowsOf).find(({ EventId }) => EventId === 'SC-TENDER-81001')
  const event = (await electable(http)) as {
    EventId: string
    Options: { OptionId: string }[]
    Holdings: { AccountKey: string; ElectedAmount: number }[]
  }
  const [{ AccountKey } = { AccountKey: '' }] = event.Holdings
  for (const [agent, Amount] of [
    [http, 3],
    [stdio, 5],
  ] as const) {
    const Options = [{ OptionId: event.Options[0]?.OptionId, Amount }]
    assert.equal((await agent.call('elect', { EventId: event.EventId, AccountKey, Options })).text, 'Done.')
    const { structured: changed } = await agent.call('get_event', { EventId: event.EventId })
    const holdings = changed?.Holdings as typeof event.Holdings
    assert.equal(holdings.find((each) => each.AccountKey === AccountKey)?.ElectedAmount, Amount)
  }
  const { isError, text } = await bo.call('elect', { EventId: event.EventId, AccountKey, Options: [] })
  assert.equal(isError, true)
  assert.match(text, /^NoResultFound: /)
})

test('refdesk mcp gets another token when its own is rejected, once for all calls', async () => {
  let renewals = 0
  const renew = async () => {
    renewals += 1
    const token = await issueDemoToken(service.node.context, demoApp.AppKey, 'ada')
    noteSecret('access token', token)
    return token
  }
  const request = { method: 'GET', target: '/port/v1/users/me' } as const
  const call = callOverHttp({ baseUrl, token: 'ended', renew })
  const responses = await Promise.all([call(request), call(request), call(request)])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal(renewals, 1)
  assert.equal((await callOverHttp({ baseUrl, token: 'ended' })(request)).status, 401)
  await assert.rejects(callOverHttp({ baseUrl: 'http://127.0.0.1:1/openapi', token: 'x' })(request), /does not answer/)
})

test('after a travel the agent works on at the new time, and never gets the new token', async () => {
  assert.match((await transports.http.call('travel', { Now: 'yesterday' })).text, /^InvalidModelState: .*\nNow: /s)
  // The tokens of before have expired afterwards, or are from the future.
  for (const [agent, AdvanceSeconds] of [
    [transports.http, 3_600],
    [transports.stdio, -86_400],
  ] as const) {
    const { text, structured } = await agent.call('travel', { AdvanceSeconds })
    assert.equal(structured?.IsTravelled, true, text)
    assert.ok(!text.includes('access_token') && structured?.Session === undefined)
    assert.equal((await agent.call('get_instrument', { Uic: 1000, AssetType: 'Stock' })).isError, false)
  }
})
