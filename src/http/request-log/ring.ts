import type { Entry } from './entry.ts'

export type RingLimits = Readonly<{ entries: number; bytes: number }>

/** The last 5,000 requests of a node, in at most 32 MB. */
export const ringLimits: RingLimits = { entries: 5_000, bytes: 32 * 1024 * 1024 }

/** The entries of one client, oldest first. */
type Queue = { first: Entry | undefined; last: Entry | undefined; entries: number; bytes: number }

type Measure = 'entries' | 'bytes'
type Listener = (entry: Entry) => void

/** The latest requests, in bounded memory. If it is full, the oldest entry of a client that has more than its share is dropped,
 *  so that no client can push out the entries of all others. */
export class RequestRing {
  readonly #limits: RingLimits
  readonly #queues = new Map<string, Queue>()
  readonly #listeners = new Set<Listener>()
  #entries = 0
  #bytes = 0
  /** A client that had more than its share. */
  #large = ''

  constructor(limits: RingLimits = ringLimits) {
    this.#limits = limits
  }

  get size(): Readonly<{ entries: number; bytes: number }> {
    return { entries: this.#entries, bytes: this.#bytes }
  }

  add(entry: Entry): void {
    const { client } = entry
    let queue = this.#queues.get(client)
    if (!queue) {
      queue = { first: undefined, last: undefined, entries: 0, bytes: 0 }
      this.#queues.set(client, queue)
    }
    if (queue.last) queue.last.next = entry
    else queue.first = entry
    queue.last = entry
    this.#count(queue, 1, entry.bytes)
    while (this.#entries > this.#limits.entries) this.#dropOne('entries', client)
    while (this.#bytes > this.#limits.bytes) this.#dropOne('bytes', client)
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener(entry)
  }

  /** The entries of a client, or of all of them, newest first. */
  newest(client?: string): Entry[] {
    const queues = client === undefined ? [...this.#queues.values()] : [this.#queues.get(client)]
    const all: Entry[] = []
    for (const queue of queues) for (let entry = queue?.first; entry; entry = entry.next) all.push(entry)
    return all.sort((a, b) => (a.id < b.id ? 1 : -1))
  }

  /** Calls the listener for every new entry until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #count(queue: Queue, entries: number, bytes: number): void {
    queue.entries += entries
    queue.bytes += bytes
    this.#entries += entries
    this.#bytes += bytes
  }

  #dropOne(measure: Measure, newest: string): void {
    const client = this.#overShare(measure, newest)
    const queue = this.#queues.get(client) as Queue
    const entry = queue.first as Entry
    queue.first = entry.next
    entry.next = undefined
    this.#count(queue, -1, -entry.bytes)
    if (!queue.first) this.#queues.delete(client)
  }

  /** A client with at least its share: the newest one, the one found last, or any other. There is one whenever the ring is
   *  full, because not all can have less than the mean. */
  #overShare(measure: Measure, newest: string): string {
    const share = this.#limits[measure] / this.#queues.size
    const isOver = (client: string) => (this.#queues.get(client)?.[measure] ?? 0) > share
    if (isOver(newest)) return newest
    if (!isOver(this.#large)) for (const client of this.#queues.keys()) if (isOver(client)) this.#large = client
    return this.#large
  }
}
