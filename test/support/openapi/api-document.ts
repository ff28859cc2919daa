import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>
type Contents = Readonly<Record<string, { schema?: Json }>>
type Parameter = Readonly<{ name: string; in: string; required?: boolean; schema: Json }>
type Header = Readonly<{ required?: boolean; schema: Json }>
type Answer = Readonly<{ content?: Contents; headers?: Record<string, Json> }>
type Operation = Readonly<{
  operationId?: string
  parameters?: readonly Json[]
  requestBody?: Json
  responses: Record<string, Json>
}>

/** An answer as it goes out; the body is its text, or null where it has none. */
export type SentAnswer = Readonly<{
  operationId: string
  status: number
  header: (name: string) => unknown
  body: string | null | undefined
}>

/** A request as the service read it: names as they are declared, values of their types; the body by its media type. */
export type ReadRequest = Readonly<{
  operationId: string
  params: unknown
  query: unknown
  body: unknown
  mediaType: string
}>

export const mediaTypeOf = (header: unknown): string => /^[^;\s]*/.exec(String(header ?? ''))?.[0].toLowerCase() ?? ''
const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType)

/** What any request may meet, and the document tells of once: what is too large or too long, and a fault of ours. */
const everywhere = [413, 414, 431, 500]

/** What is data and no schema. */
const examples = new Set(['default', 'enum', 'const', 'example', 'examples'])

/** The document with its references as those of another name, and with objects that name their members holding no others
 *  where they do not say so. */
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

/** Judges answers and requests by the service's own /openapi.json. Schemas are compiled when they are first needed: most
 *  test files meet few of them. */
export class ApiDocument {
  readonly operations = new Map<string, Operation>()
  readonly #document: Json
  readonly #ajv = new Ajv2020({ strict: false, validateSchema: false, meta: false })
  readonly #validators = new Map<unknown, ValidateFunction>()

  constructor(document: Json) {
    this.#document = document
    formats.default(this.#ajv)
    this.#ajv.addSchema(renamed(document, 'answer', true) as Json, 'answer')
    this.#ajv.addSchema(renamed(document, 'request', false) as Json, 'request')
    for (const path of Object.values(document.paths as Record<string, Record<string, Operation>>))
      for (const operation of Object.values(path))
        if (operation.operationId !== undefined) this.operations.set(operation.operationId, operation)
  }

  /** The statuses that an operation declares. */
  statusesOf(operationId: string): string[] {
    return Object.keys(this.operations.get(operationId)?.responses ?? {})
  }

  /** What an answer is that the document does not tell; undefined when it tells it all. */
  answerFault({ operationId, status, header, body }: SentAnswer): string | undefined {
    const operation = this.operations.get(operationId)
    if (!operation) return 'the operation is not in the document'
    const declared = operation.responses[status] ?? (everywhere.includes(status) && operation.responses.default)
    if (!declared) return 'the status is not declared'
    const { content = {}, headers = {} } = this.#resolved(declared) as Answer
    for (const [name, told] of Object.entries(headers)) {
      const fault = this.#headerFault(this.#resolved(told) as Header, header(name))
      if (fault !== undefined) return `the header ${name}: ${fault}`
    }
    if (body === null) return Object.keys(content).length > 0 ? 'there is no body, and one is declared' : undefined
    const mediaType = mediaTypeOf(header('content-type'))
    const declaredType = Object.keys(content).find((each) => mediaTypeOf(each) === mediaType)
    if (declaredType === undefined) return `the media type ${mediaType || '(none)'} is not declared`
    if (body === undefined || !isJson(mediaType)) return undefined
    return this.#fault('answer', content[declaredType]?.schema, JSON.parse(body))
  }

  /** Why the document would refuse a request that the service took; undefined when it would not. */
  requestFault({ operationId, params, query, body, mediaType }: ReadRequest): string | undefined {
    const { parameters = [], requestBody } = this.operations.get(operationId) ?? {}
    for (const each of parameters) {
      const parameter = this.#resolved(each) as Parameter
      if (parameter.in !== 'path' && parameter.in !== 'query') continue
      const fault = this.#parameterFault(parameter, (parameter.in === 'path' ? params : query) as Json)
      if (fault !== undefined) return `the ${parameter.in} parameter ${parameter.name}: ${fault}`
    }
    const { content, required } = this.#resolved(requestBody ?? {}) as { content?: Contents; required?: boolean }
    const schema = content?.[mediaType]?.schema
    if (!schema) return undefined
    if (body === null || body === undefined) return required ? 'it has no body, and one is required' : undefined
    const fault = this.#fault('request', schema, body)
    return fault && `the request's body: ${fault}`
  }

  /** Where a route reads its query itself, every parameter is a list of texts. */
  #parameterFault({ name, required, schema }: Parameter, given: Json): string | undefined {
    const spelling = Object.keys(given).find((each) => each.toLowerCase() === name.toLowerCase())
    const value = spelling === undefined ? undefined : given[spelling]
    if (value === undefined) return required ? 'is missing, and required' : undefined
    const isList = this.#resolved(schema).type === 'array'
    return this.#fault('request', schema, Array.isArray(value) && !isList ? value[0] : value)
  }

  /** Numbers come as texts. */
  #headerFault({ required, schema }: Header, value: unknown): string | undefined {
    if (value === undefined) return required ? 'is missing' : undefined
    const text = String(value)
    return this.#fault('answer', schema, schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text)
  }

  #resolved(node: Json): Json {
    if (typeof node.$ref !== 'string') return node
    const steps = node.$ref.slice(2).split('/')
    const plain = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')
    return this.#resolved(steps.reduce((place, step) => place[plain(step)] as Json, this.#document))
  }

  #fault(kind: 'answer' | 'request', schema: Json | undefined, value: unknown): string | undefined {
    const known = this.#validators.get(schema)
    const validate = known ?? this.#ajv.compile(renamed(schema ?? {}, kind, kind === 'answer') as Json)
    if (!known) this.#validators.set(schema, validate)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    const named = error?.params.additionalProperty ?? error?.params.allowedValues ?? ''
    return `${error?.instancePath || 'it'} ${error?.message} ${named}`.trim()
  }
}
