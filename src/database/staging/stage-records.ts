import type { TObject } from 'typebox'
import { ownTurn } from '../../core/async/own-turn.ts'
import { compiledOf } from '../../core/validation/validator.ts'
import type { Trx } from '../open.ts'
import { type CopyValue, insertStaged, lockImport, type ReportError, type Stage, type StagedErrors } from './copy.ts'
import { rejectedStage } from './rejected.ts'
import { createStagesOfTransaction, type Filled, findFilled } from './stages.ts'

type OwnKind = Readonly<{
  name: string
  schema: TObject
  stage: Stage
  check?(record: object, reportError: ReportError): void
  row(record: object, document: string): CopyValue[]
}>

/** A statement gets no more rows or characters. */
const [chunkRows, chunkCharacters] = [2_000, 512 * 1024]
/** Other requests are served after so many characters of checked records: a reset runs in a serving node. */
const charactersAtOnce = 64 * 1024

/** Stages records that the program itself created, in the caller's transaction. Throws on the first error. Returns the stages
 *  that have rows. */
export async function stageRecords(
  trx: Trx,
  kinds: readonly OwnKind[],
  records: Iterable<{ kind: string }>,
): Promise<Filled> {
  await lockImport(trx)
  const stages = [rejectedStage, ...kinds.map((kind) => kind.stage)]
  await createStagesOfTransaction(trx, stages)
  // Made for the first record of a kind, because compiling all schemas at once takes long.
  const stagers = new Map<string, ReturnType<typeof makeStager>>()
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  let [line, characters] = [0, 0]
  for (const { kind: name, ...record } of records) {
    line++
    const kind = byName.get(name)
    if (!kind) continue
    characters += await stagers.getOrInsertComputed(name, () => makeStager(trx, kind)).add(record, line)
    if (characters < charactersAtOnce) continue
    characters = 0
    await ownTurn()
  }
  for (const stager of stagers.values()) await stager.flush()
  return findFilled(trx, stages)
}

export function throwFirstError(errors: readonly StagedErrors[]): void {
  const [first] = errors.flatMap(({ listed }) => listed)
  if (first) throw new Error(`Record ${first.line} (${first.kind} ${first.key}), field ${first.field}: ${first.reason}`)
}

function makeStager(trx: Trx, { name, schema, stage, check, row }: OwnKind) {
  const complete = compiledOf(schema)
  let rows: { line: number; values: CopyValue[] }[] = []
  let characters = 0
  const flush = async () => {
    if (rows.length > 0) await insertStaged(trx, stage, rows)
    rows = []
    characters = 0
  }
  /** Returns the number of characters of the record. */
  const add = async (record: object, line: number): Promise<number> => {
    const text = JSON.stringify(record)
    const complain = (field: string, reason: string) => {
      throw new Error(`Record ${line} (${name}), field ${field}: ${reason} ${text.slice(0, 200)}`)
    }
    if (!complete.Check(record)) {
      const [, errors] = complete.Errors(record)
      for (const error of errors) complain(error.instancePath, error.message)
    }
    check?.(record, complain)
    rows.push({ line, values: row(record, text) })
    characters += text.length
    if (rows.length >= chunkRows || characters >= chunkCharacters) await flush()
    return text.length
  }
  return { add, flush }
}
