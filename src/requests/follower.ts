const flushMs = 100
const maxWaiting = 1_000

/** Collects items and reports them in batches. What does not fit between two reports is dropped, the oldest first, and counted. */
export class Follower<Item> {
  readonly #report: (items: Item[], dropped: number) => void
  #waiting: Item[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined

  constructor(report: (items: Item[], dropped: number) => void) {
    this.#report = report
  }

  add(item: Item): void {
    if (this.#waiting.length === maxWaiting) {
      this.#waiting.shift()
      this.#dropped += 1
    }
    this.#waiting.push(item)
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting = []
  }

  #flush(): void {
    const [items, dropped] = [this.#waiting, this.#dropped]
    this.#timer = undefined
    this.#waiting = []
    this.#dropped = 0
    this.#report(items, dropped)
  }
}
