import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { testServer } from '../../test/support/http-server.ts'
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
