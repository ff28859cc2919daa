/** So many at once: more hardly save time, and the first response waits for the last one of its cohort. */
const cohortSize = 16

/**
 * Serves the requests that arrive in one turn of the event loop together: prepares the responses of some, then writes them. Code
 * that runs repeatedly finds itself and its data in the processor's caches; between the reads and writes of other requests it
 * takes three times as long (docs/decisions/0022-cohorts.md).
 */
export class Cohorts<Pending, Ready> {
  readonly #prepare: (request: Pending) => Ready | undefined
  readonly #write: (response: Ready) => void
  #pending: Pending[] = []

  /** Neither function may throw. `prepare` returns undefined if there is nothing to write. */
  constructor(prepare: (request: Pending) => Ready | undefined, write: (response: Ready) => void) {
    this.#prepare = prepare
    this.#write = write
  }

  add(request: Pending): void {
    if (this.#pending.push(request) === 1) setImmediate(this.#serve)
  }

  readonly #serve = (): void => {
    const pending = this.#pending
    this.#pending = []
    for (let from = 0; from < pending.length; from += cohortSize) this.#serveSome(pending, from)
  }

  #serveSome(pending: readonly Pending[], from: number): void {
    const ready: Ready[] = []
    const end = Math.min(from + cohortSize, pending.length)
    for (let at = from; at < end; at++) {
      const response = this.#prepare(pending[at] as Pending)
      if (response !== undefined) ready.push(response)
    }
    for (const response of ready) this.#write(response)
  }
}
