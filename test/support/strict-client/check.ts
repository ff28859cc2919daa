import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Shape = Readonly<{
  required?: Record<string, Kind>
  optional?: Record<string, Kind>
  closed?: boolean
  array?: Kind
  enum?: readonly string[]
  type?: string
  minimum?: number
  format?: string
}>
type Kind = string | Shape
type Members = Pick<Shape, 'required' | 'optional'>
type ByType = Readonly<{ common: Members; byAssetType: Record<string, Members> }>
type Facts = Readonly<{
  _types: Record<string, Kind>
  'GET /ref/v1/instruments': ByType
  'GET /ref/v1/instruments/details/{Uic}/{AssetType}': ByType
  'GET /ref/v1/instruments/contractoptionspaces/{OptionRootId}': Shape
  'GET /port/v1/users/me': Shape
  'GET /port/v1/clients/me': Shape
  'GET /port/v1/accounts/me': Shape
}>

/** Facts about the strictest published client; facts.json names its source and licence. */
export const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8')) as Facts

const day = /^\d{4}-\d\d-\d\d$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const isText = (value: unknown): value is string => typeof value === 'string'

const simple: Record<string, (value: unknown) => boolean> = {
  string: isText,
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => isText(value) && day.test(value),
  'date-or-datetime': (value) => isText(value) && (day.test(value) || dateTime.test(value)),
  'positive-integer-string': (value) => isText(value) && /^\d+$/.test(value) && Number(value) > 0,
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Drops null, "", ".", "Undefined", empty arrays and empty objects at every depth, as the client does before it checks. */
export function cleaned(value: unknown): unknown {
  if (isText(value)) return ['', '.', 'Undefined'].includes(value.trim()) ? undefined : value.trim()
  if (Array.isArray(value)) {
    const items = value.map(cleaned).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  if (!isObject(value)) return value ?? undefined
  const members = Object.entries(value).map(([name, member]) => [name, cleaned(member)] as const)
  const kept = members.filter(([, member]) => member !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/** Why the client refuses a value, one entry per cause; empty if it accepts it. */
export function faultsOf(kind: Kind, value: unknown, at = ''): string[] {
  if (isText(kind)) return faultsOfNamed(kind, value, at)
  if (kind.array) {
    const item = kind.array
    return Array.isArray(value) ? value.flatMap((one) => faultsOf(item, one, at)) : [`${at}: no array`]
  }
  if (kind.enum) return kind.enum.includes(value as string) ? [] : [`${at}: ${JSON.stringify(value)}`]
  if (kind.type) return faultsOfBounded(kind, value, at)
  return isObject(value) ? faultsOfMembers(kind, value, at) : [`${at}: no object`]
}

function faultsOfNamed(name: string, value: unknown, at: string): string[] {
  const item = /^\[(.+)\]$/.exec(name)?.[1]
  if (item !== undefined) return faultsOf({ array: item }, value, at)
  const check = simple[name]
  if (check) return check(value) ? [] : [`${at}: not ${name}: ${JSON.stringify(value)}`]
  return faultsOf(facts._types[name] ?? {}, value, at)
}

function faultsOfBounded({ type = '', minimum, format }: Shape, value: unknown, at: string): string[] {
  if (minimum !== undefined && Number(value) < minimum) return [`${at}: below ${minimum}`]
  return faultsOf(format === 'integer' && !/^\d+$/.test(String(value)) ? 'integer' : type, value, at)
}

function faultsOfMembers({ required = {}, optional = {} }: Shape, value: Record<string, unknown>, at: string) {
  const missing = Object.keys(required).filter((name) => value[name] === undefined)
  const known = { ...required, ...optional }
  return [
    ...missing.map((name) => `${at}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, member]) => {
      const kind = Object.hasOwn(known, name) ? known[name] : undefined
      return kind === undefined ? [`${at}.${name}: extra`] : faultsOf(kind, member, `${at}.${name}`)
    }),
  ]
}

/** The shape of rows of an asset type; undefined for a type that the client does not know. */
export function rowShape({ common, byAssetType }: ByType, assetType: string): Shape | undefined {
  const own = byAssetType[assetType]
  return own && { required: { ...common.required, ...own.required }, optional: { ...common.optional, ...own.optional } }
}

/** How many rows the client accepts, and why it refuses the others. */
export class Tally {
  accepted = 0
  refused = 0
  unknown = 0
  readonly #causes = new Map<string, { rows: number; alone: number }>()

  add(name: string, shape: Kind | undefined, row: unknown, accepted: readonly string[] = []): void {
    if (shape === undefined) {
      this.unknown++
      return
    }
    const faults = new Set(faultsOf(shape, cleaned(row), name).filter((fault) => !accepted.includes(fault)))
    if (faults.size === 0) this.accepted++
    else this.refused++
    for (const fault of faults) {
      const cause = this.#causes.getOrInsertComputed(fault, () => ({ rows: 0, alone: 0 }))
      cause.rows++
      if (faults.size === 1) cause.alone++
    }
  }

  get rate(): number {
    return this.accepted / (this.accepted + this.refused)
  }

  /** The rate and the most frequent causes, for the message of a failed test. */
  table(most = 40): string {
    const causes = [...this.#causes].sort(([, one], [, other]) => other.rows - one.rows).slice(0, most)
    const lines = causes.map(
      ([fault, { rows, alone }]) => `${String(rows).padStart(6)} ${String(alone).padStart(6)}  ${fault}`,
    )
    const total = this.accepted + this.refused
    const head = `${this.accepted} of ${total} rows accepted; ${this.unknown} rows of unknown asset types`
    return [head, '  rows  alone  cause', ...lines].join('\n')
  }
}
