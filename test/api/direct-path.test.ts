import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { DirectReply } from '../../src/http/direct/direct-reply.ts'
import { addDirectOperation } from '../../src/http/operation.ts'
import { addSteps } from '../../src/http/pipeline.ts'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { askAndNotePath, ask as askServer, askUsual, type Sent } from '../support/http/direct.ts'
import { testCaller, testServer } from '../support/http-server.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, obtainTokens } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { server } = service.node
const base = new URL(service.baseUrl).pathname
const ask = askAndNotePath(server)
const { access_token: token } = await obtainTokens(service.url)
const authorization = `Bearer ${token}`
const stock = `${base}/ref/v1/instruments/details/1000/Stock`
// From now on the token is known.
await ask({ url: `${base}/port/v1/users/me`, headers: { authorization } })

/** Whether a request took the direct path, and its status. */
async function pathOf(request: Sent): Promise<readonly [string | undefined, number]> {
  const { path, response } = await ask({ ...request, headers: { authorization, ...request.headers } })
  return [path, response.statusCode]
}

/** Without what differs from request to request. */
function common({ statusCode, headers, rawPayload }: Awaited<ReturnType<typeof ask>>['response']) {
  const { date: _, 'x-correlation': __, ...others } = headers
  const same = Object.entries(others).filter(([name]) => !/^x-ratelimit-.*-(remaining|reset)$/.test(name))
  return { statusCode, headers: Object.fromEntries(same), body: rawPayload.toString('latin1') }
}

const addresses = [
  '/details/1000/Stock',
  '/details/1000/Stock?FieldGroups=OrderSetting,TradingSessions',
  '/details?$top=3&AssetTypes=Stock',
  '?Keywords=asml',
  '?Keywords=as%20ml&$top=2&$inlinecount=AllPages',
  '?keywords=vestas&IncludeNonTradable=true',
  '/contractoptionspaces/30?OptionSpaceSegment=AllDates',
  '/futuresspaces/5000',
  '/tradingschedule/1000/Stock',
]
const headersOf: Record<string, Record<string, string>> = {
  plain: {},
  compressed: { 'accept-encoding': 'gzip, br' },
  tagged: { 'if-none-match': '*' },
  identified: { 'x-request-id': 'mine' },
}

for (const [name, headers] of Object.entries(headersOf))
  test(`the direct path sends what the usual one sends, remembered or not (${name})`, async () => {
    for (const address of [
      ...addresses.map((each) => `/ref/v1/instruments${each}`),
      '/port/v1/users/me',
      '/port/v1/clients/me',
    ]) {
      const request = { url: `${base}${address}`, headers: { authorization, ...headers } }
      const usual = common((await ask(request, askUsual)).response)
      // What a node knows of a caller it may have to read again, on the usual path.
      const askDirect = async () => {
        const { path, response } = await ask(request)
        return path === 'direct' ? response : undefined
      }
      for (let time = 0; time < 3; time++)
        assert.deepEqual(common(await eventually(askDirect, `${address} on the direct path`)), usual, address)
    }
  })

test('a request with anything unusual takes the usual path', async () => {
  const unusual: Record<string, readonly [Sent, number]> = {
    'another method': [{ url: stock, method: 'HEAD' }, 200],
    'a page of another origin': [{ url: stock, headers: { origin: 'http://localhost:5000' } }, 200],
    'an unknown token': [{ url: stock, headers: { authorization: 'Bearer x' } }, 401],
    'a body': [{ url: stock, payload: '{}', headers: { 'content-type': 'application/json' } }, 200],
    'another spelling': [{ url: stock.replace('details', 'Details') }, 200],
    'a trailing slash': [{ url: `${stock}/` }, 200],
    'an escape': [{ url: stock.replace('Stock', '%53tock') }, 200],
    'an operation that reads the database': [{ url: `${base}/ca/v2/events` }, 200],
    'a wrong parameter': [{ url: `${base}/ref/v1/instruments?$top=x` }, 400],
    'too many parameters': [{ url: `${stock}?${'a=1&'.repeat(201)}` }, 400],
    'an address that is too long': [{ url: `${stock}?a=${'x'.repeat(33_000)}` }, 414],
    'an instrument that does not exist': [{ url: stock.replace('1000', '999999') }, 404],
  }
  for (const [name, [request, status]] of Object.entries(unusual))
    assert.deepEqual(await pathOf(request), ['usual', status], name)
  assert.deepEqual(await pathOf({ url: stock }), ['direct', 200])
})

test('a request counts once, whichever path it takes', async () => {
  const limited = await serviceForFile({ reference: true, env: { RATE_LIMITS: 'on', RATE_LIMIT_REFDATA_MINUTE: '5' } })
  const askLimited = askAndNotePath(limited.node.server)
  const { access_token } = await obtainTokens(limited.url)
  const get = async (url: string) => {
    const { path, response } = await askLimited({ url, headers: { authorization: `Bearer ${access_token}` } })
    const remaining = response.headers['x-ratelimit-refdatainstrumentsminute-remaining']
    return [path, response.statusCode, Number(remaining)]
  }
  const unknown = stock.replace('1000', '999999')

  assert.deepEqual(await get(stock), ['usual', 200, 4])
  assert.deepEqual(await get(stock), ['direct', 200, 3])
  assert.deepEqual(await get(unknown), ['usual', 404, 2])
  assert.deepEqual(await get(stock), ['direct', 200, 1])
  assert.deepEqual(await get(unknown), ['usual', 404, 0])
  assert.deepEqual(await get(stock), ['usual', 429, 0])
})

test('a fault of the app is injected', async () => {
  const fault = {
    method: 'PUT',
    url: `${base}/x/v1/faults/${demoApp.AppKey}`,
    payload: { Kind: 'Unavailable' },
  } as const
  assert.deepEqual(await pathOf(fault), ['usual', 200])
  await service.node.context.feed.poll()

  assert.deepEqual(await pathOf({ url: stock }), ['usual', 503])

  assert.deepEqual(await pathOf({ method: 'DELETE', url: fault.url }), ['usual', 204])
  await service.node.context.feed.poll()
  assert.deepEqual(await pathOf({ url: stock }), ['direct', 200])
})

test('a caller who closes the connection is logged with the address', async () => {
  let address: string | undefined
  server.observeResponses((request, reply) => {
    if (reply instanceof DirectReply && request.headers.connection === 'close') address = request.ip
  })
  const { port } = new URL(service.url)
  const socket = connect(Number(port), 'localhost')
  socket.end(`GET ${stock} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${authorization}\r\n\r\n`)
  assert.match(await text(socket), /^HTTP\/1.1 200 /)
  assert.match(await eventually(async () => address, 'the log line'), /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
})

test('a revoked token is rejected', async () => {
  const { access_token, refresh_token } = await obtainTokens(service.url)
  const own = { authorization: `Bearer ${access_token}` }
  assert.deepEqual(await pathOf({ url: stock, headers: own }), ['usual', 200])
  assert.deepEqual(await pathOf({ url: stock, headers: own }), ['direct', 200])
  const form = new URLSearchParams({ token: refresh_token })
  const headers = { authorization: basic() }
  assert.equal((await fetch(`${service.url}/revoke`, { method: 'POST', headers, body: form })).status, 200)
  assert.deepEqual(await pathOf({ url: stock, headers: own }), ['usual', 401])
})

test('an error that only the direct path has is logged, and the framework answers', async () => {
  const { server: failing, lines } = testServer()
  addSteps(failing, {
    admitKnown: (request) => {
      request.caller = testCaller
      return true
    },
    remember: () => {
      throw new Error('remember failed')
    },
  })
  const declared = { method: 'GET', path: '/x', operationId: 'x', summary: '', description: '' } as const
  addDirectOperation(failing, declared, () => Buffer.from('{}'))
  await failing.ready()
  const { statusCode } = await askServer(failing, { url: '/x' })
  assert.equal(statusCode, 500)
  assert.equal(lines.filter(({ msg }) => msg === 'unexpected error').length, 2)
})
