import { isDeepStrictEqual } from 'node:util'
import { MalformedValue, ParseError } from './errors.ts'
import type { MessageFormat } from './message.ts'
import { mt564Parsers } from './mt564/values.ts'
import { type MessageNode, nodesAt } from './node.ts'
import { contradiction } from './scalar.ts'
import { seev031Parsers } from './seev031/values.ts'
import type { Parsed, ValueParsers } from './values.ts'

/** The path of a value in each of the two formats; empty where a format does not have it. */
export type Paths = readonly [seev031: string, mt564: string]

type ParserName = Exclude<keyof ValueParsers, 'money' | 'otherRate'>
type ParsedBy<P extends keyof ValueParsers> = NonNullable<ReturnType<ValueParsers[P]>>
/** An event field, the parser of its value, and its paths. The parser's type must fit the field's. */
export type FieldMapping<T> = {
  [P in ParserName]: {
    [K in keyof T & string]: ParsedBy<P>['value'] extends NonNullable<T[K]> ? readonly [K, P, ...Paths] : never
  }[keyof T & string]
}[ParserName]

/** Options and movements repeat: each has values of its own. */
const repeated = /^(.*(?:CshMvmntDtls|SctiesMvmntDtls|CAOPTN|CASHMOVE|SECMOVE))\/(.*)$/

/** Reads a message of either format with the same mapping tables. */
export class Reader {
  readonly format: MessageFormat
  readonly parse: ValueParsers
  /** Malformed values and what is wrong with each. */
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

  #pathsOf(paths: readonly Paths[]): string[] {
    return paths.map((each) => each[this.format === 'seev031' ? 0 : 1]).filter((path) => path !== '')
  }

  nodesAt(node: MessageNode, ...paths: Paths[]): readonly MessageNode[] {
    return this.#pathsOf(paths).flatMap((path) => nodesAt(node, path))
  }

  /** The values at the paths. Parses all, so that all errors are found; marks none. */
  valuesAt<P extends keyof ValueParsers>(node: MessageNode, parser: P, ...paths: Paths[]): ParsedBy<P>[] {
    const parse = this.parse[parser] as (node: MessageNode) => ParsedBy<P> | undefined
    return this.nodesAt(node, ...paths).flatMap((found) => parse(found) ?? [])
  }

  /** The values at paths that have one value in each option or movement: repeated values there must be equal. */
  singlesAt<P extends keyof ValueParsers>(node: MessageNode, parser: P, ...paths: Paths[]): ParsedBy<P>[] {
    return this.#pathsOf(paths).flatMap((path) => {
      const [, outer = '', inner = path] = repeated.exec(path) ?? []
      return nodesAt(node, outer).flatMap((container) => this.#agreeing(parser, nodesAt(container, inner)))
    })
  }

  /** Pages may repeat a value in another form, such as the time of preparation. */
  #agreeing<P extends keyof ValueParsers>(parser: P, nodes: readonly MessageNode[]): ParsedBy<P>[] {
    const parse = this.parse[parser] as (node: MessageNode) => ParsedBy<P> | undefined
    const firsts = new Map<MessageNode, { node: MessageNode; value: unknown }>()
    return nodes.flatMap((node) => {
      const parsed = parse(node)
      if (!parsed) return []
      const first = firsts.getOrInsert(node.page, { node, value: parsed.value })
      if (!isDeepStrictEqual(first.value, parsed.value)) this.malformed.set(node, contradiction(first.node))
      return [parsed]
    })
  }

  /** The first value at the first of the paths that has one. */
  find<P extends keyof ValueParsers>(node: MessageNode, parser: P, ...paths: Paths[]): ParsedBy<P> | undefined {
    return this.singlesAt(node, parser, ...paths)[0]
  }

  /** Fills fields by a mapping table. A second value at another path, if it differs, stays unmapped. */
  fill<T extends object>(
    target: Partial<T>,
    node: MessageNode,
    mappings: readonly FieldMapping<T>[],
    within = '',
  ): void {
    for (const [field, parser, ...paths] of mappings as readonly (readonly [keyof T & string, ParserName, ...Paths])[])
      for (const parsed of this.singlesAt(node, parser, paths))
        assign(target, field, parsed as Parsed<T[keyof T & string]>, within)
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
        malformed.set(error.node, error.problem)
        return undefined
      }
    },
  ])
  return Object.fromEntries(entries) as ValueParsers
}

/** Sets a field and marks the leaves as mapped, unless the field already has another value. `within` is the list that
 *  the target is in. */
export function assign<T extends object, K extends keyof T & string>(
  target: Partial<T>,
  field: K,
  parsed: Parsed<T[K]>,
  within = '',
): boolean {
  if (target[field] === undefined) target[field] = parsed.value
  else if (!isDeepStrictEqual(target[field], parsed.value)) return false
  markMapped(parsed.from, `${within}${field}`)
  return true
}

/** Several fields may hold parts of one value: the rate and the currency of `EUR0,4`. */
export function markMapped(leaves: readonly MessageNode[], fields: string): void {
  for (const leaf of leaves)
    leaf.mappedTo = [...new Set([leaf.mappedTo, fields].flatMap((names) => names?.split(', ') ?? []))].join(', ')
}
