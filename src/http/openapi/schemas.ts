import { isDeepStrictEqual } from 'node:util'
import { wireDay } from '../../core/schema.ts'
import type { Shape } from '../../core/validation/shape.ts'
import type { WireProfile } from '../../core/wire-profile.ts'

export type Node = Record<string, unknown>

/** What a schema says of itself by one value; of a feed, by one row. */
function ownExample(shape: Told): unknown {
  const [example] = shape.examples ?? shape['~base']?.examples ?? []
  const row = shape.properties?.Data?.items
  if (example !== undefined || !row) return example
  const one = ownExample(row)
  return one === undefined ? undefined : { Data: [one] }
}

/** A schema of ours: JSON Schema, a few words of our own, and what it was before a place said more of it (core/schema). */
export type Told = Shape & { readonly '~base'?: Told; readonly patternProperties?: Readonly<Record<string, Told>> }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What a place may say of a schema without making it another one. */
const annotations = ['description', 'default'] as const

function saidHere(shape: Told, base: Told): Node {
  const said = annotations.filter((name) => shape[name] !== undefined && shape[name] !== base[name])
  return Object.fromEntries(said.map((name) => [name, shape[name]]))
}

/**
 * The schemas of the API document. TypeBox schemas are JSON Schema as they are, and OpenAPI 3.1 is a superset of it; those
 * with a title become components, which every place refers to by that name.
 */
export class ComponentSchemas {
  readonly schemas: Record<string, Node> = {}
  readonly #defined = { asked: new Set<Told>(), told: new Set<Told>() }
  readonly #daySuffix: string

  constructor({ daySuffix }: Pick<WireProfile, 'daySuffix'>) {
    this.#daySuffix = daySuffix
  }

  /** The schema as a place of the document has it. In what is asked, a member that is filled in by default need not be sent. */
  refer(shape: Told, isAsked = false): Node {
    const { title } = shape
    if (title === undefined) return this.#spell(shape, isAsked)
    const base = shape['~base'] ?? shape
    this.#define(title, base, isAsked)
    return { $ref: `#/components/schemas/${title}`, ...saidHere(shape, base) }
  }

  /** A schema with its example, as the content of a body has them. */
  contentOf(shape: Told, isAsked = false): Node {
    const example = this.#told(shape, ownExample(shape))
    return { schema: this.refer(shape, isAsked), ...(example !== undefined && { example }) }
  }

  /** An example as this profile would tell it: they are written with days that are only days. */
  #told(shape: Told | undefined, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#told(shape?.items, one))
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, this.#told(shape?.properties?.[name], member)]),
      )
    return shape?.format === wireDay ? `${value}${this.#daySuffix}` : value
  }

  #define(title: string, base: Told, isAsked: boolean): void {
    const defined = this.#defined[isAsked ? 'asked' : 'told']
    if (defined.has(base)) return
    defined.add(base)
    const spelled = this.#spell(base, isAsked)
    const known = this.schemas[title]
    if (known && !isDeepStrictEqual(known, spelled)) throw new Error(`Two schemas of the API are called ${title}.`)
    this.schemas[title] = spelled
  }

  #dayFormat(): string {
    return this.#daySuffix === '' ? 'date' : 'date-time'
  }

  #spell(shape: Told, isAsked: boolean): Node {
    const {
      title: _,
      expected: __,
      properties,
      required,
      items,
      anyOf,
      patternProperties,
      format,
      examples,
      ...plain
    } = shape
    const refer = (one: Told) => this.refer(one, isAsked)
    const referAll = (all: Readonly<Record<string, Told>>) =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, refer(one)]))
    const needed = required?.filter((name) => !isAsked || properties?.[name]?.default === undefined) ?? []
    const [record] = Object.values(patternProperties ?? {})
    return {
      ...plain,
      ...(format !== undefined && { format: format === wireDay ? this.#dayFormat() : format }),
      ...(properties && { properties: referAll(properties) }),
      ...(needed.length > 0 && { required: needed }),
      ...(items && { items: refer(items) }),
      ...(anyOf && { anyOf: anyOf.map(refer) }),
      ...(isObject(plain.additionalProperties) && { additionalProperties: refer(plain.additionalProperties) }),
      // Names that anything may be called by.
      ...(record && { additionalProperties: refer(record) }),
      // Those of an object stand where it is answered or asked.
      ...(examples && shape.type !== 'object' && { examples }),
    }
  }
}
