import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid, type ModelState } from '../../core/problem.ts'
import { FieldErrors } from '../field-errors.ts'
import type { Server } from '../typed-server.ts'
import type { Shape } from './constraints.ts'
import type { Query } from './query.ts'
import { readJson } from './read-json.ts'
import { readText, textReader } from './read-text.ts'

/** Stands in a request's part until all parts were read; no handler ever sees it. */
class RefusedPart {
  readonly modelState: ModelState

  constructor(modelState: ModelState) {
    this.modelState = modelState
  }
}

type Read = (shape: Shape, data: unknown, faults: FieldErrors) => unknown

const readBody: Read = (shape, data, faults) => {
  // Fastify hands null for a body that was not sent, which is what `null` as a body deserves too.
  if (data !== null) return readJson(shape, data, '', faults)
  if (shape.default === undefined) faults.add('Body', 'A JSON body is required.')
  return structuredClone(shape.default)
}

/** The router has the names as the schema spells them, each once. */
const readParams: Read = (shape, data, faults) => {
  const result: Record<string, unknown> = {}
  for (const name in shape.properties)
    result[name] = readText(shape.properties[name] ?? {}, (data as Record<string, string>)[name] ?? '', name, faults)
  return result
}

/** What a part of a request is read by, prepared for its schema. */
const readers: Record<string, (shape: Shape) => Read> = {
  body: () => readBody,
  querystring: (shape) => {
    const read = textReader(shape)
    return (_shape, data, faults) => read(data as Query, faults)
  },
  params: () => readParams,
}

/** `/Flow/RedirectUrls/0` as `Flow.RedirectUrls[0]`. */
function fieldAt(instancePath: string): string {
  return (
    instancePath
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.') || 'Body'
  )
}

/**
 * Our own reading first, because it knows texts, spellings and plain sentences; then TypeBox over the result, because it
 * knows the rest of JSON Schema. A part that is refused does not throw yet: the other parts may have faults as well.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const read = readers[httpPart ?? '']?.(schema as Shape)
  if (!read) throw new Error(`No reader for a schema of ${httpPart}.`)
  const complete = Compile(schema)
  return (data: unknown) => {
    const faults = new FieldErrors()
    const value = read(schema as Shape, data, faults)
    if (!faults.any && !complete.Check(value)) {
      for (const error of complete.Errors(value)) faults.add(fieldAt(error.instancePath), `This ${error.message}.`)
    }
    return { value: faults.any ? new RefusedPart(faults.modelState) : value }
  }
}

/** Lets every route's schemas judge its requests, and tells all bad fields of all parts in one answer. */
export function validateRequests(server: Server): void {
  server.setValidatorCompiler(compileValidator)
  server.addHook('preHandler', ({ params, query, body }, _reply, done) => {
    const refused = [params, query, body].filter((part) => part instanceof RefusedPart)
    if (refused.length === 0) return done()
    const faults = new FieldErrors()
    for (const part of refused) faults.addAll(part.modelState)
    done(invalid(faults.modelState))
  })
}
