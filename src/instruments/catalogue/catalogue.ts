import { OnDemand } from '../../core/async/on-demand.ts'
import type { Moment } from '../../database/history/moments.ts'
import { editionOf, keptPast, sizeOfPast } from './past/past-states.ts'
import { Snapshot } from './snapshot.ts'
import type { CatalogueSource, CatalogueState } from './source.ts'

/** The reference data that this node serves: an immutable snapshot. The next one replaces it in a single assignment. */
export class Catalogue {
  readonly #source: CatalogueSource
  #snapshot: Snapshot | undefined
  #state: CatalogueState | undefined
  readonly #pasts = new OnDemand<PastSnapshot>({ ...keptPast, sizeOf: ({ size }) => size })
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

  /** The snapshot of a moment, which may be the present one. Others are made on demand, taking turns by client. */
  async at({ identity, seq, reference }: Moment, clientKey: string): Promise<Snapshot> {
    const present = this.current()
    if (present.revision === reference.revision && present.identity === reference.identity) return present
    const { base } = this.#state as CatalogueState
    const data = { history: identity, seq, revision: reference.revision }
    const make = async () => {
      const state = await this.#source.past(data, clientKey)
      return { snapshot: snapshotOf(state), size: sizeOfPast(state) }
    }
    return (await this.#pasts.get(editionOf(base, identity), String(reference.revision), clientKey, make)).snapshot
  }

  /** Resolves when the served revision is at least this one. */
  reached(revision: number): Promise<void> {
    if ((this.#snapshot?.revision ?? -1) >= revision) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ revision, resolve }))
  }

  stop(): Promise<void> {
    return this.#source.stop()
  }

  #serve(state: CatalogueState): void {
    const { revision, base } = state
    // They would keep the memory of the former base. Between threads, the same base is another object each time.
    if (this.#state && editionOf(base) !== editionOf(this.#state.base)) this.#pasts.clear()
    this.#snapshot = snapshotOf(state)
    this.#state = state
    for (const waiting of this.#waiting) if (waiting.revision <= revision) waiting.resolve()
    this.#waiting = this.#waiting.filter((waiting) => waiting.revision > revision)
  }
}

type PastSnapshot = Readonly<{ snapshot: Snapshot; size: number }>

const snapshotOf = ({ revision, identity, exchanges, calendars, base, changed }: CatalogueState): Snapshot =>
  new Snapshot(revision, base, exchanges, changed, identity, calendars)
