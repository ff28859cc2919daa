import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as Clientlib from 'openapi-clientlib'
import { connectBrowser } from '../support/browser/browser.ts'
import { at, type Call, callAll, read, startWebsite } from '../support/browser/clientlib.ts'
import { demoKey } from '../support/demo.ts'
import { serviceForFile, type TestService } from '../support/service/service.ts'

const standard = await serviceForFile()
const vendor = await serviceForFile({ besides: standard, env: { COMPAT: 'vendor' } })
const browser = await connectBrowser()

const [UserKey, ClientKey] = [demoKey('user ada'), demoKey('client ada')]
/** What a page of an app asks for at once, each with a path into the response and the value expected there. */
const startUp: [Call, string, unknown][] = [
  [read('port', 'v1/users/me'), 'UserKey', UserKey],
  [read('port', 'v1/clients/me'), 'DefaultAccountId', '9226397'],
  [read('port', 'v1/accounts/me'), 'Data.0.AccountGroupName', 'Family'],
  [read('port', 'v1/users/{UserKey}', { UserKey }), 'LastLoginStatus', 'Successful'],
  [read('port', 'v1/clients/{ClientKey}', { ClientKey }), 'PositionNettingMode', 'EndOfDay'],
  [read('port', 'v1/accounts', {}, { ClientKey }), 'Data.length', 3],
  [read('root', 'v1/user'), 'Operations.1', 'OAPI.OP.TakeTradeSession'],
  [read('root', 'v1/sessions/capabilities'), 'TradeLevel', 'OrdersOnly'],
]
const notOffered = [read('port', 'v1/balances/me'), read('port', 'v1/netpositions/me')]

async function openPage(service: TestService) {
  const website = await startWebsite(service)
  const context = await browser.newContext()
  const page = await context.newPage()
  const sent: string[] = []
  const errors: string[] = []
  page.on('request', (request) => sent.push(`${request.method()} ${request.url().slice(service.baseUrl.length)}`))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.clock.install()
  await page.goto(website.origin)
  return { page, sent, errors, close: () => context.close() }
}

for (const [COMPAT, service] of Object.entries({ off: standard, vendor })) {
  test(`a page starts with one batch per service group through openapi-clientlib (COMPAT=${COMPAT})`, async (t) => {
    const { page, sent, errors, close } = await openPage(service)
    t.after(close)

    const answers = await callAll(page, 'batch', [...startUp.map(([call]) => call), ...notOffered])

    for (const [index, [call, place, expected]] of startUp.entries())
      assert.deepEqual([answers[index]?.status, at(answers[index]?.response, place)], [200, expected], call[2])
    assert.deepEqual(answers[3]?.response, answers[0]?.response)
    assert.deepEqual(answers[4]?.response, answers[1]?.response)
    assert.deepEqual(answers[5]?.response, answers[2]?.response)
    for (const { status, response } of answers.slice(startUp.length)) {
      assert.deepEqual([status, at(response, 'ErrorCode')], [404, 'NotOffered'])
      assert.match(String(at(response, 'Message')), /docs\/compatibility\.md/)
    }
    const posted = sent.filter((line) => line.startsWith('POST') && line.endsWith('/batch'))
    assert.deepEqual(posted.sort(), ['POST /port/batch', 'POST /root/batch'])

    const body = { TradeLevel: 'FullTradingAndChat' }
    const [changed] = await callAll(page, 'writes', [['patch', 'root', 'v1/sessions/capabilities', {}, { body }]])
    const [after] = await callAll(page, 'queue', [read('root', 'v1/sessions/capabilities')])
    assert.deepEqual([changed?.status, at(after?.response, 'TradeLevel')], [202, 'FullTradingAndChat'])
    assert.deepEqual(errors, [])
  })

  test(`streaming fails once and stays quiet (COMPAT=${COMPAT})`, async (t) => {
    const { page, sent, errors, close } = await openPage(service)
    t.after(close)
    await callAll(page, 'queue', [read('port', 'v1/users/me')])

    const states = await page.evaluate((url) => {
      const { Streaming, streamingTransports } = window.app.clientlib
      const options = { transportTypes: [streamingTransports.PLAIN_WEBSOCKETS] }
      const transport = window.app.queue as unknown as Clientlib.TransportQueue
      const streaming = new Streaming(transport, url, window.app.provider, options)
      const seen: unknown[] = []
      streaming.on(streaming.EVENT_CONNECTION_STATE_CHANGED, (state) => {
        seen.push(state && streaming.READABLE_CONNECTION_STATE_MAP[state])
      })
      return new Promise<unknown[]>((resolve) => streaming.on(streaming.EVENT_STREAMING_FAILED, () => resolve(seen)))
    }, service.baseUrl)
    await page.clock.runFor('05:00')

    assert.deepEqual(states, ['Failed'])
    const streamed = sent.filter((line) => line.includes('/streaming')).map((line) => line.split('?', 1)[0])
    assert.deepEqual(streamed, ['PUT /streamingws/authorize'])
    assert.deepEqual(errors, [])
  })

  test(`a page can read why streaming is refused, and a WebSocket never opens (COMPAT=${COMPAT})`, async (t) => {
    const { page, errors, close } = await openPage(service)
    t.after(close)

    const refused = await page.evaluate(async (base) => {
      const negotiate = await fetch(`${base}/streaming/negotiate?negotiateVersion=1`, { method: 'POST' })
      const events: string[] = []
      const socket = new WebSocket(`${base.replace('http', 'ws')}/streamingws/connect?contextId=a`)
      socket.onopen = () => events.push('open')
      await new Promise<void>((resolve) => {
        socket.onclose = () => resolve()
      })
      const { ErrorCode } = (await negotiate.json()) as { ErrorCode: string }
      return { status: negotiate.status, ErrorCode, events, state: socket.readyState }
    }, service.baseUrl)

    assert.deepEqual(refused, { status: 404, ErrorCode: 'NotOffered', events: [], state: 3 })
    assert.deepEqual(errors, [])
  })
}
