import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import { universeFromCsv } from './from-csv.ts'
import { generatedUniverse, realSize } from './generated.ts'
import { collectStocks, fullShape, optionRoots, type Underlying } from './option-roots.ts'
import type { UniverseRecord } from './record.ts'
import { writeUniverse } from './write.ts'

/** An instrument file, or the number of instruments to generate. */
export type Source = Readonly<{ file: string | undefined; size: number }>
type Records = AsyncIterable<UniverseRecord> | Iterable<UniverseRecord>

export type Written = Readonly<{
  instrumentsFile: string
  rootsFile: string
  counts: { instruments: number; roots: number; contracts: number }
  /** The keys by which instruments are requested. */
  instruments: readonly { uic: number; assetType: string }[]
  roots: readonly { id: number; expiries: string[] }[]
}>

/** The universe as files for `refdesk import`, written when first needed. */
export class UniverseFiles {
  readonly source: Source
  readonly #folder: string
  #written: Promise<Written> | undefined

  constructor(folder: string, source: Source) {
    this.#folder = folder
    this.source = source
  }

  /** The exchanges and instruments, from the start each time. */
  records(): Records {
    return this.source.file ? universeFromCsv(this.source.file) : generatedUniverse(this.source.size)
  }

  written(): Promise<Written> {
    this.#written ??= this.#write()
    return this.#written
  }

  /** A file in which some of the instruments have another name. */
  async changed(name: string, { every, max = Number.POSITIVE_INFINITY }: { every: number; max?: number }) {
    const file = join(this.#folder, `${name}.ndjson`)
    const { instrument } = await writeUniverse(file, changedRecords(this.records(), name, every, max))
    return { file, count: instrument }
  }

  async #write(): Promise<Written> {
    const stocks: Underlying[] = []
    const instruments: { uic: number; assetType: string }[] = []
    const roots: { id: number; expiries: string[] }[] = []
    const noted = note(collectStocks(this.records(), stocks), (record) => {
      if (record.kind === 'instrument') instruments.push({ uic: record.Uic, assetType: record.As[0]?.AssetType ?? '' })
    })
    const [instrumentsFile, rootsFile] = [join(this.#folder, 'instruments.ndjson'), join(this.#folder, 'roots.ndjson')]
    await writeUniverse(instrumentsFile, noted)
    const today = systemClock.now().toZonedDateTimeISO('UTC').toPlainDate()
    // A smaller universe has fewer roots too.
    const share = Math.min(1, this.source.size / realSize)
    const shape = { ...fullShape, roots: Math.ceil(fullShape.roots * share) }
    let contracts = 0
    const rootRecords = note(optionRoots(stocks, today, shape), (record) => {
      if (record.kind !== 'optionRoot') return
      roots.push({ id: record.OptionRootId, expiries: record.Series.map(({ Expiry }) => Expiry) })
      for (const { Options } of record.Series) contracts += Options.length
    })
    await writeUniverse(rootsFile, rootRecords)
    const counts = { instruments: instruments.length, roots: roots.length, contracts }
    return { instrumentsFile, rootsFile, counts, instruments, roots }
  }
}

async function* note(records: Records, see: (record: UniverseRecord) => void): AsyncGenerator<UniverseRecord> {
  for await (const record of records) {
    see(record)
    yield record
  }
}

async function* changedRecords(records: Records, name: string, every: number, max: number) {
  let [seen, given] = [0, 0]
  for await (const record of records) {
    if (record.kind !== 'instrument' || seen++ % every !== 0) continue
    if (++given > max) return
    yield { ...record, Description: `${record.Description} ${name}` }
  }
}
