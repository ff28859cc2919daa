import { type SearchDoc, searchDocs } from '../search/engine.ts'
import type { Place } from '../support/place.ts'
import type { BenchDatabase } from '../support/refdesk.ts'
import { type Source, UniverseFiles } from '../universe/files.ts'
import { realSize } from '../universe/generated.ts'

/** Returns the number of instruments to generate. */
export function sizeOf(text: string | undefined): number {
  const size = Number(text ?? realSize)
  if (!Number.isInteger(size) || size < 1_000) throw new Error('--size is a whole number from 1000 on.')
  return size
}

export type Loaded = Readonly<{ database: BenchDatabase; importSeconds: number }>

/** Data that several parts share; each is created when first needed. */
export class ReferenceSetting {
  readonly place: Place
  readonly universe: UniverseFiles
  readonly #made = new Map<string, Promise<unknown>>()

  constructor(place: Place, source: Source) {
    this.place = place
    this.universe = new UniverseFiles(place.folder, source)
  }

  #once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
    return this.#made.getOrInsertComputed(name, make) as Promise<Made>
  }

  /** The instruments as search engines need them. */
  readonly docs = (): Promise<readonly SearchDoc[]> => this.#once('docs', () => searchDocs(this.universe.records()))

  /** A database with the instruments. */
  readonly instruments = (): Promise<Loaded> =>
    this.#once('instruments', async () => {
      const { instrumentsFile } = await this.universe.written()
      const database = await this.place.database.another('bench_instruments')
      return { database, importSeconds: await this.importInto(database, instrumentsFile) }
    })

  /** A copy of that database, to which no one may be connected yet. */
  readonly copied = (): Promise<BenchDatabase> =>
    this.#once('copied', async () => (await this.instruments()).database.another('bench_whole', { isCopy: true }))

  /** A database with the instruments and the option roots. */
  readonly whole = (): Promise<Loaded> =>
    this.#once('whole', async () => {
      const [{ rootsFile }, { importSeconds }] = [await this.universe.written(), await this.instruments()]
      const database = await this.copied()
      return { database, importSeconds: importSeconds + (await this.importInto(database, rootsFile)) }
    })

  /** Runs `refdesk import` in its own process; returns the seconds it took. */
  importInto(database: BenchDatabase, file: string): Promise<number> {
    return this.place.servers.run(['import', file], database.settings)
  }
}
