import { copyRows } from '../peers/plain-copy.ts'
import { medianOf } from '../support/load.ts'
import { atMost, heading, line, progress, seconds } from '../support/report.ts'
import { benchServingMeanwhile } from './import-load.ts'
import type { ReferenceSetting } from './setting.ts'

const times = (value: number): string => value.toFixed(2)
const copies = 3

/** `refdesk import` of everything compared with a plain COPY of the same rows; then search latency during an import. */
export async function benchImport(setting: ReferenceSetting): Promise<void> {
  heading('Import of everything into an empty database')
  const { database, importSeconds } = await setting.loaded('whole')
  progress('copying the same rows')
  const copySeconds = await copyRows(database, setting.place.folder, copies)
  line('refdesk import', seconds(importSeconds))
  line('COPY of the same rows', seconds(medianOf(copySeconds)), `rounds: ${copySeconds.map(seconds).join(' ')}`)
  atMost('import / COPY', importSeconds / medianOf(copySeconds), 6, times)
  await benchServingMeanwhile(setting)
}
