import { epochDay } from '../../core/time/days.ts'
import { type ClosedDays, resolveDay, resolveMoment } from '../../core/time/relative-days.ts'
import { dayOrTime } from '../../core/validation/formats.ts'
import type { Shape } from '../../core/validation/shape.ts'

type Members = Record<string, unknown>

type Options = Readonly<{
  schemas: ReadonlyMap<string, Shape>
  today: Temporal.PlainDate
  /** The time of loading, from which relative times count; by default the beginning of the day. */
  now?: Temporal.Instant
  /** The holidays that the database has. Calendars and exchanges that were read before add theirs. */
  closedDays?: ReadonlyMap<string, ClosedDays>
}>

export class ExpansionError extends Error {
  readonly field: string

  constructor(field: string, reason: string) {
    super(reason)
    this.field = field
  }
}

/** Only these lines have something to expand or to remember. */
const expandable = /"@|"Repeat"|"[Tt]erms"|"exchange"|"calendar"/

/** Completes records before they are checked: with members that they share as `Terms` (§9.1), and relative days (§9.4). */
export class Expander {
  readonly #schemas: ReadonlyMap<string, Shape>
  readonly #today: number
  readonly #now: Temporal.Instant
  readonly #closedDays: Map<string, ClosedDays>
  readonly #terms = new Map<string, Members>()

  constructor({ schemas, today, now = today.toZonedDateTime('UTC').toInstant(), closedDays = new Map() }: Options) {
    this.#schemas = schemas
    this.#now = now
    this.#today = epochDay(today.toString())
    this.#closedDays = new Map(closedDays)
  }

  static isNeededFor(line: string): boolean {
    return expandable.test(line)
  }

  /** Undefined for a line that only defines terms. Throws an ExpansionError. */
  expand(given: Members): Members | undefined {
    const record = this.#withTerms(given)
    if (record.kind === 'terms') return this.#define(record)
    this.#resolveDays(this.#schemas.get(textOf(record.kind)) ?? {}, record, '')
    if (record.kind === 'calendar') this.#noteHolidays(record.CalendarId, record)
    if (record.kind === 'exchange') this.#noteHolidays(record.ExchangeId, record)
    return record
  }

  #define({ kind: _, Name, ...members }: Members): undefined {
    if (typeof Name !== 'string' || Name === '') throw new ExpansionError('Name', 'Is required: records refer to it.')
    if (this.#terms.has(Name)) throw new ExpansionError('Name', `The terms ${Name} were given already.`)
    this.#terms.set(Name, members)
  }

  /** Members of the record win, then those of the first terms that have them. */
  #withTerms({ Terms = [], ...given }: Members): Members {
    if (!Array.isArray(Terms) || !Terms.every((name) => typeof name === 'string'))
      throw new ExpansionError('Terms', 'Must be a list of names.')
    let record = given
    for (const name of Terms) {
      const terms = this.#terms.get(name)
      if (!terms)
        throw new ExpansionError('Terms', `There are no terms ${name}; give them before the records that use them.`)
      const As = mergeEntries(record.As, terms.As)
      record = { ...record, ...terms, ...record, ...(As && { As }) }
    }
    return record
  }

  /** Only where the schema has a day or a time: any other text may begin with @. */
  #resolveDays(shape: Shape, value: unknown, field: string): void {
    if (typeof value !== 'object' || value === null) return
    const owner = value as Members
    for (const [name, member] of Array.isArray(value) ? itemsWithDays(shape, value) : membersWithDays(shape)) {
      const given = owner[name]
      const path = Array.isArray(value) ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`
      if (!isDay(member)) this.#resolveDays(member, given, path)
      else if (typeof given === 'string' && given.startsWith('@')) owner[name] = this.#resolveDay(given, path)
    }
  }

  #resolveDay(text: string, field: string): string {
    const moment = resolveMoment(text, this.#now)
    if (moment !== undefined) return moment
    const resolved = resolveDay(text, this.#today, this.#closedDays)
    if ('reason' in resolved) throw new ExpansionError(field, resolved.reason)
    return resolved.text
  }

  /** An exchange with a calendar on an earlier line, or in the database, has its holidays. */
  #noteHolidays(id: unknown, { CalendarId, Holidays }: Members): void {
    if (typeof id !== 'string') return
    const shared = Holidays === undefined ? this.#closedDays.get(textOf(CalendarId)) : undefined
    if (shared && id !== CalendarId) this.#closedDays.set(id, shared)
    else if (Holidays === undefined || Array.isArray(Holidays))
      this.#closedDays.set(id, new Set((Holidays ?? []).flatMap(closedDay)))
  }
}

/** Not `String`: an object whose toString is no function cannot be converted. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const dayFormats: readonly (string | undefined)[] = ['date', 'date-time', dayOrTime]

const isDay = ({ format }: Shape): boolean => dayFormats.includes(format)

const known = new WeakMap<Shape, readonly (readonly [string, Shape])[]>()

/** The members of a schema that are a day or a time, or have one inside. */
function membersWithDays(shape: Shape): readonly (readonly [string, Shape])[] {
  const members = known.get(shape) ?? Object.entries(shape.properties ?? {}).filter(([, member]) => hasDays(member))
  known.set(shape, members)
  return members
}

function itemsWithDays({ items }: Shape, values: readonly unknown[]): readonly (readonly [string, Shape])[] {
  return items && hasDays(items) ? values.map((_, index) => [String(index), items]) : []
}

const hasDays = (shape: Shape): boolean =>
  isDay(shape) || membersWithDays(shape).length > 0 || (shape.items !== undefined && hasDays(shape.items))

/** None where it is malformed: the check that follows reports it. */
function closedDay(holiday: unknown): number[] {
  try {
    return [epochDay(Temporal.PlainDate.from(textOf((holiday as Members).Date)).toString())]
  } catch {
    return []
  }
}

/** Entries of `As` are merged by asset type, those of the record first. */
function mergeEntries(own: unknown, shared: unknown): Members[] | undefined {
  if (!isObjects(own) || !isObjects(shared)) return undefined
  const sharedFor = new Map(shared.map((entry) => [entry.AssetType, entry]))
  const merged = own.map((entry) => ({ ...entry, ...sharedFor.get(entry.AssetType), ...entry }))
  const present = new Set(own.map(({ AssetType }) => AssetType))
  return [...merged, ...shared.filter(({ AssetType }) => !present.has(AssetType))]
}

const isObjects = (value: unknown): value is Members[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)
