import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Connection, type Db, type OpenDatabase, openDatabase, patientTimeouts } from '../../../database/open.ts'
import type { Changed } from '../deleted-docs.ts'
import { writeSegmentFile } from '../kept/segment-file.ts'
import { mergeSegments } from '../merge/merge.ts'
import { buildPast } from '../past/build-past.ts'
import type { Segment } from '../segment.ts'
import type { PastData } from '../source.ts'
import { buildChanges, buildWhole, type Current } from './build.ts'
import type { Order } from './build-process.ts'
import { buildFileInProcess } from './run-process.ts'

/** What the thread that builds catalogues is asked to do. */
export type Task =
  | Readonly<{ kind: 'changes'; current: Current }>
  | Readonly<{ kind: 'whole' }>
  | Readonly<{ kind: 'past'; base: Segment; data: PastData }>
  | Readonly<{ kind: 'merge'; base: Segment; changed: Changed }>
  | Readonly<{ kind: 'write'; folder: string; segment: Segment }>
  | Readonly<{ kind: 'process'; order: Order }>
  | Readonly<{ kind: 'abort' }>
export type Question = Readonly<{ id: number; connection: Connection; task: Task }>
export type Answer = Readonly<{ id: number; result?: unknown; error?: string }>

// Requests come first. On Linux this concerns only the calling thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

let aborting = new AbortController()
let opened: OpenDatabase | undefined

function open(connection: Connection): Db {
  opened ??= openDatabase(connection, 1, patientTimeouts)
  return opened.db
}

/** Ends what the tasks have left: afterwards the next one may have another database. */
async function abort(): Promise<void> {
  aborting.abort()
  aborting = new AbortController()
  const last = opened
  opened = undefined
  await last?.close()
}

async function run(task: Exclude<Task, { kind: 'abort' }>, connection: Connection): Promise<unknown> {
  if (task.kind === 'process') return buildFileInProcess(task.order, aborting.signal)
  if (task.kind === 'changes') return buildChanges(open(connection), task.current)
  if (task.kind === 'whole') return buildWhole(open(connection))
  if (task.kind === 'past') return buildPast(open(connection), task.base, task.data)
  if (task.kind === 'write') return writeSegmentFile(task.folder, task.segment)
  return mergeSegments(task.base, task.changed.deleted, task.changed.segment)
}

parentPort?.on('message', async ({ id, connection, task }: Question) => {
  if (task.kind === 'abort') return abort()
  const answer = await run(task, connection).then(
    (result): Answer => ({ id, result }),
    (error: Error): Answer => ({ id, error: error.message }),
  )
  parentPort?.postMessage(answer)
})
