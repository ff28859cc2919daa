import { type TSchema, type TUnsafe, Type } from 'typebox'

/** A closed set, declared once: the type, the validation and the OpenAPI enum. (Type.Enum emits no `type`.) */
export function oneOf<const T extends readonly string[]>(...values: T): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] })
}

/** A comma separated list in a query, also given by repeating the parameter. */
export function listOf<T extends TSchema>(item: T, maxItems = 1000) {
  return Type.Array(item, { maxItems })
}

/** A text of a form: the pattern that checks it, and the words for it, which a refusal says instead of the pattern. */
export function ofForm(form: string, pattern: string) {
  return { pattern, form, description: `${form.charAt(0).toUpperCase()}${form.slice(1)}.` }
}
