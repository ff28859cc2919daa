import { plural } from '../../core/text.ts'
import type { Db, Trx } from '../../database/open.ts'
import { beginRun, findRun } from '../../database/staging/history.ts'
import type { Filled } from '../../database/staging/stages.ts'
import type { Undo } from '../import/run-import.ts'
import type { Family } from '../kind.ts'
import type { Source } from '../sources/sources.ts'
import {
  findHistoryRun,
  findLaterChanges,
  findLost,
  keepPasswords,
  type Listed,
  type Run,
  readRunRange,
  readTouched,
  restoreElectors,
} from '../store/history-runs.ts'
import { countRemovedWith } from '../store/removed-with.ts'
import { type HistoryKind, historyKinds } from './kinds.ts'
import { partsOf, recordsBefore, rightOf } from './state.ts'
import { keyOfId } from './stored.ts'
import { limitsOf, removedWith } from './undo-notes.ts'

const maxListed = 100
/** Option roots and events can be large, so few are in memory at once. */
const pageSize = (kind: string): number => (kind === 'optionRoot' || kind === 'event' ? 100 : 2_000)

/** Throws if there is no such run. */
export async function requireRun(db: Db, run: number): Promise<Run> {
  const found = await findHistoryRun(db, run)
  if (found) return found
  const range = await readRunRange(db)
  if (!range) throw new Error(`There is no run ${run}: the history has none.`)
  if (run < range.first)
    throw new Error(`Run ${run} is no longer in the history, which begins with run ${range.first}.`)
  throw new Error(`There is no run ${run}. The last one is ${range.last}.`)
}

/** The records as they were before the run, as the lines of an import. */
export function previousRecords(db: Db, run: Run): Source {
  async function* open(): AsyncGenerator<Buffer> {
    for (const kind of historyKinds)
      for (let after = ''; ; ) {
        const touched = await readTouched(db, run, kind, after, pageSize(kind))
        const last = touched.at(-1)
        if (!last) break
        after = last.id
        const records = kind === 'accessRight' ? await rightLines(db, touched) : await recordLines(db, kind, touched)
        yield Buffer.from(records.map((line) => `${line}\n`).join(''))
      }
  }
  return { name: `run ${run.run}`, format: 'ndjson', size: undefined, open }
}

type Touched = Awaited<ReturnType<typeof readTouched>>

async function recordLines(db: Db, kind: HistoryKind, touched: Touched): Promise<string[]> {
  const changes = partsOf(touched)
  const before = await recordsBefore(db, kind, changes)
  return [...changes.keys()].map((id) => {
    const record = before.get(id)
    return record === undefined
      ? JSON.stringify({ kind, ...keyOfId(kind, id), delete: true })
      : `{"kind":"${kind}",${record.slice(1)}`
  })
}

async function rightLines(db: Db, touched: Touched): Promise<string[]> {
  const lines: string[] = []
  for (const { id, part, previous } of touched) {
    const right = await rightOf(db, id, part, previous)
    if (right) lines.push(JSON.stringify({ kind: 'accessRight', ...right, ...(previous === null && { delete: true }) }))
  }
  return lines
}

/** Checks and steps of an undo, in the transaction of its import. */
export function undoOf(run: Run): Undo {
  return {
    run: run.run,
    prepare: async (trx: Trx, filled: Filled) => {
      await beginRun(trx, `undo of run ${run.run}`)
      // It may have been pruned or undone while its records were read.
      const present = await findHistoryRun(trx, run.run)
      if (!present) return [`Run ${run.run} is no longer in the history.`]
      const rejection = rejectionOf(present, await findLaterChanges(trx, run, maxListed))
      if (rejection.length === 0 && filled.has('staged_user')) await keepPasswords(trx)
      return rejection
    },
    finish: async (trx: Trx) => {
      const undoing = await findRun(trx)
      if (undoing === undefined) return []
      // Users may have elected until the events were locked.
      const rejection = rejectionOf(run, await findLaterChanges(trx, run, maxListed, undoing))
      if (rejection.length > 0) return rejection
      const lost = await findLost(trx, run, undoing, maxListed)
      if (lost.total > 0)
        return [
          `Run ${run.run} cannot be undone: ${plural(lost.total, 'other record')} would change too.`,
          ...linesOf(lost),
        ]
      await restoreElectors(trx, run, undoing)
      return []
    },
  }
}

function rejectionOf({ run, undoneBy }: Run, later: Listed): string[] {
  if (later.total === 0) return []
  const were = later.total === 1 ? 'was' : 'were'
  const head = `Run ${run} cannot be undone: ${plural(later.total, 'record')} ${were} changed after it.`
  return [undoneBy === null ? head : `Run ${run} was undone by run ${undoneBy}.`, ...linesOf(later)]
}

const linesOf = ({ listed, total }: Listed): string[] => [
  ...listed,
  ...(total > listed.length ? [`and ${total - listed.length} more`] : []),
]

/** What an import needs to undo a run. `notes` are shown before the undo starts. Throws if there is no such run. */
export async function undoWork(db: Db, run: number, now: Temporal.Instant) {
  const found = await requireRun(db, run)
  const notes = [...removedWith(await countRemovedWith(db, found, now)), ...limitsOf(found)]
  return { sources: [previousRecords(db, found)], undo: undoOf(found), notes }
}

/** Without the warnings of an import: the records are known already. */
export const withoutWarnings = (families: readonly Family[]): Family[] =>
  families.map((family) => ({ ...family, kinds: family.kinds.map((kind) => ({ ...kind, warn: () => {} })) }))
