import type { RouteOptions } from 'fastify'
import type { ProblemCode } from '../../core/problem.ts'
import { permissions } from '../../core/rights/permissions.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { rateLimitHeaderNames } from '../limits/rate-limits.ts'
import { ComponentErrors } from './errors.ts'
import { ComponentHeaders } from './headers.ts'
import { ComponentSchemas, type Node, type SchemaNode } from './schemas.ts'

type Documented = NonNullable<NonNullable<RouteOptions['schema']>['documented']>

export class Components {
  readonly schemas: ComponentSchemas
  readonly headers = new ComponentHeaders()
  readonly errors: ComponentErrors

  constructor(profile: WireProfile) {
    this.schemas = new ComponentSchemas(profile)
    this.errors = new ComponentErrors(this.headers, profile)
  }
}

export type Operation = Readonly<{
  method: string
  schema: NonNullable<RouteOptions['schema']>
  documented: Documented
  config: NonNullable<RouteOptions['config']>
}>

const needsToken = ({ documented: { withoutToken, byApp } }: Operation): boolean => !withoutToken && !byApp
const isCounted = (operation: Operation): boolean => needsToken(operation) && !operation.config.countedByParts

function parametersOf(location: 'path' | 'query', schema: unknown, schemas: ComponentSchemas): Node[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  return Object.entries(properties).map(([name, member]) => {
    // Description and example go to the parameter instead.
    const { description: _, examples: __, ...rest } = schemas.refer(member, true)
    return {
      name,
      in: location,
      required: location === 'path' || (required.includes(name) && member.default === undefined),
      // Comma separated (§2.1).
      ...(location === 'query' && member.type === 'array' && { style: 'form', explode: false }),
      ...(member.description !== undefined && { description: member.description }),
      // API readers prefill the example of a parameter, but offer those of a schema as the only choices.
      ...(member.examples !== undefined && { example: member.examples[0] }),
      schema: rest,
    }
  })
}

const header = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})
const ifMatch = header('If-Match', 'The ETag that was read. Returns 412 if there is a newer version.')
const ifNoneMatch = header('If-None-Match', 'The ETag that was read. Returns 304 if it is still current.')

function requestBodyOf({ schema: { body }, documented }: Operation, schemas: ComponentSchemas): Node {
  const { form, formAnywhere = false, textBody } = documented
  const contentOf = (type: string, shape: unknown) => ({ [type]: schemas.contentOf(shape as SchemaNode, true) })
  if (body !== undefined) return { requestBody: { required: true, content: contentOf('application/json', body) } }
  if (form) {
    const multipart = formAnywhere && contentOf('multipart/form-data', form)
    const content = { ...contentOf('application/x-www-form-urlencoded', form), ...multipart }
    return { requestBody: { required: !formAnywhere, content } }
  }
  if (!textBody) return {}
  const { type, description, example } = textBody
  return { requestBody: { required: true, description, content: { [type]: { schema: { type: 'string' }, example } } } }
}

const defaultStatus = (method: string): number => (method === 'DELETE' || method === 'PATCH' ? 204 : 200)

function declaredResponses(operation: Operation, { schemas, headers }: Components): Node {
  const { method, documented } = operation
  const { texts = [], etag } = documented
  const rateLimits = isCounted(operation)
    ? rateLimitHeaderNames([operation.config.rateLimit ?? 'Session', 'AppDay'])
    : []
  const ofSuccess = headers.refer([...rateLimits, ...(etag ? ['ETag'] : []), ...(documented.headers ?? [])])
  const asText = Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }]))
  const declared = Object.entries((operation.schema.response ?? {}) as Record<string, SchemaNode>)
  const responses = declared.map(([status, shape]) => {
    const isSuccess = status.startsWith('2')
    const description = shape.description ?? (isSuccess ? 'The response.' : 'An error.')
    const all = { description, ...(isSuccess ? ofSuccess : headers.refer([])) }
    if (shape.type === 'null') return [status, all]
    return [status, { ...all, content: { 'application/json': schemas.contentOf(shape), ...(isSuccess && asText) } }]
  })
  const hasNone = declared.length === 0 && documented.responses === undefined
  return {
    ...(hasNone && {
      [defaultStatus(method)]: {
        description: texts.length === 0 ? 'Done.' : 'The response.',
        ...ofSuccess,
        ...(texts.length > 0 && { content: asText }),
      },
    }),
    ...Object.fromEntries(responses),
    ...(etag && { 304: { description: 'The version in If-None-Match is current.', ...ofSuccess } }),
  }
}

function otherResponses({ documented: { responses = {} } }: Operation, components: Components): Node {
  const described = Object.entries(responses).map(([status, { description, type, example, headers = [] }]) => {
    const content = type && { [type]: { schema: { type: 'string' }, ...(example !== undefined && { example }) } }
    return [status, { description, ...components.headers.refer(headers), ...(content && { content }) }]
  })
  return Object.fromEntries(described)
}

function commonErrors(operation: Operation): ProblemCode[] {
  const { schema, documented, config } = operation
  const { ifMatch: comparesTag, textBody } = documented
  const { params, querystring, body } = schema
  const hasBody = body !== undefined || textBody !== undefined
  const isChange = config.permission !== undefined && permissions[config.permission].level === 'Trade'
  return [
    ...(params || querystring || body ? (['InvalidModelState'] as const) : []),
    // For example too many query parameters.
    'InvalidRequest',
    ...(hasBody ? (['RequestTooLarge', 'InvalidMediaTypeHeader'] as const) : []),
    ...(needsToken(operation) ? (['Unauthorized'] as const) : []),
    ...(isChange ? (['RequestNotAllowed'] as const) : []),
    ...(isCounted(operation) ? (['RateLimitExceeded'] as const) : []),
    ...(comparesTag ? (['PreconditionFailed'] as const) : []),
    ...(config.alwaysAnswered ? [] : (['ServiceUnavailable'] as const)),
  ]
}

function securityOf({ documented: { withoutToken, byApp } }: Operation): Node {
  if (byApp) return { security: [{ app: [] }, {}] }
  return withoutToken ? { security: [] } : {}
}

export function operationOf(operation: Operation, components: Components): Node {
  const { schema, documented } = operation
  const { operationId, summary, description, tags, params, querystring } = schema
  const { schemas, errors } = components
  const parameters = [
    ...parametersOf('path', params, schemas),
    ...parametersOf('query', querystring ?? documented.query, schemas),
    ...(documented.ifMatch ? [ifMatch] : []),
    ...(documented.etag ? [ifNoneMatch] : []),
  ]
  return {
    ...(operationId !== undefined && { operationId }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(operation, schemas),
    responses: {
      ...declaredResponses(operation, components),
      ...otherResponses(operation, components),
      ...(!documented.onlyOwnErrors && errors.refer(commonErrors(operation), documented.errors ?? [])),
    },
  }
}
