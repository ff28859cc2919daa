import { didYouMean } from '../text.ts'
import { dayOrTime, isDateTime, isDay } from './formats.ts'
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
      return `Must be a whole number${isTooLarge(given) ? safeRange(shape) : range(shape.minimum, shape.maximum)}.`
    case 'number':
      return `Must be a decimal number${range(shape.minimum, shape.maximum)}.`
    case 'boolean':
      return 'Must be true or false.'
    case 'array':
      return `Must be a list${size(shape.minItems, shape.maxItems, 'values')}${listExample(shape, given)}.`
    case 'object':
      return `Must be an object${suchAs(shape, given)}.`
    default:
      return expectedText(shape)
  }
}

function suchAs(shape: Shape, given: unknown): string {
  const example = shape.properties && exampleText(shape, given)
  return example === undefined ? '' : ` such as ${example}`
}

/** Only a list of objects or names needs one, and only if no list was sent. */
function listExample(shape: Shape, given: unknown): string {
  const isObvious = !shape.items?.properties && !(shape.items && enumNames(shape.items))
  if (isObvious || Array.isArray(given)) return ''
  const example = exampleText(shape, given)
  return example === undefined ? '' : `, such as ${example}`
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

/** Whether it is a whole number that JSON readers confuse with its neighbours. In bodies NaN replaces it. */
const isTooLarge = (given: unknown): boolean =>
  Number.isNaN(given) || (typeof given === 'string' && /^-?\d+$/.test(given) && !Number.isSafeInteger(Number(given)))

const safeRange = ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Shape): string =>
  range(minimum, maximum)

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

function size(min: number | undefined, max: number | undefined, unit: string): string {
  if (min !== undefined && max !== undefined) return ` of ${min === max ? max : `${min} to ${max}`} ${unit}`
  return range(min, max) && `${range(min, max)} ${unit}`
}

/** `root` is the shape of the whole value, in which the field may have another place. */
export function unknownField(name: string, shape: Shape, root: Shape = shape): string {
  const names = Object.keys(shape.properties ?? {})
  const differsInCase = names.some((known) => known.toLowerCase() === name.toLowerCase())
  const places = differsInCase ? [] : placesOf(root, name)
  if (places.length > 0) return `Is not a field here. ${placeSentence(places)}`
  const meant = didYouMean(names, name)
  return `Is not a known field.${meant || ' Leave it out.'}${differsInCase ? ' Names are case-sensitive in a body.' : ''}`
}

const maxPlaces = 3

function placeSentence(places: readonly string[]): string {
  if (places[0] === '') return 'It belongs to the outermost object.'
  if (places.length > maxPlaces) return `It goes into an object such as ${places.slice(0, maxPlaces).join(', ')}.`
  return `It goes into ${[places.slice(0, -1).join(', '), places.at(-1)].filter(Boolean).join(' or ')}.`
}

type Place = Readonly<{ path: string; shape: Shape; isRequired: boolean }>

/** The members with a field of this name, the outer ones first; `''` is the root. Only required ones if there are any. */
function placesOf(root: Shape, name: string): string[] {
  const places: Place[] = []
  const queue: Place[] = [{ path: '', shape: root, isRequired: true }]
  for (const place of queue) {
    const { properties = {}, required = [] } = place.shape.items ?? place.shape
    if (Object.hasOwn(properties, name)) places.push(place)
    for (const [member, shape] of Object.entries(properties)) {
      const isRequired = place.isRequired && required.includes(member)
      queue.push({ path: place.path ? `${place.path}.${member}` : member, shape, isRequired })
    }
  }
  const inRequired = places.filter(({ isRequired }) => isRequired)
  return (inRequired.length > 0 ? inRequired : places).map(({ path }) => path)
}

const maxCharacters = 200
/** The example of a component may be a whole one. */
const maxDeclared = 100
const maxDepth = 4
const unknownText = '…'

/** The smallest value of the shape as JSON: only what is required. Contains the given value if that is a name of an enum,
 *  a day or a time, never other text. Undefined if it would be long. */
function exampleText(shape: Shape, given?: unknown): string | undefined {
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
