import type { TObject } from 'typebox'
import { dayOrTime } from '../core/validation/formats.ts'
import type { Shape } from '../core/validation/shape.ts'
import type { Kind } from './kind.ts'

/** JSON Schema of a line of an import file, for editors and other validators. Made of the schemas that the import uses, with
 *  what a file may have besides: relative days, terms, repeated records and deletions (§9.1, §9.4). */
export function recordSchema(kinds: readonly Kind[], scenarioHead: TObject): object {
  const definitions: Record<string, object> = {
    ...Object.fromEntries(kinds.map(definitionOf)),
    terms,
    scenario: { ...standard(scenarioHead as Shape), description: 'The first line of a scenario.' },
  }
  const names = Object.keys(definitions)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A record of refdesk',
    description: 'One line of a file that `refdesk import` reads. Names of enumerations are accepted in any case.',
    type: 'object',
    properties: { kind: { enum: names, description: 'What the record describes.' } },
    required: ['kind'],
    allOf: names.map((name) => ({
      if: { properties: { kind: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: `#/definitions/${name}` },
    })),
    definitions,
  }
}

const relative = { type: 'string', pattern: '^@', description: 'A day relative to the load day, such as @+12 or @-3b.' }

const more: Readonly<Record<string, object>> = {
  Terms: { type: 'array', items: { type: 'string' }, description: 'Terms from which members are taken.' },
  Repeat: {
    type: 'object',
    properties: { Count: { type: 'integer', minimum: 1, maximum: 10_000 }, From: { type: 'integer', minimum: 0 } },
    required: ['Count'],
    additionalProperties: false,
    description: 'The line stands for so many records; {n} in texts is the number of each.',
  },
  delete: { const: true, description: 'Deletes the record with this key.' },
}

const terms = {
  type: 'object',
  properties: { kind: { const: 'terms' }, Name: { type: 'string', minLength: 1 } },
  required: ['Name'],
  description: 'Members that records on later lines share by naming them in Terms.',
}

/** A deletion needs only the key, and terms may have the members that are required. */
function definitionOf({ name, key, schema }: Kind): [string, object] {
  const { properties = {}, required = [] } = schema as Shape
  const members = Object.entries(properties).map(([member, shape]) => [member, standard(shape)])
  const isPartial = { anyOf: [{ required: ['delete'] }, { required: ['Terms'] }] }
  const definition = {
    type: 'object',
    properties: { kind: { const: name }, ...Object.fromEntries(members), ...more },
    additionalProperties: false,
    if: key.length === 0 ? { required: ['Terms'] } : isPartial,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: key },
    else: { required },
  }
  return [name, definition]
}

const keywords = [
  ...['type', 'enum', 'const', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  ...['required', 'additionalProperties', 'description', 'examples'],
] as const

/** The shape with standard keywords only. Where it has a day or a time, a relative one is accepted too. */
function standard(shape: Shape): object {
  const given = keywords.flatMap((keyword) => (shape[keyword] === undefined ? [] : [[keyword, shape[keyword]]]))
  const { format, properties, items, anyOf } = shape
  return {
    ...Object.fromEntries(given),
    ...(format !== undefined && { anyOf: formatsOf(format) }),
    ...(anyOf && { anyOf: anyOf.map(standard) }),
    ...(items && { items: standard(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, standard(inner)])),
    }),
  }
}

function formatsOf(format: string): object[] {
  const formats = format === dayOrTime ? ['date', 'date-time'] : [format]
  return [...formats.map((one) => ({ format: one })), relative].map((one) => ({ type: 'string', ...one }))
}
