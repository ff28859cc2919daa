import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRaw, testCaller, testServer } from '../../../test/support/http-server.ts'

function callerServer() {
  const made = testServer()
  made.server.addHook('onRequest', async (request) => {
    if (request.headers.authorization) request.caller = testCaller
  })
  made.server.get('/things/:Id', async (request) => {
    request.log.info('inside')
    return { anonymous: request.caller === null }
  })
  return made
}

test('every response has session, app, request ID and node; a valid X-Request-Id is kept and returned', async () => {
  const { server } = callerServer()
  const headers = { 'x-request-id': 'Abc-1.2:3_4', authorization: 'x' }
  const known = await server.inject({ url: '/things/1', headers })
  assert.equal(known.headers['x-correlation'], 'session1#app1#Abc-1.2:3_4#n1')
  assert.equal(known.headers['x-request-id'], 'Abc-1.2:3_4')
  const anonymous = await server.inject('/things/1')
  assert.match(String(anonymous.headers['x-correlation']), /^##[0-9a-f]{24}#n1$/)
  assert.equal(anonymous.headers['x-request-id'], undefined)
  assert.deepEqual(anonymous.json(), { anonymous: true })
  assert.match(String((await server.inject('/unknown')).headers['x-correlation']), /^##[0-9a-f]{24}#n1$/)
})

test('an invalid X-Request-Id is replaced and not returned', async () => {
  const { server } = callerServer()
  for (const id of ['', 'a'.repeat(65), 'a#b', 'a b', 'ä']) {
    const answer = await server.inject({ url: '/things/1', headers: { 'x-request-id': id } })
    assert.match(String(answer.headers['x-correlation']), /^##[0-9a-f]{24}#n1$/, id)
    assert.equal(answer.headers['x-request-id'], undefined)
  }
})

test('logs one line per request, with the route pattern; every line has the request ID', async () => {
  const { server, lines } = callerServer()
  const headers = { 'x-request-id': 'r1', authorization: 'Bearer hidden' }
  await server.inject({ url: '/things/hidden?token=hidden', headers })
  await server.inject('/hidden/path')
  const [inside, answered, unknown, ...more] = lines
  assert.deepEqual([inside?.reqId, answered?.reqId], ['r1', 'r1'])
  const { method, route, status, session, app, address, ms } = answered ?? {}
  assert.deepEqual(
    { method, route, status, session, app, address },
    { method: 'GET', route: '/things/:Id', status: 200, session: 'session1', app: 'app1', address: '127.0.0.1' },
  )
  assert.equal(typeof ms, 'number')
  assert.equal(unknown?.status, 404)
  assert.ok(unknown && !('route' in unknown))
  assert.deepEqual(more, [])
  assert.doesNotMatch(JSON.stringify(lines), /hidden/)
})

test('logging a request or a reply writes nothing of it', async () => {
  const { server, lines } = testServer()
  server.get('/x', async (request, reply) => {
    request.log.info({ req: request, res: reply }, 'careless')
    return 'x'
  })
  await server.inject({ url: '/x?token=hidden', headers: { authorization: 'hidden' } })
  assert.ok(lines.some(({ msg }) => msg === 'careless'))
  assert.doesNotMatch(JSON.stringify(lines), /hidden/)
})

test('X-Forwarded-For counts only from a trusted address', async () => {
  const ask = async (trustProxy: string[]) => {
    const { server } = testServer({ trustProxy })
    server.get('/ip', async ({ ip }) => ip)
    return (await server.inject({ url: '/ip', headers: { 'x-forwarded-for': '203.0.113.7' } })).body
  }
  assert.equal(await ask([]), '127.0.0.1')
  assert.equal(await ask(['10.0.0.1']), '127.0.0.1')
  assert.equal(await ask(['127.0.0.1']), '203.0.113.7')
})

test('a caller who disconnects while sending a body is not logged as an outage', async (t) => {
  const { server, lines } = testServer()
  t.after(() => server.close())
  const failed = Promise.withResolvers<void>()
  server.addHook('onError', async () => failed.resolve())
  server.addHook('onRequest', async ({ socket }) => void setImmediate(() => socket.destroy()))
  server.post('/x', async () => 'x')
  const head = 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
  await sendRaw(server, head).catch(() => '')
  await failed.promise
  await new Promise(setImmediate)
  assert.ok(!lines.some(({ msg }) => msg === 'outage' || msg === 'unexpected error'))
})
