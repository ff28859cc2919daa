import { dayOfTime } from './formats.ts'
import { enumNames, type Shape } from './shape.ts'

/** No schema accepts NaN, so the check that follows rejects what cannot be converted. */
const unacceptable = Number.NaN

const integerPattern = /^-?\d+$/
const decimalPattern = /^-?\d+(\.\d+)?$/
const booleans = new Map([
  ['true', true],
  ['false', false],
])

/** The name as the schema spells it; other text unchanged. */
function enumSpelling(names: readonly string[], text: string): string {
  if (names.includes(text)) return text
  const lower = text.toLowerCase()
  return names.find((name) => name.toLowerCase() === lower) ?? text
}

/** The value of a query or path parameter. Text that is no such value stays text. */
export function convertText(shape: Shape, text: string): unknown {
  const names = enumNames(shape)
  if (names) return enumSpelling(names, text)
  switch (shape.type) {
    case 'integer':
      // Adding 0 turns -0 into 0.
      return integerPattern.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) + 0 : text
    case 'number':
      return decimalPattern.test(text) && Number.isFinite(Number(text)) ? Number(text) + 0 : text
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? text
    default:
      // PostgreSQL cannot store U+0000.
      if (text.includes('\0')) return unacceptable
      // A day may be sent as a date-time (§2.2).
      return shape.format === 'date' ? dayOfTime(text) : text
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A JSON value with enum names in the schema's spelling and with defaults. An open object loses the fields it does not declare. */
export function convertJson(shape: Shape, value: unknown): unknown {
  if (typeof value === 'string') {
    const names = enumNames(shape)
    return names ? enumSpelling(names, value) : value
  }
  if (typeof value === 'number') return shape.type === 'integer' && !Number.isSafeInteger(value) ? unacceptable : value
  const { properties, items } = shape
  if (items && Array.isArray(value)) return value.map((item) => convertJson(items, item))
  if (!properties || !isObject(value)) return value
  const result: Record<string, unknown> = shape.additionalProperties === false ? { ...value } : {}
  for (const [name, field] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) result[name] = convertJson(field, value[name])
    else if (field.default !== undefined) result[name] = structuredClone(field.default)
  }
  return result
}
