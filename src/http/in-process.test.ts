import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { testCaller, testServer } from '../../test/support/http-server.ts'
import { DirectReply } from './direct/direct-reply.ts'
import type { RestRequest } from './exchange.ts'
import { callInProcess, sourceOf } from './in-process.ts'
import { RateLimiter } from './limits/rate-limiter.ts'
import { countRates, limitRates } from './limits/rate-limits.ts'
import { addDirectOperation } from './operation.ts'
import { addSteps } from './pipeline.ts'

test('a disconnected caller has the address of its request', async (t) => {
  const { server } = testServer()
  t.after(() => server.close())
  const arrived = Promise.withResolvers<void>()
  const address = Promise.withResolvers<string>()
  server.get('/', async (request) => {
    const left = once(request.raw.socket, 'close')
    arrived.resolve()
    await left
    address.resolve(sourceOf(request).remoteAddress)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  await arrived.promise
  socket.destroy()
  assert.equal(await address.promise, '127.0.0.1')
})

const remaining = 'x-ratelimit-session-remaining'

/** A server with an operation of the direct path and one that leaves it, with a note of the path of every response. */
async function directServer() {
  const { server } = testServer()
  const paths: string[] = []
  const limiter = new RateLimiter({ now: () => 600_000_000 })
  const count = countRates({ limiter, mode: 'on', basePath: '' })
  const limit = limitRates(count)
  server.observeResponses((request, reply) => {
    paths.push(`${reply instanceof DirectReply ? 'direct' : 'usual'} ${request.url} ${request.ip}`)
  })
  server.register(async (scope: typeof server) => {
    const admitKnown = (request: RestRequest) => {
      request.caller = testCaller
      return request.headers.authorization === 'Bearer known'
    }
    addSteps(scope, {
      admitKnown,
      count,
      admit: (request, reply) => {
        request.caller = testCaller
        return limit(request, reply)
      },
    })
    const declared = { method: 'GET', operationId: 'x', summary: '', description: '' } as const
    addDirectOperation(scope, { ...declared, path: '/g/direct' }, ({ headers }) => Buffer.from(`"${headers.accept}"`))
    addDirectOperation(scope, { ...declared, operationId: 'y', path: '/g/leaving' }, (_request, reply) =>
      reply instanceof DirectReply ? undefined : Buffer.from('{"a":"é"}'),
    )
  })
  await server.ready()
  const call = callInProcess(server)
  const ask = (url: string, more: object = {}) => {
    const headers = { authorization: 'Bearer known', accept: 'a/b' }
    return call({ method: 'GET', url, headers, remoteAddress: '192.0.2.1', ...more })
  }
  return { ask, paths }
}

test('a call takes the direct path if it may, and is counted once', async () => {
  const { ask, paths } = await directServer()
  const direct = await ask('/g/direct')
  assert.deepEqual([direct.statusCode, direct.body, direct.headers[remaining]], [200, '"a/b"', '119'])
  assert.equal(direct.headers['content-length'], '5')
  const leaving = await ask('/g/leaving')
  assert.deepEqual([leaving.statusCode, leaving.body, leaving.headers[remaining]], [200, '{"a":"é"}', '118'])
  await eventually(async () => paths.length === 2 || undefined)
  // In the order in which they were answered.
  assert.deepEqual(paths, ['direct /g/direct 192.0.2.1', 'usual /g/leaving 192.0.2.1'])
})

test('what the framework sent as a whole is the source of a response, so that the same answer is recognized', async () => {
  const { server } = testServer()
  const kept = Buffer.from('{"a":"é"}')
  server.get('/kept', (_request, reply) => reply.type('application/json').send(kept))
  server.get('/parts', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'é'])))
  await server.ready()
  const ask = (url: string) => callInProcess(server)({ method: 'GET', url, headers: {}, remoteAddress: '192.0.2.1' })
  for (let time = 0; time < 2; time++) assert.equal((await ask('/kept')).source, kept)
  const { source, body } = await ask('/parts')
  assert.deepEqual([source, body], [undefined, 'aé'])
})

test('other calls take the usual path with the same response', async () => {
  const { ask, paths } = await directServer()
  const direct = await ask('/g/direct', { headers: { authorization: ['Bearer known'], accept: 'a/b' } })
  assert.equal(direct.body, '"a/b"')
  const unusual = [
    { headers: { authorization: 'Bearer unknown', accept: 'a/b' } },
    { headers: { authorization: 'Bearer known', accept: ['a/b', 'a/b'] } },
    { headers: { authorization: 'Bearer known', accept: 'a/b', 'accept-encoding': 'identity' } },
    { method: 'HEAD' },
  ]
  for (const more of unusual) {
    const response = await ask('/g/direct', more)
    assert.equal(response.statusCode, 200)
    const name = 'x-content-type-options'
    assert.equal(response.headers[name], direct.headers[name])
  }
  await eventually(async () => paths.length === 1 + unusual.length || undefined)
  assert.equal(paths.filter((path) => path.startsWith('usual')).length, unusual.length)
})

test('a call that the framework serves has the response of one over the network', async (t) => {
  const { server } = testServer()
  t.after(() => server.close())
  server.get('/json', (_request, reply) => reply.code(201).header('ETag', '"1"').send({ a: 'é' }))
  server.get('/parts', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'bc', 'é'])))
  server.get('/cookies', (_request, reply) => reply.header('set-cookie', ['a=1', 'b=2']).send('x'))
  server.get('/nothing', (_request, reply) => reply.code(304).send())
  server.get('/fails', () => Promise.reject(new Error('no')))
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const call = callInProcess(server)
  for (const path of ['/json', '/json?a=1', '/parts', '/cookies', '/nothing', '/fails', '/absent']) {
    const own = await call({ method: 'GET', url: path, headers: {}, remoteAddress: '192.0.2.1' })
    const other = await fetch(`http://127.0.0.1:${port}${path}`)
    assert.deepEqual([path, own.statusCode, own.body], [path, other.status, await other.text()])
    for (const name of ['content-type', 'content-length', 'etag'])
      assert.deepEqual([name, own.headers[name] ?? null], [name, other.headers.get(name)])
    if (path === '/cookies') assert.deepEqual(own.headers['set-cookie'], other.headers.getSetCookie())
  }
  await eventually(async () => server.requestsInFlight === 0 || undefined)
})

test('an address is read as over the network', async () => {
  const { server } = testServer()
  server.get('/a/*', async (request) => request.url)
  await server.ready()
  const call = callInProcess(server)
  const urlOf = async (url: string) => (await call({ method: 'GET', url, headers: {}, remoteAddress: '' })).body
  assert.equal(await urlOf('/a/b?c=d%20e,$f'), '/a/b?c=d%20e,$f')
  assert.equal(await urlOf('/a/é ?c=é'), '/a/%C3%A9%20?c=%C3%A9')
  assert.equal(await urlOf('/b/../a/c'), '/a/c')
})

test('a call whose request is cut fails, and is no longer in progress', async () => {
  const { server } = testServer()
  server.get('/cut', (request, reply) => {
    reply.hijack()
    request.raw.destroy()
  })
  await server.ready()
  const cut = callInProcess(server)({ method: 'GET', url: '/cut', headers: {}, remoteAddress: '192.0.2.1' })
  await assert.rejects(Promise.resolve(cut), /cut before its response/)
  await eventually(async () => server.requestsInFlight === 0 || undefined)
})
