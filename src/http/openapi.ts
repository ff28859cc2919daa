import type { FastifySchema, RouteOptions } from 'fastify'
import { restProblems } from '../core/problem.ts'
import type { Shape } from './constraints.ts'
import type { Server } from './typed-server.ts'

type Node = Record<string, unknown>

/** A group of operations; `x-displayName` is how readers of such documents call it. */
export type OpenApiTag = Readonly<{ name: string; 'x-displayName': string; description: string }>

export type OpenApiInfo = Readonly<{
  title: string
  version: string
  description?: string
  serverUrl?: string
  /** In the order in which they are read. */
  tags?: readonly OpenApiTag[]
}>

/** OpenAPI writes `{Uic}` where the router writes `:Uic`. */
const templated = (url: string): string => url.replaceAll(/:([A-Za-z0-9_]+)/g, '{$1}')

function parametersOf(place: 'path' | 'query', schema: unknown): Node[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  return Object.entries(properties).map(([name, { examples, ...member }]) => ({
    name,
    in: place,
    required: place === 'path' || (required.includes(name) && member.default === undefined),
    // Comma separated (contract §1), which OpenAPI calls a form that does not explode.
    ...(place === 'query' && member.type === 'array' && { style: 'form', explode: false }),
    ...(member.description !== undefined && { description: member.description }),
    // Readers fill in what the parameter has; a list of the schema they offer as all there is.
    ...(examples !== undefined && { example: examples[0] }),
    schema: member,
  }))
}

const ifMatch: Node = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag that was read: refused with 412 when there is a newer one.',
  schema: { type: 'string' },
}

const formType = 'application/x-www-form-urlencoded'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })

const errorSchema = {
  type: 'object',
  required: ['ErrorCode', 'Message'],
  properties: {
    ErrorCode: { type: 'string' },
    Message: { type: 'string' },
    ModelState: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
}

/** What is filled in by default need not be sent. */
function requestShape(shape: Shape): Shape {
  const { properties, required = [] } = shape
  if (!properties) return shape
  const members = Object.entries(properties).map(([name, member]) => [name, requestShape(member)] as const)
  const needed = required.filter((name) => properties[name]?.default === undefined)
  return { ...shape, properties: Object.fromEntries(members), required: needed }
}

const done = { description: 'Done.' }

/** What changes or removes something and declares no answer, has none. */
const statusWithout = (method: string): number => (method === 'DELETE' || method === 'PATCH' ? 204 : 200)

function responsesOf(method: string, response: unknown, documented: FastifySchema['documented'] = {}): Node {
  const { texts = [], refusals = [] } = documented
  const declared = Object.entries((response ?? {}) as Record<string, Shape & { description?: string }>)
  const asText = Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }]))
  const answers = declared.map(([status, schema]) => {
    const isAnswer = status.startsWith('2')
    const description = schema.description ?? (isAnswer ? 'The answer.' : 'A refusal.')
    if (schema.type === 'null') return [status, { description }]
    return [status, { description, content: { ...json(schema).content, ...(isAnswer && asText) } }]
  })
  const told = refusals.map((code) => `${restProblems[code]} ${code}`).join(', ')
  const description = `A refusal${told && `; of its own this one has ${told}`}.`
  const fallback = { description, ...json({ $ref: '#/components/schemas/Error' }) }
  return {
    ...(declared.length === 0 && {
      [statusWithout(method)]: texts.length === 0 ? done : { description: 'The answer.', content: asText },
    }),
    ...Object.fromEntries(answers),
    default: fallback,
  }
}

function operationOf(method: string, { schema = {} }: RouteOptions): Node {
  const { summary, description, operationId, tags, params, querystring, body, response, documented } = schema
  const parameters = [
    ...parametersOf('path', params),
    ...parametersOf('query', querystring ?? documented?.query),
    ...(documented?.ifMatch ? [ifMatch] : []),
  ]
  return {
    ...(operationId !== undefined && { operationId }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    // Signing in is how one gets a token; it takes none.
    ...((tags?.includes('sign-in') || documented?.withoutToken) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...json(requestShape(body as Shape)) } }),
    ...(documented?.form && { requestBody: { required: true, content: { [formType]: { schema: documented.form } } } }),
    responses: responsesOf(method, response, documented),
  }
}

/**
 * Listens to all routes that are registered afterwards; the function it gives back makes the document of what it heard.
 * TypeBox schemas are JSON Schema as they are, and OpenAPI 3.1 is a superset of it.
 */
export function collectOpenApi(server: Server, info: OpenApiInfo): () => Node {
  const paths: Record<string, Node> = {}
  server.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
    const path = templated(route.url) || '/'
    for (const method of [route.method].flat()) {
      if (method === 'HEAD' || method === 'OPTIONS') continue
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(method, route) }
    }
  })
  const { title, version, description, serverUrl, tags } = info
  return () => ({
    openapi: '3.1.0',
    info: { title, version, ...(description !== undefined && { description }) },
    ...(serverUrl !== undefined && { servers: [{ url: serverUrl }] }),
    ...(tags !== undefined && { tags }),
    paths,
    security: [{ bearer: [] }],
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  })
}
