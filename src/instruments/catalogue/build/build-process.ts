import { lowerProcessPriority } from '../../../core/process/low-priority.ts'
import { type Connection, openDatabase, patientTimeouts } from '../../../database/open.ts'
import { deletedDocs, type Removed } from '../deleted-docs.ts'
import { readKeptSegment, readSegmentFile, writeKeptSegment } from '../kept/segment-file.ts'
import { mergeSegments } from '../merge/merge.ts'
import type { Segment } from '../segment.ts'
import { buildWhole } from './build.ts'

/** Makes the next base segment in a process of its own and keeps it in `folder`. The memory that this takes, several
 *  times that of the segment, is then certainly free again. */
export type Order = Readonly<{ folder: string }> & (WholeOrder | MergeOrder)

/** Read all data. */
type WholeOrder = Readonly<{ kind: 'whole'; connection: Connection; isUrgent: boolean }>

/** Merge the kept base, if it is still this one, with the segment in a file and what was removed. */
type MergeOrder = Readonly<{
  kind: 'merge'
  base: Pick<Segment, 'revision' | 'identity'>
  file: string
  removed: Removed
}>

async function build(order: Order): Promise<void> {
  if (order.kind === 'merge' || !order.isUrgent) lowerProcessPriority()
  return order.kind === 'whole' ? keepWhole(order.folder, order.connection) : keepMerged(order.folder, order)
}

async function keepWhole(folder: string, connection: Connection): Promise<void> {
  const { db, close } = openDatabase(connection, 1, patientTimeouts)
  try {
    await writeKeptSegment(folder, (await buildWhole(db)).base)
  } finally {
    await close().catch(() => {})
  }
}

async function keepMerged(folder: string, { base: { revision, identity }, file, removed }: MergeOrder): Promise<void> {
  const base = await readKeptSegment(folder)
  // Another node with the same folder may have been faster.
  if (base?.revision !== revision || base.identity !== identity) return
  const changed = await readSegmentFile(file)
  await writeKeptSegment(folder, mergeSegments(base, deletedDocs(base, { segment: changed, removed }), changed))
}

process.on('message', async (order: Order) => {
  const error = await build(order).then(
    () => '',
    ({ message }: Error) => message,
  )
  process.send?.({ error }, () => process.disconnect?.())
})
// The service has ended.
process.on('disconnect', () => process.exit())
