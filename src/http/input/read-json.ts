import type { FieldErrors } from '../field-errors.ts'
import { allowed, hasAllowedCount, isWithin, memberIn, membersOf, type Shape } from './constraints.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readScalar(shape: Shape, value: unknown, field: string, faults: FieldErrors): unknown {
  const members = membersOf(shape)
  const read = members && typeof value === 'string' ? memberIn(members, value) : value
  const isOfType = shape.type === 'integer' ? Number.isSafeInteger(read) : typeof read === (shape.type ?? 'string')
  if (!isOfType || !isWithin(shape, read)) faults.add(field, allowed(shape, value))
  return read
}

function readArray(shape: Shape, value: unknown, field: string, faults: FieldErrors): unknown {
  if (!Array.isArray(value) || !hasAllowedCount(shape, value)) {
    faults.add(field, allowed(shape))
    return value
  }
  return value.map((item, index) => readJson(shape.items ?? {}, item, `${field}[${index}]`, faults))
}

/** Names the members that the schema does not know: a fault where it is closed, or where only the case is wrong. */
function refuseUnknownMembers(shape: Shape, value: Record<string, unknown>, prefix: string, faults: FieldErrors): void {
  const names = Object.keys(shape.properties ?? {})
  for (const name of Object.keys(value)) {
    if (names.includes(name)) continue
    const meant = memberIn(names, name)
    if (meant) faults.add(prefix + name, `Is not known here; names are case sensitive in a body, write ${meant}.`)
    else if (shape.additionalProperties === false) faults.add(prefix + name, 'Is not known here; leave it out.')
  }
}

function readObject(shape: Shape, value: unknown, field: string, faults: FieldErrors): unknown {
  if (!isObject(value)) {
    faults.add(field || 'Body', allowed(shape))
    return value
  }
  const prefix = field && `${field}.`
  refuseUnknownMembers(shape, value, prefix, faults)
  const result: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(shape.properties ?? {})) {
    if (Object.hasOwn(value, name)) result[name] = readJson(member, value[name], prefix + name, faults)
    else if (member.default !== undefined) result[name] = structuredClone(member.default)
    else if (shape.required?.includes(name)) faults.add(prefix + name, `Is required. ${allowed(member)}`)
  }
  return result
}

/**
 * A JSON value with the enum spellings and defaults of its schema, and only the members the schema names.
 * Shapes that are none of the plain ones pass as they are; the caller has TypeBox judge them afterwards.
 */
export function readJson(shape: Shape, value: unknown, field: string, faults: FieldErrors): unknown {
  if (value === null) {
    faults.add(field || 'Body', 'null is not allowed; leave the member out instead.')
    return value
  }
  if (shape.properties) return readObject(shape, value, field, faults)
  if (shape.type === 'array') return readArray(shape, value, field || 'Body', faults)
  const isScalar = membersOf(shape) || ['string', 'integer', 'number', 'boolean'].includes(shape.type ?? '')
  return isScalar ? readScalar(shape, value, field || 'Body', faults) : value
}
