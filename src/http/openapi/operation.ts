import type { RouteOptions } from 'fastify'
import type { ProblemCode } from '../../core/problem.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { ComponentRefusals } from './errors.ts'
import { ComponentHeaders, standingHeaders } from './headers.ts'
import { ComponentSchemas, type Node, type Told } from './schemas.ts'

type Documented = NonNullable<NonNullable<RouteOptions['schema']>['documented']>

/** What operations share; each adds what it refers to. */
export class Components {
  readonly schemas: ComponentSchemas
  readonly headers = new ComponentHeaders()
  readonly refusals: ComponentRefusals

  constructor(profile: WireProfile) {
    this.schemas = new ComponentSchemas(profile)
    this.refusals = new ComponentRefusals(this.headers, profile)
  }
}

/** One method of one route. */
export type Operation = Readonly<{
  method: string
  schema: NonNullable<RouteOptions['schema']>
  documented: Documented
  config: NonNullable<RouteOptions['config']>
}>

const needsToken = ({ documented: { withoutToken, byApp } }: Operation): boolean => !withoutToken && !byApp
const isCounted = (operation: Operation): boolean => needsToken(operation) && !operation.config.countedByParts

function parametersOf(place: 'path' | 'query', schema: unknown, schemas: ComponentSchemas): Node[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Shape
  return Object.entries(properties).map(([name, member]) => {
    // What is said of the parameter is said once.
    const { description: _, examples: __, ...told } = schemas.refer(member, true)
    return {
      name,
      in: place,
      required: place === 'path' || (required.includes(name) && member.default === undefined),
      // Comma separated (§2.1), which OpenAPI calls a form that does not explode.
      ...(place === 'query' && member.type === 'array' && { style: 'form', explode: false }),
      ...(member.description !== undefined && { description: member.description }),
      // Readers fill in what the parameter has; a list of the schema they offer as all there is.
      ...(member.examples !== undefined && { example: member.examples[0] }),
      schema: told,
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
const ifMatch = header('If-Match', 'The ETag that was read: refused with 412 when there is a newer one.')
const ifNoneMatch = header(
  'If-None-Match',
  'The ETag that was read: answered with 304 while it is still the present one.',
)

function requestBodyOf({ schema: { body }, documented }: Operation, schemas: ComponentSchemas): Node {
  const { form, formAnywhere = false, textBody } = documented
  const asked = (type: string, shape: unknown) => ({ [type]: schemas.contentOf(shape as Told, true) })
  if (body !== undefined) return { requestBody: { required: true, content: asked('application/json', body) } }
  if (form) {
    const multipart = formAnywhere && asked('multipart/form-data', form)
    const content = { ...asked('application/x-www-form-urlencoded', form), ...multipart }
    return { requestBody: { required: !formAnywhere, content } }
  }
  if (!textBody) return {}
  const { type, description, example } = textBody
  return { requestBody: { required: true, description, content: { [type]: { schema: { type: 'string' }, example } } } }
}

/** What changes or removes something and declares no answer, has none. */
const statusWithout = (method: string): number => (method === 'DELETE' || method === 'PATCH' ? 204 : 200)

/** What the route declares: the schemas that it answers by. */
function declaredAnswers(operation: Operation, { schemas, headers }: Components): Node {
  const { method, documented } = operation
  const { texts = [], etag } = documented
  const standing = isCounted(operation) ? standingHeaders(operation.config.rateLimit) : []
  const ofSuccess = headers.refer([...standing, ...(etag ? ['ETag'] : []), ...(documented.headers ?? [])])
  const asText = Object.fromEntries(texts.map((type) => [type, { schema: { type: 'string' } }]))
  const declared = Object.entries((operation.schema.response ?? {}) as Record<string, Told>)
  const answers = declared.map(([status, shape]) => {
    const isSuccess = status.startsWith('2')
    const description = shape.description ?? (isSuccess ? 'The answer.' : 'A refusal.')
    const all = { description, ...(isSuccess ? ofSuccess : headers.refer([])) }
    if (shape.type === 'null') return [status, all]
    return [status, { ...all, content: { 'application/json': schemas.contentOf(shape), ...(isSuccess && asText) } }]
  })
  const isSilent = declared.length === 0 && documented.responses === undefined
  return {
    ...(isSilent && {
      [statusWithout(method)]: {
        description: texts.length === 0 ? 'Done.' : 'The answer.',
        ...ofSuccess,
        ...(texts.length > 0 && { content: asText }),
      },
    }),
    ...Object.fromEntries(answers),
    ...(etag && { 304: { description: 'What If-None-Match names is the present version.', ...ofSuccess } }),
  }
}

/** Answers that no schema makes. */
function otherAnswers({ documented: { responses = {} } }: Operation, components: Components): Node {
  const told = Object.entries(responses).map(([status, { description, type, example, headers = [] }]) => {
    const content = type && { [type]: { schema: { type: 'string' }, ...(example !== undefined && { example }) } }
    return [status, { description, ...components.headers.refer(headers), ...(content && { content }) }]
  })
  return Object.fromEntries(told)
}

/** The codes that an operation may be refused with because of what it is. */
function refusalsOf(operation: Operation): ProblemCode[] {
  const { method, schema, documented, config } = operation
  const { readOnlyToken, ifMatch: comparesTag, textBody } = documented
  const { params, querystring, body } = schema
  const hasBody = body !== undefined || textBody !== undefined
  const isChange = method !== 'GET' && needsToken(operation) && !readOnlyToken
  return [
    ...(params || querystring || body ? (['InvalidModelState'] as const) : []),
    // A query of thousands of parameters, for one.
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
  const { schemas, refusals } = components
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
      ...declaredAnswers(operation, components),
      ...otherAnswers(operation, components),
      ...(!documented.onlyOwnErrors && refusals.refer(refusalsOf(operation), documented.errors ?? [])),
    },
  }
}
