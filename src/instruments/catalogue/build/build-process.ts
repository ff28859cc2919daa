import { lowerProcessPriority } from '../../../core/process/low-priority.ts'
import { type Connection, openDatabase, patientTimeouts } from '../../../database/open.ts'
import { writeSegmentFile } from '../kept/segment-file.ts'
import { buildWhole } from './build.ts'

/** Builds a segment of all data in a process of its own and leaves it in a file. The memory that this takes, several
 *  times that of the segment, is then certainly free again. */
export type Order = Readonly<{ connection: Connection; folder: string; isUrgent: boolean }>

async function build({ connection, folder, isUrgent }: Order): Promise<string> {
  if (!isUrgent) lowerProcessPriority()
  const { db, close } = openDatabase(connection, 1, patientTimeouts)
  try {
    await writeSegmentFile(folder, (await buildWhole(db)).base)
    return ''
  } catch (error) {
    return (error as Error).message
  } finally {
    await close().catch(() => {})
  }
}

process.on('message', async (order: Order) => {
  const error = await build(order)
  process.send?.({ error }, () => process.disconnect?.())
})
// The service has ended.
process.on('disconnect', () => process.exit())
