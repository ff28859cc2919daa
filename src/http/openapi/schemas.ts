import { isDeepStrictEqual } from 'node:util'
import { wireDay } from '../../core/schema.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { WireProfile } from '../../core/wire-profile.ts'

export type Node = Record<string, unknown>

/** The example of a schema; for a page of rows, a page with the example of a row. */
function ownExample(shape: SchemaNode): unknown {
  const [example] = shape.examples ?? shape['~base']?.examples ?? []
  const row = shape.properties?.Data?.items
  if (example !== undefined || !row) return example
  const rowExample = ownExample(row)
  return rowExample === undefined ? undefined : { Data: [rowExample] }
}

/** JSON Schema with our own keywords. `~base` is the named schema before `describe` (core/schema) added to it. */
export type SchemaNode = Shape & {
  readonly '~base'?: SchemaNode
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What a place may change without making it a different schema. */
const annotations = ['description', 'default'] as const

function ownAnnotations(shape: SchemaNode, base: SchemaNode): Node {
  const changed = annotations.filter((name) => shape[name] !== undefined && shape[name] !== base[name])
  return Object.fromEntries(changed.map((name) => [name, shape[name]]))
}

/** The schemas of the API document. Schemas with a title become components, which all places refer to. */
export class ComponentSchemas {
  readonly schemas: Record<string, Node> = {}
  readonly #defined = { request: new Set<SchemaNode>(), response: new Set<SchemaNode>() }
  readonly #daySuffix: string
  readonly #limitsMembers: boolean

  constructor({ daySuffix, limitsMembers }: Pick<WireProfile, 'daySuffix' | 'limitsMembers'>) {
    this.#daySuffix = daySuffix
    this.#limitsMembers = limitsMembers
  }

  /** The schema, or a reference to its component. In a request, a field with a default is not required. */
  refer(shape: SchemaNode, inRequest = false): Node {
    const { title } = shape
    if (title === undefined) return this.#write(shape, inRequest)
    const base = shape['~base'] ?? shape
    this.#define(title, base, inRequest)
    return { $ref: `#/components/schemas/${title}`, ...ownAnnotations(shape, base) }
  }

  contentOf(shape: SchemaNode, inRequest = false): Node {
    const example = this.#formatted(shape, ownExample(shape))
    return { schema: this.refer(shape, inRequest), ...(example !== undefined && { example }) }
  }

  /** An example with days in the format of the profile. */
  #formatted(shape: SchemaNode | undefined, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#formatted(shape?.items, item))
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, this.#formatted(shape?.properties?.[name], member)]),
      )
    return shape?.format === wireDay ? `${value}${this.#daySuffix}` : value
  }

  #define(title: string, base: SchemaNode, inRequest: boolean): void {
    const defined = this.#defined[inRequest ? 'request' : 'response']
    if (defined.has(base)) return
    defined.add(base)
    const schema = this.#write(base, inRequest)
    const known = this.schemas[title]
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas of the API have the title ${title}.`)
    this.schemas[title] = schema
  }

  #dayFormat(): string {
    return this.#daySuffix === '' ? 'date' : 'date-time'
  }

  #write(shape: SchemaNode, inRequest: boolean): Node {
    const {
      title: _,
      expected: __,
      isRequiredByDefault: ___,
      properties,
      required,
      items,
      anyOf,
      patternProperties,
      format,
      examples,
      ...plain
    } = shape
    const refer = (one: SchemaNode) => this.refer(one, inRequest)
    const referAll = (all: Readonly<Record<string, SchemaNode>>) =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, refer(one)]))
    const isOptional = ({ default: initial, isRequiredByDefault }: SchemaNode) =>
      (inRequest && initial !== undefined) || (this.#limitsMembers && isRequiredByDefault)
    const needed = required?.filter((name) => !isOptional(properties?.[name] ?? {})) ?? []
    const [record] = Object.values(patternProperties ?? {})
    return {
      ...plain,
      ...(format !== undefined && { format: format === wireDay ? this.#dayFormat() : format }),
      ...(properties && { properties: referAll(properties) }),
      ...(needed.length > 0 && { required: needed }),
      ...(items && { items: refer(items) }),
      ...(anyOf && { anyOf: anyOf.map(refer) }),
      ...(isObject(plain.additionalProperties) && { additionalProperties: refer(plain.additionalProperties) }),
      ...(record && { additionalProperties: refer(record) }),
      // Examples of an object are part of the content instead.
      ...(examples && shape.type !== 'object' && { examples }),
    }
  }
}
