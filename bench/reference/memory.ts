import type { BenchDatabase } from '../support/refdesk.ts'
import { atMost, heading, line, megabytes, seconds } from '../support/report.ts'
import { settledMemory } from '../support/scrape.ts'
import type { Node, ReferenceSetting } from './setting.ts'

/** Memory of a node on an empty database, with instruments, and with option roots too. Returns the last, as it is after a
 *  start from disk. `meanwhile` is work of other benchmarks that needs no quiet machine. */
export async function benchMemory(
  setting: ReferenceSetting,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  heading('Resident memory of one serving process, and how long it takes to start')
  const [empty, { counts }] = await Promise.all([
    measure(setting, 'without reference data', setting.place.database),
    setting.universe.written(),
  ])
  // Nothing here depends on time, so everything that needs only one core is done at the same time.
  const [instruments] = await Promise.all([setting.loaded('instruments'), setting.docs(), meanwhile()])
  await setting.copied()
  const [withInstruments, whole] = await Promise.all([
    measure(setting, `with ${counts.instruments} instruments`, instruments.database),
    setting.loaded('whole'),
  ])
  const withAll = await measure(setting, `and with ${counts.contracts} option contracts`, whole.database)
  atMost('bytes per instrument', (withInstruments.bytes - empty.bytes) / counts.instruments, 1_100, 'B', {
    ours: megabytes(withInstruments.bytes),
    rival: `empty: ${megabytes(empty.bytes)}`,
  })
  atMost('bytes per option contract', (withAll.bytes - withInstruments.bytes) / counts.contracts, 60, 'B', {
    ours: megabytes(withAll.bytes),
  })
  line('first start with all data, from the database', seconds(withAll.node.readySeconds))
  const again = await measure(setting, 'all of it, read back from disk', whole.database)
  atMost('start with all data, kept on disk', again.node.readySeconds, 8, 's', {
    ours: `${seconds(withAll.node.readySeconds)} without`,
  })
  return again.bytes
}

async function measure(
  setting: ReferenceSetting,
  name: string,
  database: BenchDatabase,
): Promise<{ bytes: number; node: Node }> {
  const node = await setting.serve(database)
  const bytes = await settledMemory(node.port)
  line(name, megabytes(bytes))
  await setting.place.servers.stop(node)
  return { bytes, node }
}
