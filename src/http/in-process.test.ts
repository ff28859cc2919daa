import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { testServer } from '../../test/support/http-server.ts'
import { callInProcess, sourceOf } from './in-process.ts'

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

test('a call has the response of a request over the network', async (t) => {
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
  await assert.rejects(cut, /response destroyed before completion/)
  await eventually(async () => server.requestsInFlight === 0 || undefined)
})
