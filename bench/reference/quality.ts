import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse'
import { accessView } from '../../src/access/rules/visibility.ts'
import { systemClock } from '../../src/core/clock.ts'
import { SegmentBuilder } from '../../src/instruments/catalogue/build/segment-builder.ts'
import { findRows } from '../../src/instruments/catalogue/search/find-rows.ts'
import { namesOfRow } from '../../src/instruments/catalogue/segment.ts'
import { Snapshot } from '../../src/instruments/catalogue/snapshot.ts'
import { readDemo } from '../../src/sim/demo/read.ts'
import { heading, line, progress } from '../support/report.ts'
import { universeFromCsv } from '../universe/from-csv.ts'
import type { ReferenceSetting } from './setting.ts'

/** What people type, and the symbols of what they may mean, separated by `;`. Misses stay in the file. */
type Expectation = Readonly<{ Keywords: string; Expected: string; IncludeNonTradable: string }>

const queriesFile = fileURLToPath(new URL('quality.csv', import.meta.url))
const wantedShare = 0.95
/** Added to the Uics of the universe, which would otherwise be those of the demo. */
const uicOffset = 10_000_000

const right = { userKey: null, accountKey: null, assetTypes: null, exchangeIds: null, level: 'Trade' } as const
const access = accessView([right], [{ accountKey: 'bench', accountId: 'bench' }])

/** How often people find first what they look for, in the demo and the real universe beside it. */
export async function benchQuality({ universe: { source } }: ReferenceSetting): Promise<void> {
  heading('Quality of search: whether the expected instrument is first, or among the first three')
  if (!source.file) progress('no --universe FILE: searching the demo alone, which has far fewer instruments to confuse')
  const { snapshot, count } = await buildSnapshot(source.file)
  const expectations: Expectation[] = []
  for await (const row of createReadStream(queriesFile).pipe(parse({ columns: true }))) expectations.push(row)
  let [first, firstThree] = [0, 0]
  for (const { Keywords, Expected, IncludeNonTradable } of expectations) {
    const found = search(snapshot, Keywords, IncludeNonTradable !== '')
    const place = found.findIndex((symbol) => Expected.split(';').includes(symbol))
    if (place === 0) first++
    if (place >= 0 && place < 3) firstThree++
    if (place !== 0)
      line(`  missed: ${Keywords}`, '', `expected ${Expected}, found ${found.slice(0, 3).join(', ') || '-'}`)
  }
  const share = first / expectations.length
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`
  line('queries, instruments', `${expectations.length}, ${count}`)
  line(
    'first',
    percent(share),
    `${first}; aim: at least ${percent(wantedShare)}${share < wantedShare ? ', missed' : ''}`,
  )
  line('among the first three', percent(firstThree / expectations.length), `${firstThree}`)
}

async function buildSnapshot(file: string | undefined): Promise<{ snapshot: Snapshot; count: number }> {
  const { exchanges, instruments, optionRoots } = await readDemo(
    systemClock.now().toZonedDateTimeISO('UTC').toPlainDate(),
  )
  const known = new Map(exchanges.map((exchange) => [exchange.ExchangeId, exchange]))
  const builder = new SegmentBuilder()
  for (const record of instruments) builder.addInstrument(record)
  for (const record of optionRoots) builder.addRoot(record)
  let count = instruments.length
  if (file)
    for await (const record of universeFromCsv(file)) {
      if (record.kind === 'exchange') known.set(record.ExchangeId, known.get(record.ExchangeId) ?? record)
      if (record.kind !== 'instrument') continue
      builder.addInstrument({ ...record, Uic: record.Uic + uicOffset, GroupId: 0 })
      count++
    }
  return { snapshot: new Snapshot(1, builder.finish(1), [...known.values()]), count }
}

function search(snapshot: Snapshot, keywords: string, includeNonTradable: boolean): string[] {
  const criteria = { keywords, includeNonTradable, bounds: [] }
  const view = { snapshot, access, now: systemClock.now().epochMilliseconds }
  const { rows } = findRows(view, criteria, { top: 10, skip: 0, isCounted: false })
  return rows.map(({ reader, row }) => namesOfRow(reader.segment, row).Symbol)
}
