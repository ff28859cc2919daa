/** The part of JSON Schema that our requests use; TypeBox schemas are exactly this when their hidden keys are ignored. */
export type Shape = Readonly<{
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  format?: string
  pattern?: string
  /** What the pattern means, in words (core/schema ofForm). */
  form?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Shape
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  additionalProperties?: unknown
  default?: unknown
  title?: string
  description?: string
  examples?: readonly unknown[]
}>

/** The members of a closed set of texts, however it was declared; undefined when the shape is something else. */
export function membersOf(shape: Shape): readonly string[] | undefined {
  const members = shape.enum ?? shape.anyOf?.map((choice) => choice.const) ?? (shape.const ? [shape.const] : undefined)
  return members?.every((member) => typeof member === 'string') ? members : undefined
}

export function memberIn(members: readonly string[], text: string): string | undefined {
  const wanted = text.toLowerCase()
  return members.find((member) => member.toLowerCase() === wanted)
}

const isSomeTime = (read: () => unknown): boolean => {
  try {
    read()
    return true
  } catch {
    return false
  }
}

// PostgreSQL knows no year 0.
const dayPattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const dateTimePattern = /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/

function hasFormat(format: string | undefined, text: string): boolean {
  if (format === 'date') return dayPattern.test(text) && isSomeTime(() => Temporal.PlainDate.from(text))
  if (format === 'date-time') return dateTimePattern.test(text) && isSomeTime(() => Temporal.Instant.from(text))
  return true
}

const patterns = new Map<string, RegExp>()

/** Schemas have few patterns, and each is met again with every request. */
function patternOf(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const pattern = new RegExp(source, 'u')
  patterns.set(source, pattern)
  return pattern
}

/** Whether a value, already of the right type, keeps the shape's constraints. */
export function isWithin(shape: Shape, value: unknown): boolean {
  if (typeof value === 'number') return value >= (shape.minimum ?? -Infinity) && value <= (shape.maximum ?? Infinity)
  if (typeof value !== 'string') return true
  if (value.length < (shape.minLength ?? 0) || value.length > (shape.maxLength ?? Infinity)) return false
  if (shape.pattern !== undefined && !patternOf(shape.pattern).test(value)) return false
  return hasFormat(shape.format, value)
}

function span(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`
  if (least !== undefined) return ` of at least ${least}`
  return most === undefined ? '' : ` of at most ${most}`
}

const listedMembers = 12

function allowedMembers(members: readonly string[], given: unknown): string {
  const meant = members.length > listedMembers ? likeliest(members, given) : undefined
  const listed = members.slice(0, listedMembers).join(', ')
  const more = members.length - listedMembers
  return `Must be one of: ${listed}${more > 0 ? ` and ${more} more` : ''}.${meant ? ` Did you mean ${meant}?` : ''}`
}

/** The member that was most likely meant: the one that shares the longest beginning, if that is most of it. */
function likeliest(members: readonly string[], given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const text = given.toLowerCase()
  const shared = (member: string): number => {
    let count = 0
    while (count < text.length && member[count]?.toLowerCase() === text[count]) count++
    return count
  }
  const [best] = members.toSorted((a, b) => shared(b) - shared(a) || a.length - b.length)
  return best !== undefined && shared(best) >= 3 ? best : undefined
}

function allowedText(shape: Shape): string {
  if (shape.format === 'date') return 'Must be a calendar day written YYYY-MM-DD.'
  if (shape.format === 'date-time')
    return 'Must be a date-time like 2026-12-31T23:59:59Z, with 0 to 6 fractional digits and Z or an offset (+ is %2B in a query).'
  if (shape.form !== undefined) return `Must be ${shape.form}.`
  const length = span(shape.minLength, shape.maxLength)
  const pattern = shape.pattern === undefined ? '' : ` that matches ${shape.pattern}`
  return `Must be text${length && `${length} characters`}${pattern}.`
}

/** What is allowed, in one sentence: the answer to every value that is not. */
export function allowed(shape: Shape, given?: unknown): string {
  const members = membersOf(shape)
  if (members) return allowedMembers(members, given)
  switch (shape.type) {
    case 'integer':
      return `Must be a whole number${span(shape.minimum, shape.maximum)}.`
    case 'number':
      return `Must be a decimal number${span(shape.minimum, shape.maximum)}.`
    case 'boolean':
      return 'Must be true or false.'
    case 'array':
      return `Must be a list${countOf(shape)}.`
    case 'object':
      return 'Must be an object.'
    default:
      return allowedText(shape)
  }
}

const countOf = (shape: Shape): string =>
  span(shape.minItems, shape.maxItems) && `${span(shape.minItems, shape.maxItems)} values`

export function hasAllowedCount(shape: Shape, items: readonly unknown[]): boolean {
  return items.length >= (shape.minItems ?? 0) && items.length <= (shape.maxItems ?? Infinity)
}
