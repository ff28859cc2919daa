import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CopyValue } from '../../database/staging/copy.ts'
import { Faults } from '../../http/fault-hook.ts'
import type { Shape } from '../../http/input/constraints.ts'
import { readJson } from '../../http/input/read-json.ts'
import type { FieldFault, Kind } from '../kind.ts'
import type { Item } from '../sources/records.ts'

/** What a good record becomes: a row of its kind's stage. */
export type Judged = Readonly<{ kind: Kind; deletion: boolean; values: CopyValue[] }>
/** What is known of one that was refused: its kind, if that much can be read, and a row that has only its key. */
export type Refused = Readonly<{ refused: string; row: Judged | undefined }>
/** Tells a fault, with what is known of the record that has it. */
export type RecordFault = (fault: { kind?: string; key?: string; field?: string; reason: string }) => void

type Members = Record<string, unknown>
type Judge = (record: Members, mayHoldEscapes: boolean, fault: FieldFault) => Judged | undefined

/** Judges records one by one: the schema of their kind, its own rules, and that PostgreSQL can keep every text. */
export class RecordJudge {
  readonly #kinds = new Map<string, { kind: Kind; judge: Judge; judgeDeletion: Judge }>()

  constructor(kinds: readonly Kind[]) {
    for (const kind of kinds)
      this.#kinds.set(kind.name, { kind, judge: makeJudge(kind), judgeDeletion: makeDeletionJudge(kind) })
  }

  /** A record that is refused has a fault, which was told then. */
  judge(item: Item, fault: RecordFault): Judged | Refused {
    if ('text' in item) return this.#judgeText(item.text, fault)
    if ('value' in item) return this.#judgeValue(item.value, true, fault)
    fault({ ...(item.field !== undefined && { field: item.field }), reason: item.fault })
    return { ...unreadable, refused: item.kind ?? '' }
  }

  #judgeText(text: string, fault: RecordFault): Judged | Refused {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      // The engine's own sentence quotes the line, which may hold a password.
      const position = /at position (\d+)/.exec((error as Error).message)?.[1]
      fault({ reason: `Is not JSON${position === undefined ? '' : ` (character ${Number(position) + 1})`}.` })
      return unreadable
    }
    return this.#judgeValue(value, text.includes('\\u'), fault)
  }

  #judgeValue(value: unknown, mayHoldEscapes: boolean, fault: RecordFault): Judged | Refused {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fault({ reason: 'Must be a JSON object.' })
      return unreadable
    }
    const record = value as Members
    const known = this.#kinds.get(String(record.kind))
    if (!known || typeof record.kind !== 'string') {
      fault({ field: 'kind', reason: `Must be one of: ${[...this.#kinds.keys()].join(', ')}.` })
      return unreadable
    }
    const key = keyOf(known.kind, record)
    const tell: FieldFault = (field, reason) => fault({ kind: known.kind.name, key, field, reason })
    if (record.delete !== undefined && record.delete !== true) tell('delete', 'Must be true, or left out.')
    else {
      const judge = record.delete === undefined ? known.judge : known.judgeDeletion
      const judged = judge(record, mayHoldEscapes, tell)
      if (judged) return judged
    }
    const row = known.kind.key.length > 0 ? known.judgeDeletion(record, false, () => {}) : undefined
    return { refused: known.kind.name, row }
  }
}

/** May have been anything. */
const unreadable: Refused = { refused: '', row: undefined }

function keyOf(kind: Kind, record: Members): string {
  const told = kind.key.map((name) => record[name]).filter((value) => /^(string|number)$/.test(typeof value))
  return told.join(' ').slice(0, 100)
}

const named = (kind: Kind) => ({ kind: Type.Unsafe<string>({ type: 'string', enum: [kind.name] }) })

function makeJudge(kind: Kind): Judge {
  const read = makeReader(Type.Object({ ...named(kind), ...kind.schema.properties }, { additionalProperties: false }))
  const start = `{"kind":${JSON.stringify(kind.name)},`
  return (given, mayHoldEscapes, fault) => {
    let isGood = true
    const tell: FieldFault = (field, reason) => {
      isGood = false
      fault(field, reason)
    }
    const record = read(given, tell)
    if (record === undefined) return undefined
    if (mayHoldEscapes) refuseUnstorable(record, '', tell)
    kind.refuse?.(record, tell)
    if (!isGood) return undefined
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

/** Only the key matters of a record that is to go; where all members are the key, all of them must be right. */
function makeDeletionJudge(kind: Kind): Judge {
  if (kind.key.length === 0) {
    const judge = makeJudge(kind)
    return ({ delete: _, ...record }, mayHoldEscapes, fault) => {
      const judged = judge(record, mayHoldEscapes, fault)
      return judged && { ...judged, deletion: true }
    }
  }
  const schema = Type.Object(
    Object.fromEntries(kind.key.map((name) => [name, kind.schema.properties[name] as TSchema])),
  )
  const read = makeReader(schema)
  const columns = Object.keys(kind.stage.columns).length
  return (record, _mayHoldEscapes, fault) => {
    const key = read(record, fault)
    if (key === undefined) return undefined
    const values = kind.key.map((name) => (key[name] ?? null) as CopyValue)
    return { kind, deletion: true, values: [...values, ...new Array<null>(columns - values.length).fill(null)] }
  }
}

/** The compiled check first, which nearly all records pass; only then our own, which knows spellings and sentences. */
function makeReader(schema: TSchema): (record: Members, fault: FieldFault) => Members | undefined {
  const complete = Compile(schema)
  return (record, fault) => {
    if (complete.Check(record)) return record
    const faults = new Faults()
    const read = readJson(schema as Shape, record, '', faults)
    if (!faults.any && !complete.Check(read))
      for (const { instancePath, message } of complete.Errors(read))
        faults.add(fieldAt(instancePath), `This ${message}.`)
    for (const [field, sentences] of Object.entries(faults.modelState)) fault(field, inFile(sentences.join(' ')))
    return faults.any ? undefined : (read as Members)
  }
}

/** The sentences are those of requests; in a file nothing is encoded. */
const inFile = (sentence: string): string => sentence.replace(' (+ is %2B in a query)', '')

const fieldAt = (path: string): string =>
  path
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')

/** PostgreSQL keeps no U+0000, and nobody half of a surrogate pair. */
function refuseUnstorable(value: unknown, field: string, fault: FieldFault): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) fault(field, 'Must not hold the character U+0000.')
    if (!value.isWellFormed()) fault(field, 'Must not hold half of a surrogate pair.')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnstorable(item, `${field}[${index}]`, fault)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value))
      refuseUnstorable(member, field ? `${field}.${name}` : name, fault)
  }
}
