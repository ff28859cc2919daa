import type { SearchDoc } from '../peers/search-peer.ts'
import { accessTokens } from '../support/chains.ts'
import type { Place } from '../support/place.ts'
import { type BenchDatabase, client } from '../support/refdesk.ts'
import { progress, seconds } from '../support/report.ts'
import { freePort, type Server } from '../support/servers.ts'
import { searchDocs } from '../universe/docs.ts'
import { type Source, UniverseFiles } from '../universe/files.ts'
import { realSize } from '../universe/generated.ts'

/** Prefix of every path that needs a token. */
export const basePath = '/sim/openapi'
const startsWithinSeconds = 180

/** The number of instruments to generate. */
export function sizeOf(text: string | undefined): number {
  const size = Number(text ?? realSize)
  if (!Number.isInteger(size) || size < 1_000) throw new Error('--size is a whole number from 1000 on.')
  return size
}

export type Loaded = Readonly<{ database: BenchDatabase; importSeconds: number }>
export type Node = Server &
  Readonly<{ database: BenchDatabase; readySeconds: number; settings: Record<string, string> }>

/** What the benchmarks share; each is created when first needed. */
export class ReferenceSetting {
  readonly place: Place
  readonly universe: UniverseFiles
  readonly #loaded = new Map<string, Promise<Loaded>>()
  #copied: Promise<BenchDatabase> | undefined
  #docs: Promise<SearchDoc[]> | undefined

  constructor(place: Place, source: Source) {
    this.place = place
    this.universe = new UniverseFiles(place.folder, source)
  }

  /** The instruments as search libraries need them. */
  docs(): Promise<readonly SearchDoc[]> {
    this.#docs ??= searchDocs(this.universe.records())
    return this.#docs
  }

  /** A database with the instruments, or with the option roots too. */
  loaded(what: 'instruments' | 'whole'): Promise<Loaded> {
    const known = this.#loaded.get(what) ?? this.#load(what)
    this.#loaded.set(what, known)
    return known
  }

  async #load(what: 'instruments' | 'whole'): Promise<Loaded> {
    const { instrumentsFile, rootsFile, counts } = await this.universe.written()
    // The whole is a copy of the instruments with the option roots imported too.
    const before = what === 'whole' ? await this.loaded('instruments') : undefined
    const imported = before ? `${counts.contracts} option contracts` : `${counts.instruments} instruments`
    progress(`importing ${imported}`)
    const database = before ? await this.copied() : await this.place.database.another('bench_instruments')
    const importSeconds = await this.importInto(database, [before ? rootsFile : instrumentsFile])
    progress(`imported in ${seconds(importSeconds)}`)
    return { database, importSeconds: (before?.importSeconds ?? 0) + importSeconds }
  }

  /** A copy of the database with the instruments, to which no one may be connected yet. */
  copied(): Promise<BenchDatabase> {
    this.#copied ??= this.loaded('instruments').then(({ database }) =>
      database.another('bench_whole', { isCopy: true }),
    )
    return this.#copied
  }

  /** Runs `refdesk import` in its own process. */
  importInto(database: BenchDatabase, files: string[]): Promise<number> {
    return this.place.servers.run('src/cli/cli.ts', ['import', ...files], database.settings('http://localhost:4700'))
  }

  /** Starts `refdesk serve` and measures the time until it is ready. */
  async serve(database: BenchDatabase, more: Record<string, string> = {}): Promise<Node> {
    const port = await freePort()
    const settings = { ...database.settings(`http://localhost:${port}`), ...more }
    const start = performance.now()
    const options = { args: ['serve'], readyPath: '/health/ready', port, withinSeconds: startsWithinSeconds }
    const server = await this.place.servers.start('src/cli/cli.ts', settings, options)
    return { ...server, database, settings, readySeconds: (performance.now() - start) / 1_000 }
  }

  /** Access tokens of this many sessions. */
  async tokens({ port, database }: Node, count: number): Promise<string[]> {
    return accessTokens(port, client, await database.seedSessions(count))
  }
}
