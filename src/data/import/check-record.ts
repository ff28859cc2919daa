import { type TObject, type TSchema, Type } from 'typebox'
import { didYouMean } from '../../core/text.ts'
import { convertJson } from '../../core/validation/convert.ts'
import { FieldErrors } from '../../core/validation/field-errors.ts'
import type { Shape } from '../../core/validation/shape.ts'
import { makeValidator } from '../../core/validation/validator.ts'
import type { CopyValue, ReportError } from '../../database/staging/copy.ts'
import type { Kind } from '../kind.ts'
import type { Item } from '../sources/records.ts'

export type CheckedRecord = Readonly<{ kind: Kind; deletion: boolean; values: CopyValue[] }>
/** A rejected record: its kind ('' if unreadable) and, where the key is readable, a row with only the key. */
export type RejectedRecord = Readonly<{ rejected: string; row: CheckedRecord | undefined }>
type ReportRecordError = (error: { kind?: string; key?: string; field?: string; reason: string }) => void

type Members = Record<string, unknown>
type Reports = Readonly<{ error: ReportError; warning: ReportError }>
type Check = (record: Members, mayContainEscapes: boolean, report: Reports) => CheckedRecord | undefined

/** Checks records against the schema and rules of their kind, and that PostgreSQL can store every string. */
export class RecordChecker {
  readonly #kinds: ReadonlyMap<string, Kind>
  /** Made for the first record of a kind, because compiling all schemas takes long. */
  readonly #checks = new Map<string, Check>()
  readonly #deletionChecks = new Map<string, Check>()

  constructor(kinds: readonly Kind[]) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]))
  }

  /** Reports at least one error for every rejected record. */
  check(
    item: Item,
    reportError: ReportRecordError,
    reportWarning: ReportRecordError = () => {},
  ): CheckedRecord | RejectedRecord {
    if ('text' in item) return this.#checkText(item.text, reportError, reportWarning)
    if ('value' in item) return this.#checkValue(item.value, true, reportError, reportWarning)
    reportError({ ...(item.field !== undefined && { field: item.field }), reason: item.error })
    return { ...unreadable, rejected: item.kind ?? '' }
  }

  #checkText(text: string, reportError: ReportRecordError, reportWarning: ReportRecordError) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      // The engine's own message quotes the line, which may contain a password.
      const position = /at position (\d+)/.exec((error as Error).message)?.[1]
      reportError({ reason: `Is not JSON${position === undefined ? '' : ` (character ${Number(position) + 1})`}.` })
      return unreadable
    }
    return this.#checkValue(value, text.includes('\\u'), reportError, reportWarning)
  }

  #checkValue(
    value: unknown,
    mayContainEscapes: boolean,
    report: ReportRecordError,
    reportWarning: ReportRecordError,
  ): CheckedRecord | RejectedRecord {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      report({ reason: 'Must be a JSON object.' })
      return unreadable
    }
    const record = value as Members
    const known = typeof record.kind === 'string' ? this.#kinds.get(record.kind) : undefined
    if (!known) {
      const kinds = [...this.#kinds.keys()]
      report({ field: 'kind', reason: `Must be one of: ${kinds.join(', ')}.${didYouMean(kinds, record.kind)}` })
      return unreadable
    }
    const named = (field: string, reason: string) => ({ kind: known.name, key: keyOf(known, record), field, reason })
    const reportError: ReportError = (field, reason) => report(named(field, reason))
    const warning: ReportError = (field, reason) => reportWarning(named(field, reason))
    const checkDeletion = () => this.#deletionChecks.getOrInsertComputed(known.name, () => makeDeletionCheck(known))
    if (record.delete !== undefined && record.delete !== true) reportError('delete', 'Must be true, or left out.')
    else {
      const isDeletion = record.delete === true
      const check = isDeletion ? checkDeletion() : this.#checks.getOrInsertComputed(known.name, () => makeCheck(known))
      const checked = check(record, mayContainEscapes, { error: reportError, warning })
      if (checked) return checked
    }
    const row = known.key.length > 0 ? checkDeletion()(record, false, silent) : undefined
    return { rejected: known.name, row }
  }
}

const silent: Reports = { error: () => {}, warning: () => {} }
const unreadable: RejectedRecord = { rejected: '', row: undefined }

function keyOf(kind: Kind, record: Members): string {
  const values = kind.key.map((name) => record[name]).filter((value) => /^(string|number)$/.test(typeof value))
  return values.join(' ').slice(0, 100)
}

const kindMember = (kind: Kind) => ({ kind: Type.Unsafe<string>({ type: 'string', enum: [kind.name] }) })

/** Made once per kind, so that it is compiled once per process. */
const schemasWithKind = new WeakMap<TObject, TObject>()
const schemaWithKind = (kind: Kind): TObject =>
  schemasWithKind.getOrInsertComputed(kind.schema, ({ properties }) =>
    Type.Object({ ...kindMember(kind), ...properties }, { additionalProperties: false }),
  )

function makeCheck(kind: Kind): Check {
  const read = makeReader(schemaWithKind(kind))
  const start = `{"kind":${JSON.stringify(kind.name)},`
  return (given, mayContainEscapes, { error, warning }) => {
    let isValid = true
    const report: ReportError = (field, reason) => {
      isValid = false
      error(field, reason)
    }
    const record = read(given, report)
    if (record === undefined) return undefined
    if (mayContainEscapes) checkStorable(record, '', report)
    kind.check?.(record, report)
    if (!isValid) return undefined
    kind.warn?.(record, warning)
    return { kind, deletion: false, values: kind.row(record, documentOf(record, start)) }
  }
}

/** The record without its kind, which is nearly always its first member. */
function documentOf(record: Members, start: string): string {
  const text = JSON.stringify(record)
  if (text.startsWith(start)) return `{${text.slice(start.length)}`
  const { kind: _, ...rest } = record
  return JSON.stringify(rest)
}

/** A deletion needs only the key. Where all members form the key, all of them are checked. */
function makeDeletionCheck(kind: Kind): Check {
  if (kind.key.length === 0) {
    const check = makeCheck(kind)
    return ({ delete: _, ...record }, mayContainEscapes, report) => {
      const checked = check(record, mayContainEscapes, report)
      return checked && { ...checked, deletion: true }
    }
  }
  const read = makeReader(
    Type.Object(Object.fromEntries(kind.key.map((name) => [name, kind.schema.properties[name] as TSchema]))),
  )
  const columns = Object.keys(kind.stage.columns).length
  return (record, _mayContainEscapes, { error }) => {
    const key = read(record, error)
    if (key === undefined) return undefined
    const values = kind.key.map((name) => (key[name] ?? null) as CopyValue)
    return { kind, deletion: true, values: [...values, ...new Array<null>(columns - values.length).fill(null)] }
  }
}

/** Converts only what the check rejects: nearly all records pass it as they are. */
function makeReader(schema: TSchema): (record: Members, reportError: ReportError) => Members | undefined {
  const { isValid, check } = makeValidator(schema)
  return (record, reportError) => {
    if (isValid(record)) return record
    const errors = new FieldErrors()
    const converted = convertJson(schema as Shape, record)
    if (check(converted, errors)) return converted as Members
    for (const [field, sentences] of Object.entries(errors.modelState)) reportError(field, sentences.join(' '))
    return undefined
  }
}

/** PostgreSQL cannot store U+0000 or an unpaired surrogate. */
function checkStorable(value: unknown, field: string, reportError: ReportError): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) reportError(field, 'Must not contain a null character (U+0000).')
    if (!value.isWellFormed()) reportError(field, 'Must not contain broken Unicode (an unpaired surrogate).')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkStorable(item, `${field}[${index}]`, reportError)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      checkStorable(member, field ? `${field}.${name}` : name, reportError)
  }
}
