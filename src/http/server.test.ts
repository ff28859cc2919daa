import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Type } from 'typebox'
import { sendRaw, testServer } from '../../test/support/http-server.ts'
import { Problem } from '../core/problem.ts'

test('paths match in any case and with a trailing slash, and parameters keep their case', async () => {
  const { server } = testServer()
  await server.register(
    async (api) => {
      api.get('/Things/:Id', async ({ params }) => params)
    },
    { prefix: '/sim/openapi' },
  )
  for (const url of ['/sim/openapi/Things/AbC', '/SIM/OpenApi/things/AbC/', '/sim/openapi/THINGS/AbC?x=1'])
    assert.deepEqual((await server.inject(url)).json(), { Id: 'AbC' }, url)
})

test('an unknown path is a 404 and a known path with another method a 405 with Allow, in any case', async () => {
  const { server } = testServer()
  server.get('/', async () => 'root')
  await server.register(
    async (api) => {
      api.get('/things/:Id', async () => 'x')
      api.delete('/things/:Id', async () => 'x')
      api.get('/', async () => 'x')
    },
    { prefix: '/base' },
  )
  const unknown = await server.inject('/base/nothing')
  assert.equal(unknown.statusCode, 404)
  assert.equal(unknown.json().ErrorCode, 'NoResultFound')
  for (const url of ['/base/things/1', '/BASE/Things/1/?a=b']) {
    const answer = await server.inject({ method: 'POST', url })
    assert.equal(answer.statusCode, 405, url)
    assert.equal(answer.headers.allow, 'DELETE, GET, HEAD')
    assert.equal(answer.json().ErrorCode, 'RequestNotAllowed')
  }
  for (const url of ['/', '/base', '/base/']) {
    assert.equal((await server.inject({ method: 'PUT', url })).headers.allow, 'GET, HEAD', url)
    assert.equal((await server.inject({ method: 'HEAD', url })).statusCode, 200, url)
  }
  assert.equal((await server.inject({ method: 'OPTIONS', url: '/base' })).statusCode, 405)
})

test('an unknown path is reported before the body is read', async () => {
  const { server } = testServer()
  server.get('/known', async () => 'x')
  const headers = { 'content-type': 'text/plain' }
  assert.equal((await server.inject({ method: 'POST', url: '/no', headers, body: 'x' })).statusCode, 404)
  assert.equal((await server.inject({ method: 'POST', url: '/known', headers, body: 'x' })).statusCode, 405)
})

test('a body over 64 KiB is 413, an address over 32,768 characters 414, a query over 200 parameters 400', async () => {
  const { server } = testServer()
  server.post('/things', async () => 'x')
  server.get('/things/:Id', async () => 'x')
  const post = (letters: number) =>
    server.inject({ method: 'POST', url: '/things', body: { text: 'a'.repeat(letters) } as object })
  assert.equal((await post(65_000)).statusCode, 200)
  const tooLarge = await post(66_000)
  assert.equal(tooLarge.statusCode, 413)
  assert.equal(tooLarge.json().ErrorCode, 'InvalidRequest')
  assert.equal((await server.inject(`/things/${'a'.repeat(32_768 - 8)}`)).statusCode, 200)
  const tooLong = await server.inject(`/things/${'a'.repeat(32_769 - 8)}`)
  assert.equal(tooLong.statusCode, 414)
  assert.equal(tooLong.json().ErrorCode, 'InvalidRequest')
  assert.equal((await server.inject(`/nothing/${'a'.repeat(32_769)}`)).statusCode, 414)
  assert.equal((await server.inject(`/things/1?${'a&'.repeat(200)}`)).statusCode, 200)
  assert.equal((await server.inject(`/things/1?${'a&'.repeat(201)}`)).statusCode, 400)
})

test('a path with a malformed escape is a 400 with our body and headers', async () => {
  const { server, lines } = testServer()
  server.get('/things/:Id', async () => 'x')
  const answer = await server.inject({ url: '/things/%zz', headers: { 'x-request-id': 'mine' } })
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().ErrorCode, 'InvalidRequest')
  assert.equal(answer.headers['x-correlation'], '##mine#n1')
  const [line] = lines
  assert.deepEqual([line?.msg, line?.reqId, line?.status, line?.route], ['answered', 'mine', 400, undefined])
})

test('X-HTTP-Method-Override works on POST for PATCH, PUT and DELETE in any case, and for nothing else', async (t) => {
  const { server } = testServer()
  t.after(() => server.close())
  server.route({
    method: ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'],
    url: '/x',
    handler: async ({ method }) => ({ method }),
  })
  const send = (method: 'POST' | 'GET', override: string) =>
    server.inject({ method, url: '/x', headers: { 'x-http-method-override': override } })
  assert.equal((await send('POST', 'PATCH')).json().method, 'PATCH')
  assert.equal((await send('POST', 'put')).json().method, 'PUT')
  assert.equal((await send('POST', 'Delete')).json().method, 'DELETE')
  for (const other of ['GET', 'POST', 'TRACE', '']) assert.equal((await send('POST', other)).statusCode, 400, other)
  assert.equal((await send('GET', 'DELETE')).json().method, 'GET')
  const head =
    'POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n'
  assert.match(await sendRaw(server, `${head}X-HTTP-Method-Override: patch\r\n\r\n{}`), /\{"method":"PATCH"\}$/)
})

test('too many requests in flight are 503 with Retry-After, and a finished one makes room again', async () => {
  const { server } = testServer({ limits: { requestsInFlight: 1 } })
  const gate = Promise.withResolvers<string>()
  server.get('/slow', () => gate.promise)
  server.get('/fast', async () => 'fast')
  server.get('/health', { config: { alwaysAnswered: true } }, async () => 'alive')
  const entered = server.inject('/slow')
  await server.ready()
  while ((await server.inject('/fast')).statusCode === 200) await new Promise(setImmediate)
  const rejected = await server.inject('/fast')
  assert.equal(rejected.statusCode, 503)
  assert.equal(rejected.json().ErrorCode, 'ServiceUnavailable')
  assert.equal(rejected.headers['retry-after'], '1')
  assert.equal((await server.inject('/health')).statusCode, 200)
  gate.resolve('done')
  assert.equal((await entered).body, 'done')
  await new Promise(setImmediate)
  assert.equal((await server.inject('/fast')).statusCode, 200)
})

test('compresses responses and errors above 1 KiB as the caller accepts', async () => {
  const { server } = testServer()
  const long = 'abc '.repeat(1000)
  server.get('/long', async () => ({ long }))
  server.get('/short', async () => ({ short: 'abc' }))
  server.get('/error', async () => {
    throw new Problem('NoResultFound', long)
  })
  const ask = (url: string, accept: string) => server.inject({ url, headers: { 'accept-encoding': accept } })
  const gzip = await ask('/long', 'gzip, deflate')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.match(String(gzip.headers.vary), /Accept-Encoding/)
  assert.deepEqual(JSON.parse(String(gunzipSync(gzip.rawPayload))), { long })
  const br = await ask('/long', 'gzip, br')
  assert.equal(br.headers['content-encoding'], 'br')
  assert.deepEqual(JSON.parse(String(brotliDecompressSync(br.rawPayload))), { long })
  assert.equal((await ask('/long', 'br;q=0, gzip;q=0.5')).headers['content-encoding'], 'gzip')
  const plain = await ask('/long', 'identity')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.match(String(plain.headers.vary), /Accept-Encoding/)
  assert.equal((await ask('/error', 'br')).headers['content-encoding'], 'br')
  const head = await server.inject({ method: 'HEAD', url: '/long', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(head.headers['content-length'], String(gzip.rawPayload.length))
  assert.equal((await ask('/short', 'br')).headers['content-encoding'], undefined)
})

test('every response has nosniff and no-referrer', async () => {
  const { server } = testServer()
  server.get('/x', async () => 'x')
  for (const url of ['/x', '/unknown', '/%zz']) {
    const { headers } = await server.inject(url)
    assert.equal(headers['x-content-type-options'], 'nosniff', url)
    assert.equal(headers['referrer-policy'], 'no-referrer', url)
  }
})

test('a response has only the fields of its schema', async () => {
  const { server } = testServer()
  const Row = Type.Object({
    Uic: Type.Integer(),
    Note: Type.Optional(Type.String()),
    When: Type.String({ format: 'date' }),
  })
  const row = { Uic: 1, When: '2026-01-02', secret: 'x' }
  server.get('/row', { schema: { response: { 200: Row } } }, async () => row)
  const answer = await server.inject('/row')
  assert.equal(answer.body, '{"Uic":1,"When":"2026-01-02"}')
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
})

test('while closing, requests on open connections are still answered, with Connection: close', async () => {
  const { server } = testServer()
  const entered = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const drained = Promise.withResolvers<void>()
  server.addHook('preClose', async () => {
    closing.resolve()
    await drained.promise
  })
  server.get('/slow', async () => {
    entered.resolve()
    await gate.promise
    return { draining: server.draining }
  })
  server.get('/ready', async () => ({ draining: server.draining }))
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const agent = new Agent({ keepAlive: true })
  const ask = async (path: string) => {
    const [response] = (await once(get(address + path, { agent }), 'response')) as [IncomingMessage]
    return { connection: response.headers.connection, ...JSON.parse(await text(response)) }
  }
  assert.deepEqual(await ask('/ready'), { connection: 'keep-alive', draining: false })
  const inFlight = ask('/slow')
  await entered.promise
  const closed = server.close()
  await closing.promise
  assert.deepEqual(await ask('/ready'), { connection: 'close', draining: true })
  drained.resolve()
  gate.resolve()
  assert.deepEqual(await inFlight, { connection: 'close', draining: true })
  await closed
})

test('limits the duration and number of connections', () => {
  const { requestTimeout, headersTimeout, keepAliveTimeout, timeout, maxConnections } = testServer().server.server
  assert.deepEqual([requestTimeout, headersTimeout], [30_000, 10_000])
  for (const bound of [keepAliveTimeout, timeout, maxConnections]) assert.ok(bound > 0 && Number.isFinite(bound))
})
