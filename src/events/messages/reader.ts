import { isDeepStrictEqual } from 'node:util'
import { MalformedValue, ParseError } from './errors.ts'
import type { MessageFormat } from './message.ts'
import { mt564Parsers } from './mt564/values.ts'
import { type MessageNode, nodesAt } from './node.ts'
import { seev031Parsers } from './seev031/values.ts'
import type { Parsed, ValueParsers } from './values.ts'

/** Where a thing stands in each of the two formats; the empty text is nowhere. */
export type Paths = readonly [seev031: string, mt564: string]

type FormName = Exclude<keyof ValueParsers, 'money'>
type Told<F extends FormName> = NonNullable<ReturnType<ValueParsers[F]>>['value']
/** A member, the form of its value, and where it stands. The form must give what the member takes. */
export type FieldMapping<T> = {
  [F in FormName]: {
    [K in keyof T & string]: Told<F> extends NonNullable<T[K]> ? readonly [K, F, ...Paths] : never
  }[keyof T & string]
}[FormName]

/** A message in one of the formats, read by the same tables. */
export class Reader {
  readonly format: MessageFormat
  readonly forms: ValueParsers
  /** The leaves that are not what they should be, and what that is. */
  readonly malformed = new Map<MessageNode, string>()

  constructor(format: MessageFormat) {
    this.format = format
    this.forms = noting(format === 'seev031' ? seev031Parsers : mt564Parsers, this.malformed)
  }

  /** Something is often missing only because it is malformed; then it is not told to be missing. */
  unlessMalformed<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (this.malformed.size > 0 && error instanceof ParseError) return undefined
      throw error
    }
  }

  nodesAt(part: MessageNode, places: Paths): readonly MessageNode[] {
    const path = places[this.format === 'seev031' ? 0 : 1]
    return path === '' ? [] : nodesAt(part, path)
  }

  /** The first that can be read, at the first of the places that has one. All are looked at; none is marked. */
  find<F extends FormName>(part: MessageNode, form: F, ...places: Paths[]): Parsed<Told<F>> | undefined {
    const read = this.forms[form] as (part: MessageNode) => Parsed<Told<F>> | undefined
    const told = places.flatMap((place) => this.nodesAt(part, place)).map(read)
    return told.find((one) => one !== undefined)
  }

  /** Fills members by a table. What is said twice is said once; what contradicts it stays beside the event. */
  fill<T extends object>(target: Partial<T>, part: MessageNode, rows: readonly FieldMapping<T>[]): void {
    for (const [member, form, ...places] of rows as readonly (readonly [keyof T & string, FormName, ...Paths])[])
      for (const found of this.nodesAt(part, places)) {
        const read = this.forms[form](found)
        if (read) assign(target, member, read as Parsed<T[keyof T & string]>)
      }
  }
}

/** The same forms, which note what is malformed and go on: all of a message is told at once. */
function noting(forms: ValueParsers, malformed: Map<MessageNode, string>): ValueParsers {
  const entries = Object.entries(forms).map(([name, form]: [string, (part: MessageNode) => unknown]) => [
    name,
    (part: MessageNode) => {
      try {
        return form(part)
      } catch (error) {
        if (!(error instanceof MalformedValue)) throw error
        if (error.leaf.value !== undefined) malformed.set(error.leaf, error.what)
        return undefined
      }
    },
  ])
  return Object.fromEntries(entries) as ValueParsers
}

/** Gives a member its value, and marks the leaves as told, unless the member already says something else. */
export function assign<T extends object, K extends keyof T>(
  target: Partial<T>,
  member: K,
  read: Parsed<T[K]>,
): boolean {
  if (target[member] === undefined) target[member] = read.value
  else if (!isDeepStrictEqual(target[member], read.value)) return false
  markMapped(read.from)
  return true
}

export function markMapped(leaves: readonly MessageNode[]): void {
  for (const leaf of leaves) leaf.isMapped = true
}
