/** So many at once: more hardly save time, and the first response waits for the last one of its cohort. */
const cohortSize = 16

/**
 * Serves the requests that arrive in one turn of the event loop together: makes the responses of some, then writes them. Code
 * that runs repeatedly finds itself and its data in the processor's caches; between the reads and writes of other requests it
 * takes three times as long (docs/decisions/0022-cohorts.md).
 */
export class Cohorts<Arrived, Made> {
  readonly #make: (arrived: Arrived) => Made | undefined
  readonly #write: (made: Made) => void
  #arrived: Arrived[] = []

  /** Neither function may throw. `make` returns undefined if there is nothing to write. */
  constructor(make: (arrived: Arrived) => Made | undefined, write: (made: Made) => void) {
    this.#make = make
    this.#write = write
  }

  add(arrived: Arrived): void {
    if (this.#arrived.push(arrived) === 1) setImmediate(this.#serve)
  }

  readonly #serve = (): void => {
    const arrived = this.#arrived
    this.#arrived = []
    for (let from = 0; from < arrived.length; from += cohortSize) this.#serveSome(arrived, from)
  }

  #serveSome(arrived: readonly Arrived[], from: number): void {
    const made: Made[] = []
    const end = Math.min(from + cohortSize, arrived.length)
    for (let at = from; at < end; at++) {
      const one = this.#make(arrived[at] as Arrived)
      if (one !== undefined) made.push(one)
    }
    for (const one of made) this.#write(one)
  }
}
