import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, openDatabase, patientTimeouts } from '../../../database/open.ts'
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
export type Question = Readonly<{ id: number; task: Task }>
export type Answer = Readonly<{ id: number; result?: unknown; error?: string }>

// Requests come first. On Linux this concerns only the calling thread.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const { db } = openDatabase(workerData.connection as Connection, 1, patientTimeouts)

const aborting = new AbortController()

async function run(task: Task): Promise<unknown> {
  if (task.kind === 'process') return buildFileInProcess(task.order, aborting.signal)
  if (task.kind === 'abort') return aborting.abort()
  if (task.kind === 'changes') return buildChanges(db, task.current)
  if (task.kind === 'whole') return buildWhole(db)
  if (task.kind === 'past') return buildPast(db, task.base, task.data)
  if (task.kind === 'write') return writeSegmentFile(task.folder, task.segment)
  return mergeSegments(task.base, task.changed.deleted, task.changed.segment)
}

parentPort?.on('message', async ({ id, task }: Question) => {
  const answer = await run(task).then(
    (result): Answer => ({ id, result }),
    (error: Error): Answer => ({ id, error: error.message }),
  )
  parentPort?.postMessage(answer)
})
