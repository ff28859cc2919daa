import { isDeepStrictEqual } from 'node:util'
import type { MessageFormat } from '../import/messages.ts'
import type { Forms, Read } from './forms.ts'
import { mt564Forms } from './mt564/forms.ts'
import { type Part, partsAt } from './part.ts'
import { seev031Forms } from './seev031/forms.ts'
import { Malformed, Unreadable } from './unreadable.ts'

/** Where a thing stands in each of the two formats; the empty text is nowhere. */
export type Places = readonly [seev031: string, mt564: string]

type FormName = Exclude<keyof Forms, 'money'>
type Told<F extends FormName> = NonNullable<ReturnType<Forms[F]>>['value']
/** A member, the form of its value, and where it stands. The form must give what the member takes. */
export type Row<T> = {
  [F in FormName]: {
    [K in keyof T & string]: Told<F> extends NonNullable<T[K]> ? readonly [K, F, ...Places] : never
  }[keyof T & string]
}[FormName]

/** A message in one of the formats, read by the same tables. */
export class Reader {
  readonly format: MessageFormat
  readonly forms: Forms
  /** The leaves that are not what they should be, and what that is. */
  readonly malformed = new Map<Part, string>()

  constructor(format: MessageFormat) {
    this.format = format
    this.forms = noting(format === 'seev031' ? seev031Forms : mt564Forms, this.malformed)
  }

  /** Something is often missing only because it is malformed; then it is not told to be missing. */
  unlessMalformed<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (this.malformed.size > 0 && error instanceof Unreadable) return undefined
      throw error
    }
  }

  partsAt(part: Part, places: Places): readonly Part[] {
    const path = places[this.format === 'seev031' ? 0 : 1]
    return path === '' ? [] : partsAt(part, path)
  }

  /** The first that can be read, at the first of the places that has one. All are looked at; none is marked. */
  find<F extends FormName>(part: Part, form: F, ...places: Places[]): Read<Told<F>> | undefined {
    const read = this.forms[form] as (part: Part) => Read<Told<F>> | undefined
    const told = places.flatMap((place) => this.partsAt(part, place)).map(read)
    return told.find((one) => one !== undefined)
  }

  /** Fills members by a table. What is said twice is said once; what contradicts it stays beside the event. */
  fill<T extends object>(target: Partial<T>, part: Part, rows: readonly Row<T>[]): void {
    for (const [member, form, ...places] of rows as readonly (readonly [keyof T & string, FormName, ...Places])[])
      for (const found of this.partsAt(part, places)) {
        const read = this.forms[form](found)
        if (read) take(target, member, read as Read<T[keyof T & string]>)
      }
  }
}

/** The same forms, which note what is malformed and go on: all of a message is told at once. */
function noting(forms: Forms, malformed: Map<Part, string>): Forms {
  const entries = Object.entries(forms).map(([name, form]: [string, (part: Part) => unknown]) => [
    name,
    (part: Part) => {
      try {
        return form(part)
      } catch (error) {
        if (!(error instanceof Malformed)) throw error
        if (error.leaf.value !== undefined) malformed.set(error.leaf, error.what)
        return undefined
      }
    },
  ])
  return Object.fromEntries(entries) as Forms
}

/** Gives a member its value, and marks the leaves as told, unless the member already says something else. */
export function take<T extends object, K extends keyof T>(target: Partial<T>, member: K, read: Read<T[K]>): boolean {
  if (target[member] === undefined) target[member] = read.value
  else if (!isDeepStrictEqual(target[member], read.value)) return false
  markMapped(read.from)
  return true
}

export function markMapped(leaves: readonly Part[]): void {
  for (const leaf of leaves) leaf.isMapped = true
}
