import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { InstrumentRecord } from '../../src/instruments/import/schema.ts'
import { universeFromCsv } from './from-csv.ts'
import { generatedUniverse, realSize } from './generated.ts'
import { optionRoots } from './option-roots.ts'
import type { Records, UniverseRecord } from './record.ts'

/** An instrument file, or the number of instruments to generate. */
export type Source = Readonly<{ file: string | undefined; size: number }>

export type Written = Readonly<{
  instrumentsFile: string
  rootsFile: string
  contracts: number
  /** The keys by which instruments are requested. */
  instruments: readonly { uic: number; assetType: string }[]
  roots: readonly { id: number; expiries: string[] }[]
}>

const realRoots = 4_000

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

  /** Writes a file in which every n-th instrument has another name. */
  async changed(name: string, every: number): Promise<{ file: string; count: number }> {
    const file = join(this.#folder, `${name}.ndjson`)
    let [seen, count] = [0, 0]
    const changes = Readable.from(this.records())
      .filter((record: UniverseRecord) => record.kind === 'instrument' && seen++ % every === 0)
      .map((record) => ({ ...record, Description: `${record.Description} ${name}` }))
    await writeRecords(
      file,
      note(changes, () => count++),
    )
    return { file, count }
  }

  async #write(): Promise<Written> {
    const stocks: InstrumentRecord[] = []
    const instruments: { uic: number; assetType: string }[] = []
    const roots: { id: number; expiries: string[] }[] = []
    let contracts = 0
    const [instrumentsFile, rootsFile] = [join(this.#folder, 'instruments.ndjson'), join(this.#folder, 'roots.ndjson')]
    const noted = note(this.records(), (record) => {
      if (record.kind !== 'instrument') return
      const assetType = record.As[0]?.AssetType ?? ''
      instruments.push({ uic: record.Uic, assetType })
      if (assetType === 'Stock') stocks.push(record)
    })
    await writeRecords(instrumentsFile, noted)
    // A smaller universe has fewer roots too.
    const rootCount = Math.ceil(realRoots * Math.min(1, this.source.size / realSize))
    const notedRoots = note(optionRoots(stocks, rootCount), (record) => {
      if (record.kind !== 'optionRoot') return
      roots.push({ id: record.OptionRootId, expiries: record.Series.map(({ Expiry }) => Expiry) })
      for (const { Options } of record.Series) contracts += Options.length
    })
    await writeRecords(rootsFile, notedRoots)
    return { instrumentsFile, rootsFile, contracts, instruments, roots }
  }
}

async function* note(records: Records, see: (record: UniverseRecord) => void): AsyncGenerator<UniverseRecord> {
  for await (const record of records) {
    see(record)
    yield record
  }
}

/** Writes a file for `refdesk import`, which may be larger than memory. */
async function writeRecords(file: string, records: Records): Promise<void> {
  const lines = Readable.from(records).map((record: UniverseRecord) => `${JSON.stringify(record)}\n`)
  await pipeline(lines, createWriteStream(file))
}
