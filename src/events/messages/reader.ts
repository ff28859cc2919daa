import { isDeepStrictEqual } from 'node:util'
import { MalformedValue, ParseError } from './errors.ts'
import type { MessageFormat } from './message.ts'
import { mt564Parsers } from './mt564/values.ts'
import { type MessageNode, nodesAt } from './node.ts'
import { seev031Parsers } from './seev031/values.ts'
import type { Parsed, ValueParsers } from './values.ts'

/** The path of a value in each of the two formats; empty where a format does not have it. */
export type Paths = readonly [seev031: string, mt564: string]

type ParserName = Exclude<keyof ValueParsers, 'money'>
type ParsedBy<P extends keyof ValueParsers> = NonNullable<ReturnType<ValueParsers[P]>>
/** An event field, the parser of its value, and its paths. The parser's type must fit the field's. */
export type FieldMapping<T> = {
  [P in ParserName]: {
    [K in keyof T & string]: ParsedBy<P>['value'] extends NonNullable<T[K]> ? readonly [K, P, ...Paths] : never
  }[keyof T & string]
}[ParserName]

/** Reads a message of either format with the same mapping tables. */
export class Reader {
  readonly format: MessageFormat
  readonly parse: ValueParsers
  readonly malformed = new Map<MessageNode, string>()

  constructor(format: MessageFormat) {
    this.format = format
    this.parse = collectMalformed(format === 'seev031' ? seev031Parsers : mt564Parsers, this.malformed)
  }

  /** A value may be missing only because it is malformed; then just that is reported. */
  unlessMalformed<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (this.malformed.size > 0 && error instanceof ParseError) return undefined
      throw error
    }
  }

  nodesAt(node: MessageNode, ...paths: Paths[]): readonly MessageNode[] {
    const own = paths.map((each) => each[this.format === 'seev031' ? 0 : 1])
    return own.flatMap((path) => (path === '' ? [] : nodesAt(node, path)))
  }

  /** The values at the paths. Parses all, so that all errors are found; marks none. */
  valuesAt<P extends keyof ValueParsers>(node: MessageNode, parser: P, ...paths: Paths[]): ParsedBy<P>[] {
    const parse = this.parse[parser] as (node: MessageNode) => ParsedBy<P> | undefined
    return this.nodesAt(node, ...paths).flatMap((found) => parse(found) ?? [])
  }

  /** The first value at the first of the paths that has one. */
  find<P extends keyof ValueParsers>(node: MessageNode, parser: P, ...paths: Paths[]): ParsedBy<P> | undefined {
    return this.valuesAt(node, parser, ...paths)[0]
  }

  /** Fills fields by a mapping table. A contradicting second value stays unmapped. */
  fill<T extends object>(target: Partial<T>, node: MessageNode, mappings: readonly FieldMapping<T>[]): void {
    for (const [field, parser, ...paths] of mappings as readonly (readonly [keyof T & string, ParserName, ...Paths])[])
      for (const parsed of this.valuesAt(node, parser, paths))
        assign(target, field, parsed as Parsed<T[keyof T & string]>)
  }
}

/** The same parsers, which record malformed values and continue, so that all of them are reported together. */
function collectMalformed(parsers: ValueParsers, malformed: Map<MessageNode, string>): ValueParsers {
  const entries = Object.entries(parsers).map(([name, parse]: [string, (node: MessageNode) => unknown]) => [
    name,
    (node: MessageNode) => {
      try {
        return parse(node)
      } catch (error) {
        if (!(error instanceof MalformedValue)) throw error
        if (error.leaf.value !== undefined) malformed.set(error.leaf, error.expected)
        return undefined
      }
    },
  ])
  return Object.fromEntries(entries) as ValueParsers
}

/** Sets a field and marks the leaves as mapped, unless the field already has another value. */
export function assign<T extends object, K extends keyof T>(
  target: Partial<T>,
  field: K,
  parsed: Parsed<T[K]>,
): boolean {
  if (target[field] === undefined) target[field] = parsed.value
  else if (!isDeepStrictEqual(target[field], parsed.value)) return false
  markMapped(parsed.from)
  return true
}

export function markMapped(leaves: readonly MessageNode[]): void {
  for (const leaf of leaves) leaf.isMapped = true
}
