import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse'
import { systemClock } from '../../src/core/clock.ts'
import { SegmentBuilder } from '../../src/instruments/catalogue/build/segment-builder.ts'
import { findRows } from '../../src/instruments/catalogue/search/find-rows.ts'
import { namesOfRow } from '../../src/instruments/catalogue/segment.ts'
import { Snapshot } from '../../src/instruments/catalogue/snapshot.ts'
import { readDemo } from '../../src/sim/demo/read.ts'
import type { ReferenceSetting } from '../reference/setting.ts'
import { note, recorderOf } from '../support/report.ts'
import { universeFromCsv } from '../universe/from-csv.ts'
import { access } from './refdesk.ts'

/** Texts that people type, and the symbols they may mean, separated by `;`. Misses stay in the file. */
type Expectation = Readonly<{ Keywords: string; Expected: string; IncludeNonTradable: string }>

const queriesFile = fileURLToPath(new URL('quality.csv', import.meta.url))
/** Added to the Uics of the universe, which would otherwise be equal to Uics of the demo. */
const uicOffset = 10_000_000

/** Measures how often the expected instrument is first, in the demo and, with a file, the real universe beside it. */
export async function benchQuality({ universe: { source } }: ReferenceSetting): Promise<void> {
  const snapshot = await buildSnapshot(source.file)
  const expectations: Expectation[] = []
  for await (const row of createReadStream(queriesFile).pipe(parse({ columns: true }))) expectations.push(row)
  let first = 0
  for (const { Keywords, Expected, IncludeNonTradable } of expectations) {
    const found = search(snapshot, Keywords, IncludeNonTradable !== '')
    if (Expected.split(';').includes(found[0] ?? '')) first++
    else note(`missed: ${Keywords}, expected ${Expected}, found ${found.join(', ') || 'nothing'}`)
  }
  const { atLeast } = recorderOf('Search in process')
  const sides = { ours: `${first} of ${expectations.length} queries`, unit: '%' }
  atLeast('expected instrument first', (100 * first) / expectations.length, 95, sides)
}

async function buildSnapshot(file: string | undefined): Promise<Snapshot> {
  const today = systemClock.now().toZonedDateTimeISO('UTC').toPlainDate()
  const { exchanges, instruments, optionRoots } = await readDemo(today)
  const known = new Map(exchanges.map((exchange) => [exchange.ExchangeId, exchange]))
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of optionRoots) builder.addRoot(record)
  if (file)
    for await (const record of universeFromCsv(file)) {
      if (record.kind === 'exchange') known.set(record.ExchangeId, known.get(record.ExchangeId) ?? record)
      if (record.kind === 'instrument') builder.addInstrument({ ...record, Uic: record.Uic + uicOffset, GroupId: 0 })
    }
  return new Snapshot(1, builder.finish(1), [...known.values()])
}

function search(snapshot: Snapshot, keywords: string, includeNonTradable: boolean): string[] {
  const criteria = { keywords, includeNonTradable, bounds: [] }
  const view = { snapshot, access, now: systemClock.now().epochMilliseconds }
  const { rows } = findRows(view, criteria, { top: 3, skip: 0, isCounted: false })
  return rows.map(({ reader, row }) => namesOfRow(reader.segment, row).Symbol)
}
