import { copyRows } from '../peers/plain-copy.ts'
import { medianOf } from '../support/load.ts'
import { atMost, heading, line, progress, seconds } from '../support/report.ts'
import { benchServingMeanwhile } from './import-load.ts'
import type { ReferenceSetting } from './setting.ts'

const copies = 3

/** `refdesk import` of everything compared with a plain COPY of the same rows; then search latency during an import. */
export async function benchImport(setting: ReferenceSetting): Promise<void> {
  heading('Import of everything into an empty database')
  const { database, importSeconds } = await setting.loaded('whole')
  progress('copying the same rows')
  const copySeconds = await copyRows(database, setting.place.folder, copies)
  line('refdesk import', seconds(importSeconds))
  line('COPY of the same rows', seconds(medianOf(copySeconds)), `rounds: ${copySeconds.map(seconds).join(' ')}`)
  const sides = { ours: seconds(importSeconds), rival: `COPY: ${seconds(medianOf(copySeconds))}` }
  atMost('import of everything / COPY', importSeconds / medianOf(copySeconds), 6, '', sides)
  await benchServingMeanwhile(setting)
}
