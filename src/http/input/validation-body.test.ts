import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { oneOf } from '../../core/schema.ts'
import { testServer } from '../test-server.ts'

const PutCall = oneOf('Put', 'Call')

const Change = Type.Object(
  {
    Name: Type.String({ minLength: 1, maxLength: 20 }),
    Level: Type.Optional(PutCall),
    Count: Type.Optional(Type.Integer({ minimum: 1 })),
    Ratio: Type.Optional(Type.Number()),
    On: Type.Optional(Type.Boolean()),
    Urls: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { minItems: 1, maxItems: 2 })),
    Flow: Type.Optional(
      Type.Object({ Kind: PutCall, Depth: Type.Integer({ default: 1 }) }, { additionalProperties: false }),
    ),
    Tags: Type.Optional(Type.Record(Type.String(), Type.Number())),
  },
  { additionalProperties: false },
)

function changeServer() {
  const { server } = testServer()
  const params = Type.Object({ Id: Type.Integer({ minimum: 1 }) })
  const querystring = Type.Object({ $top: Type.Integer({ maximum: 9, default: 1 }) })
  server.post('/things/:Id', { schema: { params, querystring, body: Change } }, async ({ params, body }) => ({
    params,
    body,
  }))
  const send = (body: unknown, url = '/things/1') =>
    server.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const refusal = async (body: unknown, url?: string) => (await send(body, url)).json().ModelState
  return { server, send, refusal }
}

test('a body is read by the names and types of its schema, with enum spellings and defaults put right', async () => {
  const { send } = changeServer()
  const body = {
    Name: 'a',
    Level: 'CALL',
    Count: 2,
    Ratio: 1.5,
    On: false,
    Urls: ['x'],
    Flow: { Kind: 'put' },
    Tags: { a: 1 },
  }
  const expected = { ...body, Level: 'Call', Flow: { Kind: 'Put', Depth: 1 } }
  assert.deepEqual((await send(body)).json(), { params: { Id: 1 }, body: expected })
})

test('all bad fields of path, query and body are told at once', async () => {
  const { send } = changeServer()
  const answer = await send({ Count: 0, On: 'true', Urls: ['long!'] }, '/things/x?$top=10')
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().ErrorCode, 'InvalidModelState')
  assert.deepEqual(answer.json().ModelState, {
    Id: ['Must be a whole number of at least 1.'],
    $top: ['Must be a whole number of at most 9.'],
    Name: ['Is required. Must be text from 1 to 20 characters.'],
    Count: ['Must be a whole number of at least 1.'],
    On: ['Must be true or false.'],
    'Urls[0]': ['Must be text of at most 3 characters.'],
  })
})

test('wrong types, null, unknown members and names in another case are named with what is right', async () => {
  const { refusal } = changeServer()
  const Name = 'a'
  assert.deepEqual(await refusal({ Name: null }), { Name: ['null is not allowed; leave the member out instead.'] })
  assert.deepEqual(await refusal({ Name, Extra: 1 }), { Extra: ['Is not known here; leave it out.'] })
  assert.deepEqual(await refusal({ Name, Level: 0 }), { Level: ['Must be one of: Put, Call.'] })
  assert.deepEqual(await refusal({ Name, Count: '2' }), { Count: ['Must be a whole number of at least 1.'] })
  assert.deepEqual(await refusal({ Name, Count: 1.5 }), { Count: ['Must be a whole number of at least 1.'] })
  assert.deepEqual(await refusal({ Name, Urls: 'x' }), { Urls: ['Must be a list from 1 to 2 values.'] })
  assert.deepEqual(await refusal({ Name, Urls: [] }), { Urls: ['Must be a list from 1 to 2 values.'] })
  assert.deepEqual(await refusal({ Name, Flow: [] }), { Flow: ['Must be an object.'] })
  assert.deepEqual(await refusal({ Name, Flow: { Kind: 'x', y: 1 } }), {
    'Flow.Kind': ['Must be one of: Put, Call.'],
    'Flow.y': ['Is not known here; leave it out.'],
  })
  assert.deepEqual(Object.keys(await refusal({ Name, Tags: { a: 'x' } })), ['Tags.a'])
  assert.deepEqual(Object.keys(await refusal([])), ['Body'])
  const wrongCase = await refusal({ name: 'a' })
  assert.deepEqual(wrongCase.name, ['Is not known here; names are case sensitive in a body, write Name.'])
  assert.ok(wrongCase.Name)
})

test('an open schema ignores unknown members but not a name in another case', async () => {
  const { server } = testServer()
  server.post(
    '/open',
    { schema: { body: Type.Object({ Name: Type.Optional(Type.String()) }) } },
    async ({ body }) => body,
  )
  assert.deepEqual((await server.inject({ method: 'POST', url: '/open', body: { Name: 'a', more: 1 } })).json(), {
    Name: 'a',
  })
  assert.equal((await server.inject({ method: 'POST', url: '/open', body: { NAME: 'a' } })).statusCode, 400)
})

test('a body that is missing, empty or null is a 400 where one is required', async () => {
  const { server } = changeServer()
  const json = { 'content-type': 'application/json' }
  for (const request of [{}, { headers: json }, { headers: json, body: '' }, { headers: json, body: 'null' }]) {
    const answer = await server.inject({ method: 'POST', url: '/things/1', ...request })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json().ModelState, { Body: ['A JSON body is required.'] })
  }
})

test('a route without a body schema takes an empty body under a JSON content type', async () => {
  const { server } = testServer()
  server.delete('/x', async () => ({ done: true }))
  const answer = await server.inject({ method: 'DELETE', url: '/x', headers: { 'content-type': 'application/json' } })
  assert.deepEqual(answer.json(), { done: true })
})
