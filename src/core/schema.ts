import { type TSchema, type TUnsafe, Type } from 'typebox'

/** An enum: its type, validation and OpenAPI schema. (Type.Enum emits no `type`.) */
export function oneOf<const T extends readonly string[]>(...values: T): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
}

type Word<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Line

/** The words of some lines, with their literal types: for long lists of names. */
export const words = <const Lines extends readonly string[]>(...lines: Lines): readonly Word<Lines[number]>[] =>
  lines.flatMap((line) => line.split(' ')) as Word<Lines[number]>[]

/** A list in a query: comma separated, or the parameter repeated. */
export function listOf<T extends TSchema>(item: T, maxItems = 1000) {
  return Type.Array(item, { maxItems })
}

/** Text that matches a pattern. `expected` completes "Must be ..." in error messages and is the default description. */
export function matching(expected: string, pattern: string) {
  return { pattern, expected, description: `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.` }
}

export const currencyCode = matching('a three-letter currency code such as USD', '^[A-Z]{3}$')

export function singleLine(minLength: number, maxLength: number) {
  const expected = `${minLength} to ${maxLength} characters without line breaks or other control characters`
  return { minLength, maxLength, ...matching(expected, '^[^\\p{Cc}]*$') }
}

/** A copy with more members. (A spread would lose TypeBox's hidden keys, such as that a member is optional.) */
function copyWith<T extends TSchema>(schema: T, more: PropertyDescriptorMap): T {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(schema), ...more }) as T
}

/** A schema that is a component of the API document, under this name. */
export function named<T extends TSchema>(title: string, schema: T, description?: string): T {
  const texts = { title, ...(description !== undefined && { description }) }
  return copyWith(schema, Object.getOwnPropertyDescriptors(texts))
}

/** The schema with a description for one use. `~base` keeps the schema that is the component. */
export function describe<T extends TSchema>(schema: T, description: string, more: object = {}): T {
  const base = (schema as { '~base'?: TSchema })['~base'] ?? schema
  return copyWith(schema, {
    ...Object.getOwnPropertyDescriptors({ description, ...more }),
    '~base': { value: base, enumerable: false },
  })
}

export const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(describe(schema, description))

/** A member of responses that the default profile always sends, and the vendor profile only where clients expect it (§3). */
export const requiredByDefault = <T extends TSchema>(schema: T, description: string): T =>
  describe(schema, description, { isRequiredByDefault: true })

/** The format of a day in a response, which depends on the profile (`daySuffix` in core/wire-profile). */
export const wireDay = 'wire-day'
