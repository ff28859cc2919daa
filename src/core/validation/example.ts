import { dayOrTime, isDateTime, isDay } from './formats.ts'
import { enumNames, type Shape } from './shape.ts'

const maxCharacters = 200
/** The example of a component may be a whole one. */
const maxDeclared = 100
const maxDepth = 4
const unknownText = '…'

/** The smallest value of the shape as JSON: only what is required. Contains the given value if that is a name of an enum,
 *  a day or a time, never other text. Undefined if it would be long. */
export function exampleText(shape: Shape, given?: unknown): string | undefined {
  const text = JSON.stringify(exampleOf(shape, given, 0))
  return text.length > maxCharacters ? undefined : text
}

function exampleOf(shape: Shape, given: unknown, depth: number): unknown {
  if (accepts(shape, given)) return given
  if (depth > maxDepth) return unknownText
  if (shape.type === 'array') return [exampleOf(shape.items ?? {}, given, depth + 1)]
  if (shape.type === 'object') return exampleObject(shape, given, depth)
  return shape.examples?.[0] ?? enumNames(shape)?.[0] ?? exampleScalar(shape)
}

function exampleObject({ properties = {}, required = [], examples }: Shape, given: unknown, depth: number): unknown {
  const all = Object.keys(properties)
  const taking = all.find((name) => accepts(properties[name] ?? {}, given))
  const [declared] = examples ?? []
  if (taking === undefined && declared !== undefined && JSON.stringify(declared).length <= maxDeclared) return declared
  const wanted = new Set([...(taking === undefined ? [] : [taking]), ...required])
  const [first] = all
  if (wanted.size === 0 && first !== undefined) wanted.add(first)
  const shown = all.filter((name) => wanted.has(name))
  return Object.fromEntries(shown.map((name) => [name, exampleOf(properties[name] ?? {}, given, depth + 1)]))
}

function exampleScalar({ type, format, expected, minimum = 0 }: Shape): unknown {
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, minimum)
  if (format === 'date' || format === dayOrTime) return '2026-12-31'
  if (format === 'date-time') return '2026-12-31T23:59:59Z'
  return /such as (\S+)$/.exec(expected ?? '')?.[1] ?? unknownText
}

/** Whether the given value can be repeated in an example: it belongs here, and it cannot be a secret. */
function accepts(shape: Shape, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const { format } = shape
  if (format === 'date') return isDay(given)
  if (format === 'date-time') return isDateTime(given)
  if (format === dayOrTime) return isDay(given) || isDateTime(given)
  return enumNames(shape)?.includes(given) ?? false
}
