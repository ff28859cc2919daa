import { Snapshot } from './snapshot.ts'
import type { CatalogueSource, CatalogueState } from './source.ts'

/** The reference data that this node serves: an immutable snapshot. The next one replaces it in a single assignment. */
export class Catalogue {
  readonly #source: CatalogueSource
  #snapshot: Snapshot | undefined
  #waiting: { revision: number; resolve: () => void }[] = []

  private constructor(source: CatalogueSource) {
    this.#source = source
  }

  /** Resolves when the catalogue is ready to serve. */
  static async start(source: CatalogueSource): Promise<Catalogue> {
    const catalogue = new Catalogue(source)
    await source.start((state) => catalogue.#serve(state))
    return catalogue
  }

  current(): Snapshot {
    if (!this.#snapshot) throw new Error('The catalogue has not been built.')
    return this.#snapshot
  }

  /** Resolves when the served revision is at least this one. */
  reached(revision: number): Promise<void> {
    if ((this.#snapshot?.revision ?? -1) >= revision) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }))
  }

  stop(): Promise<void> {
    return this.#source.stop()
  }

  #serve({ revision, identity, exchanges, calendars, base, changed }: CatalogueState): void {
    this.#snapshot = new Snapshot(revision, base, exchanges, changed, identity, calendars)
    for (const waiting of this.#waiting) if (waiting.revision <= revision) waiting.resolve()
    this.#waiting = this.#waiting.filter((waiting) => waiting.revision > revision)
  }
}
