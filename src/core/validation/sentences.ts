import { didYouMean } from '../text.ts'
import { dayOrTime } from './formats.ts'
import { enumNames, type Shape } from './shape.ts'

const maxListed = 12

/** What a field accepts, in one sentence. It is the error message for every value that the field rejects. */
export function expectation(shape: Shape, given?: unknown): string {
  const names = enumNames(shape)
  if (names) {
    if (names.length === 1) return `Must be ${names[0]}.`
    const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : ''
    return `Must be one of: ${names.slice(0, maxListed).join(', ')}${more}.${didYouMean(names, given)}`
  }
  switch (shape.type) {
    case 'integer':
      return `Must be a whole number${range(shape.minimum, shape.maximum)}.`
    case 'number':
      return `Must be a decimal number${range(shape.minimum, shape.maximum)}.`
    case 'boolean':
      return 'Must be true or false.'
    case 'array':
      return `Must be a list${size(shape.minItems, shape.maxItems, 'values')}.`
    case 'object':
      return 'Must be an object.'
    default:
      return expectedText(shape)
  }
}

function expectedText({ format, expected, pattern, minLength, maxLength }: Shape): string {
  if (format === 'date') return 'Must be a calendar day written YYYY-MM-DD.'
  if (format === dayOrTime) return 'Must be a day like 2026-12-31, or a date-time like 2026-12-31T23:59:59Z.'
  if (format === 'date-time')
    return 'Must be a date-time like 2026-12-31T23:59:59Z, with 0 to 6 fractional digits and Z or an offset.'
  if (expected !== undefined) return `Must be ${expected}.`
  const form = pattern === undefined ? '' : ' in the documented form'
  return `Must be text${size(minLength, maxLength, 'characters')}${form}.`
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function size(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min === max ? max : `${min} to ${max}`} ${unit}`
  return range(min, max) && `${range(min, max)} ${unit}`
}

export function unknownField(name: string, shape: Shape): string {
  const names = Object.keys(shape.properties ?? {})
  const meant = didYouMean(names, name)
  const differsInCase = names.some((known) => known.toLowerCase() === name.toLowerCase())
  return `Is not a known field.${meant || ' Leave it out.'}${differsInCase ? ' Names are case-sensitive in a body.' : ''}`
}
