import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Trx } from '../open.ts'
import {
  type CopyValue,
  createStage,
  insertStaged,
  lockImport,
  type ReportError,
  type Stage,
  type StagedErrors,
} from './copy.ts'
import { rejectedStage } from './rejected.ts'

type OwnKind = Readonly<{
  name: string
  schema: TObject
  stage: Stage
  check?(record: object, reportError: ReportError): void
  row(record: object, document: string): CopyValue[]
}>

const chunk = 2_000

/** Stages records that the program itself created, in the caller's transaction. Throws on the first error. */
export async function stageRecords(
  trx: Trx,
  kinds: readonly OwnKind[],
  records: Iterable<{ kind: string }>,
): Promise<void> {
  await lockImport(trx)
  for (const stage of [rejectedStage, ...kinds.map((kind) => kind.stage)]) await createStage(trx, stage, 'transaction')
  const stagers = new Map(kinds.map((kind) => [kind.name, makeStager(trx, kind)]))
  let line = 0
  for (const { kind, ...record } of records) await stagers.get(kind)?.add(record, ++line)
  for (const stager of stagers.values()) await stager.flush()
}

export function throwFirstError(errors: readonly StagedErrors[]): void {
  const [first] = errors.flatMap(({ listed }) => listed)
  if (first) throw new Error(`Record ${first.line} (${first.kind} ${first.key}), field ${first.field}: ${first.reason}`)
}

function makeStager(trx: Trx, { name, schema, stage, check, row }: OwnKind) {
  const complete = Compile(schema)
  let rows: { line: number; values: CopyValue[] }[] = []
  const flush = async () => {
    if (rows.length > 0) await insertStaged(trx, stage, rows)
    rows = []
  }
  const add = async (record: object, line: number) => {
    const text = JSON.stringify(record)
    const complain = (field: string, reason: string) => {
      throw new Error(`Record ${line} (${name}), field ${field}: ${reason} ${text.slice(0, 200)}`)
    }
    if (!complete.Check(record))
      for (const error of complete.Errors(record)) complain(error.instancePath, error.message)
    check?.(record, complain)
    rows.push({ line, values: row(record, text) })
    if (rows.length >= chunk) await flush()
  }
  return { add, flush }
}
