import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>
type Contents = Readonly<Record<string, { schema?: Json }>>
type Parameter = Readonly<{ name: string; in: string; required?: boolean; schema: Json }>
type Header = Readonly<{ required?: boolean; schema: Json }>
type Response = Readonly<{ content?: Contents; headers?: Record<string, Json> }>
type Operation = Readonly<{
  operationId?: string
  parameters?: readonly Json[]
  requestBody?: Json
  responses: Record<string, Json>
}>

/** A response; the body is its text, or null if it has none. */
export type SentResponse = Readonly<{
  operationId: string
  status: number
  header: (name: string) => unknown
  body: string | null | undefined
}>

/** A request as the service read it: with declared names and converted values. */
export type ReadRequest = Readonly<{
  operationId: string
  params: unknown
  query: unknown
  body: unknown
  mediaType: string
}>

export const mediaTypeOf = (header: unknown): string => /^[^;\s]*/.exec(String(header ?? ''))?.[0].toLowerCase() ?? ''
const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType)

/** Statuses that any request may get, documented once as `default`. */
const defaultStatuses = [413, 414, 415, 431, 500]

/** Keywords whose values are data, not schemas. */
const examples = new Set(['default', 'enum', 'const', 'example', 'examples'])

/** The document with references to another name. With `isClosed`, objects allow only their declared fields. */
function renamed(node: unknown, name: string, isClosed: boolean): unknown {
  if (Array.isArray(node)) return node.map((each) => renamed(each, name, isClosed))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    if (examples.has(key)) return [key, value]
    if (key === '$ref' && typeof value === 'string') return [key, `${name}${value}`]
    return [key, renamed(value, name, isClosed)]
  })
  const copy = Object.fromEntries(entries)
  const isOpen = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined
  return isOpen && isClosed ? { ...copy, additionalProperties: false } : copy
}

/** Checks responses and requests by the service's own /openapi.json. Schemas are compiled when first needed. */
export class ApiDocument {
  readonly operations = new Map<string, Operation>()
  readonly #document: Json
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false })
  readonly #validators = new Map<unknown, ValidateFunction>()

  constructor(document: Json) {
    this.#document = document
    formats.default(this.#ajv)
    this.#ajv.addSchema(renamed(document, 'response', true) as Json, 'response')
    this.#ajv.addSchema(renamed(document, 'request', false) as Json, 'request')
    for (const path of Object.values(document.paths as Record<string, Record<string, Operation>>))
      for (const operation of Object.values(path))
        if (operation.operationId !== undefined) this.operations.set(operation.operationId, operation)
  }

  /** The statuses that an operation declares. */
  statusesOf(operationId: string): string[] {
    return Object.keys(this.operations.get(operationId)?.responses ?? {})
  }

  /** How a response differs from the document, if it does. */
  responseError({ operationId, status, header, body }: SentResponse): string | undefined {
    const operation = this.operations.get(operationId)
    if (!operation) return 'the operation is not in the document'
    const declared = operation.responses[status] ?? (defaultStatuses.includes(status) && operation.responses.default)
    if (!declared) return 'the status is not declared'
    const { content = {}, headers = {} } = this.#resolved(declared) as Response
    for (const [name, documented] of Object.entries(headers)) {
      const error = this.#headerError(this.#resolved(documented) as Header, header(name))
      if (error !== undefined) return `the header ${name}: ${error}`
    }
    if (body === null) return Object.keys(content).length > 0 ? 'there is no body, and one is declared' : undefined
    const mediaType = mediaTypeOf(header('content-type'))
    const declaredType = Object.keys(content).find((each) => mediaTypeOf(each) === mediaType)
    if (declaredType === undefined) return `the media type ${mediaType || '(none)'} is not declared`
    if (body === undefined || !isJson(mediaType)) return undefined
    return this.#findError('response', content[declaredType]?.schema, JSON.parse(body))
  }

  /** How a request that the service accepted differs from the document, if it does. */
  requestError({ operationId, params, query, body, mediaType }: ReadRequest): string | undefined {
    const { parameters = [], requestBody } = this.operations.get(operationId) ?? {}
    for (const each of parameters) {
      const parameter = this.#resolved(each) as Parameter
      if (parameter.in !== 'path' && parameter.in !== 'query') continue
      const error = this.#parameterError(parameter, (parameter.in === 'path' ? params : query) as Json)
      if (error !== undefined) return `the ${parameter.in} parameter ${parameter.name}: ${error}`
    }
    const { content, required } = this.#resolved(requestBody ?? {}) as { content?: Contents; required?: boolean }
    const schema = content?.[mediaType]?.schema
    if (!schema) return undefined
    if (body === null || body === undefined) return required ? 'it has no body, and one is required' : undefined
    const error = this.#findError('request', schema, body)
    return error && `the request's body: ${error}`
  }

  /** If a route parses its query itself, every parameter is a list of texts. */
  #parameterError({ name, required, schema }: Parameter, given: Json): string | undefined {
    const spelling = Object.keys(given).find((each) => each.toLowerCase() === name.toLowerCase())
    const value = spelling === undefined ? undefined : given[spelling]
    if (value === undefined) return required ? 'is missing, and required' : undefined
    const isList = this.#resolved(schema).type === 'array'
    return this.#findError('request', schema, Array.isArray(value) && !isList ? value[0] : value)
  }

  /** Converts numbers, which are sent as text. */
  #headerError({ required, schema }: Header, value: unknown): string | undefined {
    if (value === undefined) return required ? 'is missing' : undefined
    const text = String(value)
    return this.#findError('response', schema, schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text)
  }

  #resolved(node: Json): Json {
    if (typeof node.$ref !== 'string') return node
    const steps = node.$ref.slice(2).split('/')
    const plain = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')
    return this.#resolved(steps.reduce((node, step) => node[plain(step)] as Json, this.#document))
  }

  #findError(kind: 'response' | 'request', schema: Json | undefined, value: unknown): string | undefined {
    const known = this.#validators.get(schema)
    const validate = known ?? this.#ajv.compile(renamed(schema ?? {}, kind, kind === 'response') as Json)
    if (!known) this.#validators.set(schema, validate)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    const named = error?.params.additionalProperty ?? error?.params.allowedValues ?? ''
    return `${error?.instancePath || 'it'} ${error?.message} ${named}`.trim()
  }
}
