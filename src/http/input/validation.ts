import type { FastifyRequest, FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid } from '../../core/problem.ts'
import { convertJson, convertText } from '../../core/validation/convert.ts'
import { FieldErrors } from '../../core/validation/field-errors.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { makeValidator, type Validator } from '../../core/validation/validator.ts'
import { listItems, type Query, valuesByName } from './query.ts'

/** Replaces a rejected body, query or path until all three were read. No handler ever sees it. */
class Rejected extends FieldErrors {}

type Read = (data: unknown) => unknown

function bodyReader(shape: Shape): Read {
  // An unknown field of a body is an error that names it, so a schema must say which fields there are.
  if (shape.properties && shape.additionalProperties !== false)
    throw new Error(`The body schema ${shape.title ?? ''} must have additionalProperties: false.`)
  // Fastify passes null for a missing body.
  return (data) => (data === null ? structuredClone(shape.default) : convertJson(shape, data))
}

function paramsReader({ properties = {} }: Shape): Read {
  const fields = Object.entries(properties)
  return (data) => {
    const result: Record<string, unknown> = {}
    for (const [name, field] of fields) result[name] = convertText(field, (data as Record<string, string>)[name] ?? '')
    return result
  }
}

/** Names match in any case; unknown ones are ignored (§2.1). */
function queryReader({ properties = {} }: Shape): Read {
  const fields = new Map(Object.entries(properties).map(([name, field]) => [name.toLowerCase(), { name, field }]))
  const defaults = Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  )
  // So that no handler can change the default itself.
  const cloned = Object.keys(defaults).filter((name) => typeof defaults[name] === 'object')
  return (data) => {
    const result: Record<string, unknown> = { ...defaults }
    for (const name of cloned) result[name] = structuredClone(defaults[name])
    for (const [given, texts] of valuesByName(data as Query)) {
      const known = fields.get(given)
      const value = known && convertTexts(known.field, texts)
      if (value !== undefined) result[known?.name as string] = value
    }
    return result
  }
}

function convertTexts(field: Shape, texts: readonly string[]): unknown {
  if (field.type !== 'array') return texts.length > 1 ? texts : texts[0] && convertText(field, texts[0])
  const items = listItems(texts)
  return items.length > 0 ? items.map((item) => convertText(field.items ?? {}, item)) : undefined
}

const readers: Record<string, (shape: Shape) => Read> = {
  body: bodyReader,
  querystring: queryReader,
  params: paramsReader,
}

/** Converts, then checks. An error is not thrown yet, because the other parts of the request may have errors as well. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = '' }) => {
  const read = readers[httpPart]?.(schema as Shape)
  if (!read) throw new Error(`No reader for a schema of ${httpPart}.`)
  // Compiled by the first request: most nodes use few operations.
  let validator: Validator | undefined
  return (data: unknown) => {
    validator ??= makeValidator(schema, httpPart === 'body' ? 'json' : 'parameters')
    const { check, isValid } = validator
    const value = read(data)
    if (value !== undefined && isValid(value)) return { value }
    const errors = new Rejected()
    if (value === undefined) errors.add('Body', 'A JSON body is required.')
    else check(value, errors)
    return { value: errors }
  }
}

/** All bad fields of a request in one error. */
export function requireValid({ params, query, body }: Pick<FastifyRequest, 'params' | 'query' | 'body'>): void {
  if (!(params instanceof Rejected || query instanceof Rejected || body instanceof Rejected)) return
  const errors = new FieldErrors()
  for (const part of [params, query, body]) if (part instanceof Rejected) errors.addAll(part.modelState)
  throw invalid(errors.modelState)
}
