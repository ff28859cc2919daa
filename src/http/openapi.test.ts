import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { listOf, oneOf } from '../core/schema.ts'
import { collectOpenApi } from './openapi.ts'
import { testServer } from './test-server.ts'

async function documentOf() {
  const { server } = testServer()
  const document = collectOpenApi(server, { title: 'Test', version: '1', serverUrl: 'https://api.example' })
  await server.register(
    async (scope) => {
      const schema = {
        operationId: 'getThing',
        summary: 'One thing.',
        tags: ['Things'],
        params: Type.Object({ Id: Type.Integer({ examples: [7] }) }),
        querystring: Type.Object({
          Kinds: Type.Optional(listOf(oneOf('Put', 'Call'))),
          $top: Type.Integer({ default: 5 }),
          Day: Type.String({ format: 'date' }),
        }),
        response: { 200: Type.Object({ Id: Type.Integer() }) },
      }
      scope.get('/things/:Id', { schema }, async () => ({ Id: 1 }))
      scope.post('/things', { schema: { body: Type.Object({ Name: Type.String() }) } }, async () => 'x')
      const documented = { texts: ['text/csv'], withoutToken: true }
      scope.get('/table', { schema: { documented } }, async () => 'x')
      const change = {
        body: Type.Object({ Name: Type.String(), Filters: Type.Object({ Day: Type.Boolean({ default: false }) }) }),
        documented: { ifMatch: true, refusals: ['LimitReached', 'PreconditionFailed'] },
      } as const
      scope.patch('/things/:Id', { schema: change }, async () => 'x')
      scope.get('/hidden', { schema: { hide: true } }, async () => 'x')
    },
    { prefix: '/base' },
  )
  await server.ready()
  return JSON.parse(JSON.stringify(document()))
}

test('the document has every route that is not hidden, by its template and method', async () => {
  const { openapi, info, servers, paths } = await documentOf()
  assert.equal(openapi, '3.1.0')
  assert.deepEqual(info, { title: 'Test', version: '1' })
  assert.deepEqual(servers, [{ url: 'https://api.example' }])
  assert.deepEqual(Object.keys(paths), ['/base/things/{Id}', '/base/things', '/base/table'])
  assert.deepEqual(Object.keys(paths['/base/things/{Id}']), ['get', 'patch'])
})

test('an operation has its names, parameters and answers from the schemas that the route runs by', async () => {
  const operation = (await documentOf()).paths['/base/things/{Id}'].get
  assert.equal(operation.operationId, 'getThing')
  assert.equal(operation.summary, 'One thing.')
  assert.deepEqual(operation.tags, ['Things'])
  const [id, kinds, top, day] = operation.parameters
  assert.deepEqual(id, { name: 'Id', in: 'path', required: true, example: 7, schema: { type: 'integer' } })
  assert.deepEqual([kinds.required, kinds.style, kinds.explode], [false, 'form', false])
  assert.deepEqual(kinds.schema.items.enum, ['Put', 'Call'])
  assert.deepEqual([top.required, top.schema.default], [false, 5])
  assert.deepEqual([day.required, day.in, day.schema.format], [true, 'query', 'date'])
  assert.deepEqual(operation.responses['200'].content['application/json'].schema.required, ['Id'])
})

test('a body is described, and refusals point to one error schema', async () => {
  const { paths, components } = await documentOf()
  const { requestBody, responses } = paths['/base/things'].post
  assert.equal(requestBody.required, true)
  assert.deepEqual(requestBody.content['application/json'].schema.required, ['Name'])
  assert.equal(responses.default.content['application/json'].schema.$ref, '#/components/schemas/Error')
  assert.deepEqual(components.schemas.Error.required, ['ErrorCode', 'Message'])
})

test('an answer can be had as text, and without a token', async () => {
  const { get } = (await documentOf()).paths['/base/table']
  assert.deepEqual(get.security, [])
  assert.deepEqual(get.responses['200'], {
    description: 'The answer.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
})

test('a change has no answer, needs not be told what is filled in, and says what it may be refused for', async () => {
  const { parameters, requestBody, responses } = (await documentOf()).paths['/base/things/{Id}'].patch
  assert.deepEqual(
    parameters.map(({ name, in: place, required }: Record<string, unknown>) => [name, place, required]),
    [['If-Match', 'header', false]],
  )
  const { required, properties } = requestBody.content['application/json'].schema
  assert.deepEqual([required, properties.Filters.required], [['Name', 'Filters'], []])
  assert.deepEqual(Object.keys(responses), ['204', 'default'])
  const told = 'A refusal; of its own this one has 409 LimitReached, 412 PreconditionFailed.'
  assert.equal(responses.default.description, told)
})
