import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { liveSettings, serviceForFile, type TestService } from '../support/service/service.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

type Parameter = { name: string; in: string; required: boolean; example?: unknown }
type Content = Record<string, { schema: object; example?: unknown }>
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
type Schema = { description?: string; $ref?: string; enum?: string[]; properties?: Record<string, Schema> }
type Document = {
  info: { version: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation> & { servers?: unknown }>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: { oauth2: { flows: Record<string, Record<string, unknown>> } }
  }
}

const sim = await sharedDemoService()
const vendor = await serviceForFile({ env: { COMPAT: 'vendor' } })
const live = await serviceForFile({ env: liveSettings })

const textOf = async ({ node }: TestService) => (await node.server.inject('/openapi.json')).body
const documentOf = async (service: TestService): Promise<Document> => JSON.parse(await textOf(service))
const operationsIn = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, { servers, ...operations }]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation, isOutsideBase: !!servers })),
  )

const rules = {
  'array-parameter-serialization': 'error',
  'component-name-unique': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-required-schema-properties-undefined': 'error',
  'no-schema-type-mismatch': 'error',
  'no-unused-components': 'error',
  'operation-4xx-response': 'error',
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'tag-description': 'error',
  // The service may run on localhost.
  'no-server-example.com': 'off',
} as const

/** Both paths are specified, and no AppKey is `resource`. */
const isKnown = ({ ruleId, message }: { ruleId: string; message: string }): boolean =>
  ruleId === 'no-ambiguous-paths' && message.includes('`/developer/apps/resource/{AppKey}`')

test('the API document passes a strict linter, in every environment and profile', async () => {
  const config = await createConfig({ extends: ['recommended-strict'], rules })
  for (const service of [sim, vendor, live]) {
    const problems = await lintFromString({ source: await textOf(service), config })
    const found = problems
      .filter((problem) => !isKnown(problem))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    assert.deepEqual(found, [])
  }
})

test('every field and every enum is described', async () => {
  const { schemas } = (await documentOf(sim)).components
  const isDescribed = ({ description, $ref }: Schema) =>
    !!(description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description)
  const undescribed = Object.entries(schemas).flatMap(([name, schema]) => [
    ...(schema.enum && !isDescribed(schema) ? [name] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([member, one]) =>
      isDescribed(one) ? [] : [`${name}.${member}`],
    ),
  ])
  assert.deepEqual(undescribed, [])
})

test('paths are the same in sim and live, apart from those of the sim; paths outside {base_url} name their server', async () => {
  const [there, here] = [await documentOf(live), await documentOf(sim)]
  assert.deepEqual(here.servers, [{ url: sim.baseUrl }])
  assert.deepEqual(there.servers, [{ url: `${live.config.publicUrl}/openapi` }])
  const missing = Object.keys(there.paths).filter((path) => !(path in here.paths))
  assert.deepEqual(missing, [])
  const added = Object.keys(here.paths).filter((path) => !(path in there.paths))
  const snapshots = ['snapshots', 'snapshots/{Name}', 'snapshots/{Name}/restore']
  const scenarios = ['scenarios', 'scenarios/{Name}']
  const ofSim = ['clock', 'faults', 'faults/{AppKey}', 'reset', ...snapshots, ...scenarios, 'positions', 'daytoken']
  // Off by default in live.
  const ofLog = ['requests', 'requests/stream', 'requests/{Id}']
  assert.deepEqual(added.sort(), [...ofLog, ...ofSim].map((path) => `/x/v1/${path}`).sort())
  for (const path of ['/token', '/authorize', '/health/ready', '/calendar/{File}'])
    assert.deepEqual(there.paths[path]?.servers, [{ url: live.config.publicUrl }], path)
  const { authorizationCode, implicit } = there.components.securitySchemes.oauth2.flows
  assert.equal(authorizationCode?.tokenUrl, `${live.config.publicUrl}/token`)
  assert.equal(implicit?.authorizationUrl, `${live.config.publicUrl}/authorize`)
})

describe('clock, faults, reset and 24-hour token', () => {
  test('in live none of these operations exists', async () => {
    const responses = ['clock', 'faults', 'reset', 'snapshots', 'scenarios', 'positions', 'daytoken', 'nothing'].map(
      async (path) => {
        const response = await fetch(`${live.baseUrl}/x/v1/${path}`)
        return [response.status, await response.text()].join(' ')
      },
    )
    const [first, ...others] = new Set(await Promise.all(responses))
    assert.match(first ?? '', /^404 /)
    assert.deepEqual(others, [])
  })
})

test('the status of a token response is documented as the profile has it', async () => {
  const responses = async (service: TestService) => (await documentOf(service)).paths['/token']?.post?.responses ?? {}
  const [standard, other] = [await responses(sim), await responses(vendor)]
  assert.ok(standard[200] && !standard[201])
  assert.ok(other[201] && !other[200])
})

test('the parameters of /token are documented as the profile has them', async () => {
  const documented = async (service: TestService) => {
    const { paths, components } = await documentOf(service)
    const { parameters = [], requestBody } = paths['/token']?.post ?? {}
    return {
      query: parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`),
      types: Object.keys(requestBody?.content ?? {}),
      required: requestBody?.required,
      redirectUri: components.schemas.TokenRequest?.properties?.redirect_uri?.description,
    }
  }
  const form = 'application/x-www-form-urlencoded'
  const was = 'The redirect URI of the sign-in;'
  const needed = `${was} required with a code.`
  assert.deepEqual(await documented(sim), { query: [], types: [form], required: true, redirectUri: needed })
  const proofs = ['code_verifier', 'refresh_token', 'client_id', 'client_secret', 'resource']
  const names = ['grant_type', 'code', 'redirect_uri', ...proofs]
  assert.deepEqual(await documented(vendor), {
    query: names.map((name) => `${name}?`),
    types: [form, 'multipart/form-data'],
    required: false,
    redirectUri: `${was} checked if sent.`,
  })
})

/** Not in the demo data, different each time, or only for operators. */
const withoutData = new Set([
  ...[
    'getHistory',
    'listSessions',
    'listCalendars',
    'listFaults',
    'listSnapshots',
    'listAppAudit',
    'listStandingInstructions',
    'listElections',
    'listChanges',
  ],
  ...['listRequests', 'getRequest', 'listAllUsers', 'getAnyUser', 'listAllClients', 'listImports', 'getImport'],
  ...['listRuns', 'getRun', 'listRunRecords'],
])

/** Members with another value each time. */
const varying = new Set(['LastLoginTime'])

/** Whether the response contains everything in the example; for a list, its rows in the same order. */
function isPart(example: unknown, answer: unknown): boolean {
  if (Array.isArray(example)) {
    const rows = Array.isArray(answer) ? answer.values() : [].values()
    return example.every((one) => rows.some((row) => isPart(one, row)))
  }
  if (typeof example !== 'object' || example === null) return example === answer
  const members = (answer ?? {}) as Record<string, unknown>
  return Object.entries(example).every(([name, value]) =>
    varying.has(name) ? typeof members[name] === typeof value : isPart(value, members[name]),
  )
}

/** The path and query with the examples of an operation's parameters. */
function exampleAddress(path: string, parameters: Parameter[] = []): string {
  const given = parameters.filter(({ example }) => example !== undefined)
  const query = given.filter((one) => one.in === 'query').map(({ name, example }) => [name, String(example)])
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(given.find((one) => one.name === name)?.example))
  return query.length > 0 ? `${filled}?${new URLSearchParams(query)}` : filled
}

test('every JSON response has an example; those of reads match the demo data', async () => {
  const { access_token: token } = await obtainTokens(sim.url)
  let compared = 0
  for (const { path, method, operation, isOutsideBase } of operationsIn(await documentOf(sim))) {
    const { operationId, parameters, responses } = operation
    const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? ''
    const content = responses[success]?.content?.['application/json']
    if (!content) continue
    if (!isOutsideBase) assert.ok(content.example, `${operationId} has no example`)
    if (method !== 'get' || isOutsideBase || withoutData.has(operationId)) continue
    const answer = await getRest(sim.baseUrl, exampleAddress(path, parameters), token)
    const text = (await answer.text()).replaceAll(sim.url, 'http://localhost:4700')
    assert.ok(isPart(content.example, JSON.parse(text)), `${operationId}: ${answer.status} ${text.slice(0, 2_000)}`)
    compared++
  }
  assert.ok(compared > 20, String(compared))
})

test('the document has an ETag and is compressed', async () => {
  const ask = (headers: Record<string, string>) => sim.node.server.inject({ url: '/openapi.json', headers })
  const whole = await ask({ 'accept-encoding': 'gzip' })
  const { etag } = whole.headers
  assert.equal(whole.headers['cache-control'], 'public, max-age=300')
  assert.equal(gunzipSync(whole.rawPayload).toString(), await textOf(sim))
  const again = await ask({ 'if-none-match': String(etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
})
