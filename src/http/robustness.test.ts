import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { sendRaw, testServer } from '../../test/support/http-server.ts'
import { listOf, oneOf } from '../core/schema.ts'

const Thing = Type.Object(
  {
    Name: Type.Optional(Type.String({ maxLength: 5, pattern: '^[a-z]*$' })),
    Kinds: Type.Optional(listOf(oneOf('Put', 'Call'), 2)),
    On: Type.Optional(Type.Boolean()),
    Count: Type.Optional(Type.Integer({ minimum: 0 })),
    Day: Type.Optional(Type.String({ format: 'date' })),
    At: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false },
)

const names = fc.oneof(
  fc.constantFrom(...Object.keys(Thing.properties)),
  fc.constantFrom('constructor', 'toString', 'on'),
  fc.string(),
)
const words = fc.oneof(
  fc.constantFrom('constructor', '__proto__', 'null', 'TRUE', '-0', '2026-02-30', ',,'),
  fc.string(),
)

/** What an accepted value is made of, so that nothing of another type gets through. */
function assertPlain(value: Record<string, unknown>): void {
  for (const [name, type] of [
    ['Name', 'string'],
    ['On', 'boolean'],
    ['Count', 'number'],
    ['Day', 'string'],
    ['At', 'string'],
  ])
    if (name && name in value) assert.equal(typeof value[name], type, name)
}

test('no query causes a 500, and accepted values have the types of their schema', async () => {
  const { server } = testServer()
  server.get('/x', { schema: { querystring: Thing } }, async ({ query }) => query)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(names, words), { maxLength: 4 }), async (pairs) => {
      const answer = await server.inject(`/x?${new URLSearchParams(pairs)}`)
      assert.ok([200, 400].includes(answer.statusCode), answer.body)
      if (answer.statusCode === 200) assertPlain(answer.json())
    }),
    { numRuns: 300 },
  )
})

test('no body causes a 500, and accepted values have the types of their schema', async () => {
  const { server } = testServer()
  server.post('/x', { schema: { body: Thing } }, async ({ body }) => body)
  const values = fc.oneof(words, fc.jsonValue(), fc.array(words, { maxLength: 3 }))
  const bodies = fc.oneof(fc.dictionary(names, values, { maxKeys: 4 }), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await server.inject({ method: 'POST', url: '/x', headers, body: JSON.stringify(body) })
      assert.ok([200, 400].includes(answer.statusCode), answer.body)
      if (answer.statusCode === 200) assertPlain(answer.json())
    }),
    { numRuns: 300 },
  )
})

test('no path is ever a 500', async () => {
  const { server } = testServer()
  server.get('/x/:Id', { schema: { params: Type.Object({ Id: Type.Integer() }) } }, async ({ params }) => params)
  await fc.assert(
    fc.asyncProperty(fc.webPath(), fc.string(), async (path, id) => {
      for (const url of [path || '/', `/x/${encodeURIComponent(id.toWellFormed())}`])
        assert.ok([200, 400, 404].includes((await server.inject({ url })).statusCode), url)
    }),
    { numRuns: 200 },
  )
})

test('a request without a Host is a 400 in the form of every error, except with HTTP/1.0', async () => {
  const { server } = testServer()
  server.get('/x', async () => 'here')
  const rejected = await sendRaw(server, 'GET /x HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(rejected, /^HTTP\/1\.1 400 .*\r\nx-correlation: .*"ErrorCode":"InvalidRequest"/is)
  assert.match(await sendRaw(server, 'GET /x HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 .*here$/s)
  await server.close()
})

test('an unknown expectation is ignored', async () => {
  const { server } = testServer()
  server.get('/x', async () => 'here')
  const head = 'GET /x HTTP/1.1\r\nHost: a\r\nExpect: something\r\nConnection: close\r\n\r\n'
  assert.match(await sendRaw(server, head), /^HTTP\/1\.1 200 .*here$/s)
  await server.close()
})

test('a letter whose lower case is longer does not turn a known path into a 405', async () => {
  const { server } = testServer()
  server.get('/x/:Id/y/:Other', async ({ params }) => params)
  for (const path of ['/x/%C4%B0stanbul/y/1', '/x/1/y/%C4%B0']) {
    const { statusCode } = await server.inject(path)
    assert.ok(statusCode === 200 || statusCode === 404, `${path}: ${statusCode}`)
  }
})
