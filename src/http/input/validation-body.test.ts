import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { testServer } from '../../../test/support/http-server.ts'
import { oneOf } from '../../core/schema.ts'

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
  const errorsOf = async (body: unknown, url?: string) => (await send(body, url)).json().ModelState
  return { server, send, errorsOf }
}

test('corrects the case of enum names in a body and applies defaults', async () => {
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

test('returns all bad fields of path, query and body at once', async () => {
  const { send } = changeServer()
  const answer = await send({ Count: 0, On: 'true', Urls: ['long!'] }, '/things/x?$top=10')
  assert.equal(answer.statusCode, 400)
  assert.equal(answer.json().ErrorCode, 'InvalidModelState')
  assert.deepEqual(answer.json().ModelState, {
    Id: ['Must be a whole number of at least 1.'],
    $top: ['Must be a whole number of at most 9.'],
    Name: ['Is required. Must be text of 1 to 20 characters.'],
    Count: ['Must be a whole number of at least 1.'],
    On: ['Must be true or false.'],
    'Urls[0]': ['Must be text of at most 3 characters.'],
  })
})

test('rejects wrong types, null, unknown fields and names in another case, and says what to send instead', async () => {
  const { errorsOf } = changeServer()
  const Name = 'a'
  assert.deepEqual(await errorsOf({ Name: null }), { Name: ['Must not be null. Leave the field out instead.'] })
  assert.deepEqual(await errorsOf({ Name, Extra: 1 }), { Extra: ['Is not a known field. Leave it out.'] })
  assert.deepEqual(await errorsOf({ Name, Level: 0 }), { Level: ['Must be one of: Put, Call.'] })
  assert.deepEqual(await errorsOf({ Name, Count: '2' }), { Count: ['Must be a whole number of at least 1.'] })
  const largest = { Count: ['Must be a whole number from 1 to 9007199254740991.'] }
  assert.deepEqual(await errorsOf({ Name, Count: 1.5 }), largest)
  assert.deepEqual(await errorsOf({ Name, Urls: 'x' }), { Urls: ['Must be a list of 1 to 2 values.'] })
  assert.deepEqual(await errorsOf({ Name, Urls: [] }), { Urls: ['Must be a list of 1 to 2 values.'] })
  assert.deepEqual(await errorsOf({ Name, Flow: [] }), {
    Flow: ['Must be an object such as {"Kind":"Put","Depth":1}.'],
  })
  assert.deepEqual(await errorsOf({ Name, Flow: { Kind: 'x', y: 1 } }), {
    'Flow.Kind': ['Must be one of: Put, Call.'],
    'Flow.y': ['Is not a known field. Leave it out.'],
  })
  assert.deepEqual(Object.keys(await errorsOf({ Name, Tags: { a: 'x' } })), ['Tags.a'])
  assert.deepEqual(Object.keys(await errorsOf([])), ['Body'])
  const wrongCase = await errorsOf({ name: 'a' })
  assert.deepEqual(wrongCase.name, ['Is not a known field. Did you mean Name? Names are case-sensitive in a body.'])
  assert.ok(wrongCase.Name)
})

test('requires that a body schema is closed, so that no misspelt field is ignored', async () => {
  const { server } = testServer()
  server.post('/open', { schema: { body: Type.Object({ Name: Type.String() }) } }, async ({ body }) => body)
  await assert.rejects(async () => server.ready(), /additionalProperties: false/)
})

test('rejects a missing, empty or null body if one is required', async () => {
  const { server } = changeServer()
  const json = { 'content-type': 'application/json' }
  for (const request of [{}, { headers: json }, { headers: json, body: '' }, { headers: json, body: 'null' }]) {
    const answer = await server.inject({ method: 'POST', url: '/things/1', ...request })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json().ModelState, { Body: ['A JSON body is required.'] })
  }
})

test('accepts an empty body with a JSON content type on a route without a body schema', async () => {
  const { server } = testServer()
  server.delete('/x', async () => ({ done: true }))
  const answer = await server.inject({ method: 'DELETE', url: '/x', headers: { 'content-type': 'application/json' } })
  assert.deepEqual(answer.json(), { done: true })
})
