import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller, testServer } from '../../../test/support/http-server.ts'
import { Problem } from '../../core/problem.ts'
import { type CorsRules, cors } from './cors.ts'

const origin = 'https://app.example'
const preflight = { origin, 'access-control-request-method': 'PATCH' }

/** A scope as the API has it: CORS first, then the bearer check. */
async function corsServer(rules: CorsRules) {
  const { server } = testServer({ basePath: '/api' })
  server.get('/outside', async () => 'x')
  await server.register(
    async (api) => {
      cors(api, rules)
      api.addHook('onRequest', async (request) => {
        if (!request.headers.authorization) throw new Problem('Unauthorized', 'No token.')
        request.caller = testCaller
      })
      api.get('/', async () => 'root')
      api.get('/things/:Id', async () => ({ Id: 1 }))
      api.patch('/things/:Id', async () => ({ Id: 1 }))
    },
    { prefix: '/api' },
  )
  return server
}

const rules: CorsRules = {
  mayPreflight: (candidate) => candidate === origin,
  mayRead: ({ caller }, candidate) => caller?.appKey === 'app1' && candidate === origin,
  credentials: true,
}

test('a preflight from an allowed origin needs no token', async () => {
  const server = await corsServer(rules)
  for (const url of ['/api/things/1', '/API/Things/1/', '/api']) {
    const { statusCode, headers } = await server.inject({ method: 'OPTIONS', url, headers: preflight })
    assert.equal(statusCode, 204, url)
    assert.equal(headers['access-control-allow-origin'], origin)
    assert.equal(headers['access-control-allow-credentials'], 'true')
    assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE')
    const allowed = ['Authorization', 'Cache-Control', 'Content-Type', 'If-Match', 'If-None-Match']
    const ours = ['MCP-Protocol-Version', 'Pragma', 'X-HTTP-Method-Override', 'X-Request-Id']
    assert.equal(headers['access-control-allow-headers'], [...allowed, ...ours].join(', '))
    assert.equal(headers['access-control-max-age'], '600')
    assert.equal(headers.vary, 'Origin')
  }
})

test('a page can read 404 and 405, also without a token', async () => {
  const server = await corsServer({ ...rules, mayRead: (_request, candidate) => candidate === origin })
  for (const [url, method, status] of [
    ['/api/nothing/here', 'GET', 404],
    // Paths match in any case.
    ['/API/Nothing', 'GET', 404],
    ['/api/things/1', 'PUT', 405],
  ] as const) {
    const asked = await server.inject({ method: 'OPTIONS', url, headers: preflight })
    assert.deepEqual([asked.statusCode, asked.headers['access-control-allow-origin']], [204, origin])
    const { statusCode, headers } = await server.inject({ method, url, headers: { origin } })
    assert.deepEqual([statusCode, headers['access-control-allow-origin']], [status, origin])
    const foreign = await server.inject({ method, url, headers: { origin: 'https://evil.example' } })
    assert.deepEqual([foreign.statusCode, foreign.headers['access-control-allow-origin']], [status, undefined])
  }
  assert.equal((await server.inject({ method: 'OPTIONS', url: '/nothing', headers: preflight })).statusCode, 404)
})

test('a preflight from another origin is a 204 that allows nothing', async () => {
  const server = await corsServer(rules)
  const headers = { ...preflight, origin: 'https://evil.example' }
  const answer = await server.inject({ method: 'OPTIONS', url: '/api/things/1', headers })
  assert.equal(answer.statusCode, 204)
  assert.deepEqual(
    Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
    [],
  )
  assert.equal(answer.headers.vary, 'Origin')
})

test('responses and errors can be read only by an origin that the rules allow for this caller', async () => {
  const server = await corsServer(rules)
  const ask = (from: string, url = '/api/things/1', authorization?: string) =>
    server.inject({ url, headers: { origin: from, ...(authorization && { authorization }) } })
  const read = await ask(origin, '/api/things/1', 'x')
  assert.equal(read.headers['access-control-allow-origin'], origin)
  assert.equal(read.headers['access-control-allow-credentials'], 'true')
  assert.match(String(read.headers.vary), /Origin/)
  const exposed = String(read.headers['access-control-expose-headers']).split(', ')
  for (const name of ['X-Correlation', 'X-Request-Id', 'ETag', 'Link', 'Location', 'WWW-Authenticate', 'Retry-After'])
    assert.ok(exposed.includes(name), name)
  for (const bucket of ['Session', 'RefDataInstrumentsMinute', 'AppDay'])
    for (const part of ['Limit', 'Remaining', 'Reset']) assert.ok(exposed.includes(`X-RateLimit-${bucket}-${part}`))
  const other = await ask('https://evil.example', '/api/things/1', 'x')
  assert.equal(other.headers['access-control-allow-origin'], undefined)
  assert.match(String(other.headers.vary), /Origin/)
  const anonymous = await ask(origin)
  assert.equal(anonymous.statusCode, 401)
  assert.equal(anonymous.headers['access-control-allow-origin'], undefined)
  assert.equal((await ask(origin, '/outside')).headers['access-control-allow-origin'], undefined)
})

test('an error can be read wherever the response can', async () => {
  const server = await corsServer({ ...rules, mayRead: () => true })
  const answer = await server.inject({ url: '/api/things/1', headers: { origin } })
  assert.equal(answer.statusCode, 401)
  assert.equal(answer.headers['access-control-allow-origin'], origin)
})

test('without credentials the response still names the origin', async () => {
  const server = await corsServer({ ...rules, credentials: false })
  const answer = await server.inject({ url: '/api/things/1', headers: { origin, authorization: 'x' } })
  assert.equal(answer.headers['access-control-allow-origin'], origin)
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
})

test('a public scope allows every origin with *', async () => {
  const server = await corsServer('*')
  const asked = await server.inject({ method: 'OPTIONS', url: '/api/things/1', headers: preflight })
  assert.equal(asked.headers['access-control-allow-origin'], '*')
  assert.equal(asked.headers['access-control-allow-credentials'], undefined)
  const answer = await server.inject({ url: '/api/things/1', headers: { origin, authorization: 'x' } })
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
})

test('OPTIONS without a preflight lists the methods; an unknown path is 404; without Origin there is no CORS header', async () => {
  const server = await corsServer(rules)
  const options = await server.inject({ method: 'OPTIONS', url: '/api/things/1', headers: { authorization: 'x' } })
  assert.equal(options.statusCode, 204)
  assert.equal(options.headers.allow, 'GET, HEAD, OPTIONS, PATCH')
  assert.equal((await server.inject({ method: 'OPTIONS', url: '/api/none' })).statusCode, 404)
  const plain = await server.inject({ url: '/api/things/1', headers: { authorization: 'x' } })
  assert.equal(plain.headers['access-control-allow-origin'], undefined)
})
