import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller, testServer } from '../../test/support/http-server.ts'
import { Problem } from '../core/problem.ts'
import { type Answer, addSteps } from './pipeline.ts'

const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(2_000) }))

/** A scope that remembers its responses by address and encoding. A token is known once it was seen. */
function rememberingServer() {
  const { server } = testServer()
  const answers = new Map<string, Answer>()
  const known = new Set<string>()
  const handled: string[] = []
  const keyOf = ({ url, headers }: { url: string; headers: Record<string, unknown> }) =>
    `${url} ${headers['accept-encoding'] ?? ''}`
  addSteps(server, {
    admit(request) {
      const token = request.headers.authorization ?? ''
      if (token === 'bad') throw new Problem('Unauthorized', 'Bad token.')
      request.caller = testCaller
      if (known.has(token)) return undefined
      return Promise.resolve().then(() => {
        if (token === 'worse') throw new Problem('Unauthorized', 'Worse token.')
        known.add(token)
      })
    },
    answer: (request) => answers.get(keyOf(request)),
    remember(request, reply, payload) {
      if (reply.statusCode !== 200) return
      const names = ['content-type', 'etag', 'vary', 'content-encoding'].filter((name) => reply.hasHeader(name))
      const headers = Object.fromEntries(names.map((name) => [name, String(reply.getHeader(name))]))
      answers.set(keyOf(request), { status: 200, headers, body: Buffer.from(payload) })
    },
  })
  server.get('/things/:Id', async (request, reply) => {
    handled.push(request.url)
    return reply.header('content-type', 'application/json; charset=utf-8').header('etag', '"1"').send(body)
  })
  return { server, handled }
}

for (const encoding of [undefined, 'gzip'])
  test(`a remembered response equals the first one, but for its own headers (${encoding ?? 'plain'})`, async () => {
    const { server, handled } = rememberingServer()
    const ask = (id: string) =>
      server.inject({
        url: '/things/1',
        headers: { authorization: 't', 'x-request-id': id, ...(encoding && { 'accept-encoding': encoding }) },
      })

    const [first, second] = [await ask('a'), await ask('b')]

    assert.deepEqual(handled, ['/things/1'])
    assert.equal(first.headers['content-encoding'], encoding)
    assert.deepEqual(second.rawPayload, first.rawPayload)
    assert.equal(second.headers['x-correlation'], 'session1#app1#b#n1')
    const common = ({ headers: { date: _date, ...headers } }: typeof first) => ({
      ...headers,
      'x-correlation': '',
      'x-request-id': '',
    })
    assert.deepEqual(common(second), common(first))
  })

test('a request that is not admitted gets its error instead of a remembered response', async () => {
  const { server, handled } = rememberingServer()
  await server.inject({ url: '/things/1', headers: { authorization: 't' } })

  for (const authorization of ['bad', 'worse']) {
    const { statusCode, headers } = await server.inject({ url: '/things/1', headers: { authorization } })
    assert.equal(statusCode, 401)
    assert.equal(headers.etag, undefined)
  }
  assert.equal(handled.length, 1)
})

test('a failing look-up is an error and not a hanging request', async () => {
  for (const waits of [true, false]) {
    const { server } = testServer()
    addSteps(server, {
      admit: () => (waits ? Promise.resolve() : undefined),
      answer: () => {
        throw new Error('broken')
      },
    })
    server.get('/x', async () => 'x')
    assert.equal((await server.inject('/x')).statusCode, 500)
  }
})
