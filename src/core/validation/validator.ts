import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
// typebox/compile would load as much again.
import { Compile, type Validator as Compiled } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { FieldErrors } from './field-errors.ts'
import { plusInQuery, useStrictFormats } from './formats.ts'
import { expectation, unknownField } from './sentences.ts'
import type { Shape } from './shape.ts'

useStrictFormats()
// The default of 8 would hide the rest of the bad fields.
Settings.Set({ maxErrors: 100 })

export type Validator = Readonly<{
  isValid(value: unknown): boolean
  /** Adds a sentence for every bad field; true if there is none. */
  check(value: unknown, errors: FieldErrors): boolean
}>

const compiledBySchema = new WeakMap<TSchema, Compiled>()

/** Compiles a schema once: every import and every node of a process uses the same ones. */
export const compiledOf = (schema: TSchema): Compiled =>
  compiledBySchema.getOrInsertComputed(schema, () => Compile(schema))

/** Checks converted values by their schema. This is the only place where an error of TypeBox becomes a sentence.
 *  `source` says what the value was read from: the items of a list in parameters are one field. */
export function makeValidator(schema: TSchema, source: 'parameters' | 'json' = 'json'): Validator {
  const compiled = compiledOf(schema)
  const isValid = (value: unknown) => compiled.Check(value)
  const check = (value: unknown, errors: FieldErrors) => {
    if (isValid(value)) return true
    const [, found] = compiled.Errors(value)
    for (const error of found) addError(error, schema as Shape, value, source, errors)
    return false
  }
  return { isValid, check }
}

function addError(
  error: TLocalizedValidationError,
  root: Shape,
  rootValue: unknown,
  source: 'parameters' | 'json',
  errors: FieldErrors,
): void {
  // Accompanies the additionalProperties error of the same field.
  if (error.keyword === 'boolean') return
  const path = pathOf(error.instancePath)
  const shape = shapeAt(root, path)
  const value = valueAt(rootValue, path)
  const prefix = path.length > 0 ? `${fieldAt(path)}.` : ''
  if (error.keyword === 'required')
    for (const name of error.params.requiredProperties)
      errors.add(prefix + name, `Is required. ${expectation(shape?.properties?.[name] ?? {})}`)
  else if (error.keyword === 'additionalProperties')
    for (const name of error.params.additionalProperties)
      errors.add(prefix + name, unknownField(name, shape ?? {}, root))
  else if (source === 'json')
    errors.add(
      fieldAt(path),
      value === null ? 'Must not be null. Leave the field out instead.' : sentenceOf(error, shape, value),
    )
  else {
    const wasRepeated = Array.isArray(value) && shape?.type !== 'array'
    const hint = shape?.format === 'date-time' ? plusInQuery : ''
    const sentence = wasRepeated ? 'Was sent more than once. Send it once.' : sentenceOf(error, shape, value) + hint
    errors.add(path[0] ?? '', sentence)
  }
}

/** A keyword without a sentence of its own (such as `multipleOf`) gets TypeBox's. */
function sentenceOf({ keyword, message }: TLocalizedValidationError, shape: Shape | undefined, value: unknown): string {
  const isPlain = shape && (shape.type !== undefined || shape.enum || shape.anyOf) && keyword !== 'multipleOf'
  return isPlain ? expectation(shape, value) : `This ${message}.`
}

/** The steps of a JSON pointer (RFC 6901). */
const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** `Flow.RedirectUrls[0]`; `Body` for the value itself. */
const fieldAt = (path: readonly string[]): string =>
  path.reduce((field, step) => (/^\d+$/.test(step) ? `${field}[${step}]` : field ? `${field}.${step}` : step), '') ||
  'Body'

function shapeAt(root: Shape, path: readonly string[]): Shape | undefined {
  let shape: Shape | undefined = root
  for (const step of path)
    shape = shape?.items ?? (Object.hasOwn(shape?.properties ?? {}, step) ? shape?.properties?.[step] : undefined)
  return shape
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root
  for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step]
  return value
}
