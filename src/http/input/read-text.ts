import type { FieldErrors } from '../field-errors.ts'
import { allowed, hasAllowedCount, isWithin, memberIn, membersOf, type Shape } from './constraints.ts'
import { type Query, valuesByLowerCaseName } from './query.ts'

const integerPattern = /^-?\d+$/
const decimalPattern = /^-?\d+(\.\d+)?$/

/** PostgreSQL knows no U+0000 in text, so nothing there can be called so. */
export const isStorable = (text: string): boolean => !text.includes('\0')

/** The value a text stands for; undefined when it stands for none of this type. */
function valueOfText(shape: Shape, text: string): unknown {
  const members = membersOf(shape)
  if (members) return memberIn(members, text)
  switch (shape.type) {
    case 'integer': {
      const number = integerPattern.test(text) ? Number(text) + 0 : Number.NaN
      return Number.isSafeInteger(number) ? number : undefined
    }
    case 'number': {
      const number = decimalPattern.test(text) ? Number(text) + 0 : Number.NaN
      return Number.isFinite(number) ? number : undefined
    }
    case 'boolean': {
      const word = text.toLowerCase()
      return word === 'true' || (word === 'false' ? false : undefined)
    }
    default:
      return isStorable(text) ? text : undefined
  }
}

export function readText(shape: Shape, text: string, field: string, faults: FieldErrors): unknown {
  const value = valueOfText(shape, text)
  if (value === undefined || !isWithin(shape, value)) faults.add(field, allowed(shape, text))
  return value
}

/** Comma separated, repeated, or both; empty items are dropped (contract §1). */
function readList(shape: Shape, texts: readonly string[], field: string, faults: FieldErrors): unknown[] {
  const items = texts.flatMap((text) => text.split(',')).filter((item) => item !== '')
  if (!hasAllowedCount(shape, items)) faults.add(field, allowed(shape))
  else if (shape.items) return items.map((item) => readText(shape.items ?? {}, item, field, faults))
  return items
}

function readField(shape: Shape, texts: readonly string[], field: string, faults: FieldErrors): unknown {
  if (shape.type === 'array') return readList(shape, texts, field, faults)
  const [text, ...more] = texts
  if (more.length > 0) faults.add(field, 'Was given more than once; give it once.')
  return readText(shape, text ?? '', field, faults)
}

type ReadTexts = (query: Query, faults: FieldErrors) => Record<string, unknown>

type Member = Readonly<{ name: string; lower: string; shape: Shape; isRequired: boolean; isShared: boolean }>

/** Query or path parameters as the schema's own names and types. Names the schema does not know are ignored. */
export function textReader(shape: Shape): ReadTexts {
  const members: Member[] = Object.entries(shape.properties ?? {}).map(([name, member]) => ({
    name,
    lower: name.toLowerCase(),
    shape: member,
    isRequired: shape.required?.includes(name) ?? false,
    // Somebody may change it; a plain value nobody can.
    isShared: typeof member.default === 'object',
  }))
  return (query, faults) => {
    const given = valuesByLowerCaseName(query)
    const result: Record<string, unknown> = {}
    for (const { name, lower, shape: member, isRequired, isShared } of members) {
      const texts = given.get(lower)
      const hasText = texts?.some((text) => member.type !== 'array' || /[^,]/.test(text))
      if (texts && hasText) result[name] = readField(member, texts, name, faults)
      else if (member.default !== undefined) result[name] = isShared ? structuredClone(member.default) : member.default
      else if (isRequired) faults.add(name, `Is required. ${allowed(member)}`)
    }
    return result
  }
}
