import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { testServer } from '../../../test/support/http-server.ts'
import { describe, listOf, named, oneOf, wireDay } from '../../core/schema.ts'
import { wireProfiles } from '../../core/wire-profile.ts'
import { FeedOf } from '../output/feed.ts'
import type { Server } from '../typed-server.ts'
import { collectOpenApi } from './document.ts'

const Side = named('Side', oneOf('Put', 'Call'), 'Which way.')
const closed = { additionalProperties: false }
const Thing = Type.Object(
  {
    Id: Type.Integer(),
    Side: describe(Side, 'Its own side.'),
    Day: Type.Optional(Type.String({ format: wireDay })),
    Names: Type.Optional(Type.Record(Type.String(), Side)),
  },
  { title: 'Thing', examples: [{ Id: 7, Side: 'Put', Day: '2026-12-18' }] },
)

async function documentOf(register: (scope: Server) => void, profile: keyof typeof wireProfiles = 'off') {
  const { server } = testServer()
  const document = collectOpenApi(server, {
    title: 'Test',
    version: '1',
    summary: 'A test.',
    description: 'Of documents.',
    publicUrl: 'https://api.example',
    basePath: '/base',
    profile: wireProfiles[profile],
    tags: [
      { name: 'things', 'x-displayName': 'Things', description: 'What there is.' },
      { name: 'unused', 'x-displayName': 'Nothing', description: 'Nobody has it.' },
    ],
  })
  server.get('/beside', { schema: { operationId: 'beside', documented: { withoutToken: true } } }, async () => 'x')
  await server.register(async (scope) => register(scope), { prefix: '/base' })
  await server.ready()
  return JSON.parse(document().body.toString())
}

function things(scope: Server): void {
  const schema = {
    operationId: 'getThing',
    summary: 'One thing.',
    tags: ['things'],
    documented: { etag: true, errors: ['NoResultFound'] },
    params: Type.Object({ Id: Type.Integer({ examples: [7] }) }),
    querystring: Type.Object({
      Kinds: Type.Optional(describe(listOf(Side), 'Only these.')),
      $top: Type.Integer({ default: 5 }),
      Day: Type.String({ format: 'date' }),
    }),
    response: { 200: Thing },
  } as const
  scope.get('/things/:Id', { schema }, async () => ({ Id: 1, Side: 'Put' as const }))
  scope.get('/things', { schema: { response: { 200: FeedOf(Thing) } } }, async () => ({ Data: [] }))
  const config = { permission: 'manageApps' } as const
  scope.post('/things', { config, schema: { body: Type.Object({ Name: Type.String() }, closed) } }, async () => 'x')
  scope.get('/table', { schema: { documented: { texts: ['text/csv'] } } }, async () => 'x')
  const change = {
    body: Type.Object({ Name: Type.String(), Filters: Type.Object({ Day: Type.Boolean({ default: false }) }) }, closed),
    documented: { ifMatch: true, errors: ['LimitReached', 'AppInactive'] },
  } as const
  scope.patch('/things/:Id', { config, schema: change }, async () => 'x')
  scope.get('/hidden', { schema: { hide: true } }, async () => 'x')
}

test('the document has every route that is not hidden, relative to {base_url} or with its own server', async () => {
  const { openapi, info, servers, paths, tags } = await documentOf(things)
  assert.equal(openapi, '3.1.0')
  assert.equal(info.version, '1')
  assert.deepEqual(servers, [{ url: 'https://api.example/base' }])
  assert.deepEqual(Object.keys(paths), ['/beside', '/things/{Id}', '/things', '/table'])
  assert.deepEqual(Object.keys(paths['/things/{Id}']), ['get', 'patch'])
  assert.deepEqual(paths['/beside'].servers, [{ url: 'https://api.example' }])
  assert.deepEqual(paths['/beside'].get.security, [])
  assert.deepEqual(
    tags.map(({ name }: { name: string }) => name),
    ['things'],
  )
})

test('an operation is described by the schemas of its route', async () => {
  const operation = (await documentOf(things)).paths['/things/{Id}'].get
  assert.equal(operation.operationId, 'getThing')
  assert.equal(operation.summary, 'One thing.')
  assert.deepEqual(operation.tags, ['things'])
  const [id, kinds, top, day, ifNoneMatch] = operation.parameters
  assert.deepEqual(id, { name: 'Id', in: 'path', required: true, example: 7, schema: { type: 'integer' } })
  assert.deepEqual([kinds.required, kinds.style, kinds.explode], [false, 'form', false])
  assert.deepEqual([kinds.description, kinds.schema.description], ['Only these.', undefined])
  assert.deepEqual(kinds.schema.items, { $ref: '#/components/schemas/Side' })
  assert.deepEqual([top.required, top.schema.default], [false, 5])
  assert.deepEqual([day.required, day.in, day.schema.format], [true, 'query', 'date'])
  assert.deepEqual([ifNoneMatch.name, ifNoneMatch.in], ['If-None-Match', 'header'])
  const { headers, content } = operation.responses[200]
  assert.deepEqual(content['application/json'].schema, { $ref: '#/components/schemas/Thing' })
  assert.ok('ETag' in headers && 'X-Correlation' in headers && 'X-RateLimit-Session-Limit' in headers)
  assert.deepEqual(Object.keys(operation.responses), ['200', '304', '400', '401', '404', '429', '503', 'default'])
})

test('a schema with a title is one component; each use adds only its own description', async () => {
  const { components, paths } = await documentOf(things)
  const { Thing: thing, Side: side, ThingFeed: feed } = components.schemas
  assert.deepEqual(side, { type: 'string', enum: ['Put', 'Call'], description: 'Which way.' })
  assert.deepEqual(thing.properties.Side, { $ref: '#/components/schemas/Side', description: 'Its own side.' })
  assert.deepEqual(thing.properties.Names.additionalProperties, { $ref: '#/components/schemas/Side' })
  assert.deepEqual(feed.properties.Data.items, { $ref: '#/components/schemas/Thing' })
  const { schema, example } = paths['/things'].get.responses[200].content['application/json']
  assert.deepEqual(schema, { $ref: '#/components/schemas/ThingFeed' })
  assert.deepEqual(example, { Data: [{ Id: 7, Side: 'Put', Day: '2026-12-18T00:00:00Z' }] })
})

test('two different schemas with one title prevent the start', async () => {
  const twice = (other: TSchema) => (scope: Server) => {
    things(scope)
    scope.get('/others', { schema: { response: { 200: other } } }, async () => ({}))
  }
  await documentOf(twice(Type.Object({ ...Thing.properties }, { title: 'Thing' })))
  const other = Type.Object({ Id: Type.String() }, { title: 'Thing' })
  await assert.rejects(documentOf(twice(other)), /Two schemas of the API have the title Thing/)
})

test('days, tokens and errors are documented as the profile has them', async () => {
  const [standard, vendor] = [await documentOf(things), await documentOf(things, 'vendor')]
  assert.equal(standard.components.schemas.Thing.properties.Day.format, 'date-time')
  assert.equal(vendor.components.schemas.Thing.properties.Day.format, 'date')
  const { example } = vendor.paths['/things/{Id}'].get.responses[200].content['application/json']
  assert.equal(example.Day, '2026-12-18')
  assert.ok(standard.components.responses.Unauthorized.content)
  assert.equal(vendor.components.responses.Unauthorized.content, undefined)
})

test('a body is described, and errors refer to one schema, which lists all codes', async () => {
  const { paths, components } = await documentOf(things)
  const { requestBody, responses } = paths['/things'].post
  assert.equal(requestBody.required, true)
  assert.deepEqual(requestBody.content['application/json'].schema.required, ['Name'])
  const statuses = ['200', '400', '401', '403', '413', '415', '429', '503', 'default']
  assert.deepEqual(Object.keys(responses), statuses)
  assert.equal(responses[429].$ref, '#/components/responses/TooManyRequests')
  const { content, headers } = components.responses.TooManyRequests
  assert.equal(content['application/json'].schema.$ref, '#/components/schemas/ErrorResponse')
  assert.ok(headers['Retry-After'])
  const { enum: codes, description } = components.schemas.ErrorCode
  for (const code of codes) assert.ok(description.includes(`- \`${code}\`: `), code)
})

test('a response can be text', async () => {
  const { responses } = (await documentOf(things)).paths['/table'].get
  assert.deepEqual(responses[200].content, { 'text/csv': { schema: { type: 'string' } } })
})

test('a change returns nothing, does not require fields with defaults, and lists its errors', async () => {
  const { parameters, requestBody, responses } = (await documentOf(things)).paths['/things/{Id}'].patch
  assert.deepEqual(
    parameters.map(({ name, in: place, required }: Record<string, unknown>) => [name, place, required]),
    [['If-Match', 'header', false]],
  )
  const { required, properties } = requestBody.content['application/json'].schema
  assert.deepEqual([required, properties.Filters.required], [['Name', 'Filters'], undefined])
  const statuses = ['204', '400', '401', '403', '409', '412', '413', '415', '429', '503', 'default']
  assert.deepEqual(Object.keys(responses), statuses)
  assert.equal(responses[204].content, undefined)
  assert.match(responses[409].description, /^`LimitReached`: .*\n\n`AppInactive`: /)
})
