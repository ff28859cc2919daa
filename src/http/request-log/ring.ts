import type { Entry } from './entry.ts'

export type RingLimits = Readonly<{ entries: number; bytes: number }>

/** The last 5,000 requests of a node, in at most 32 MB. */
export const ringLimits: RingLimits = { entries: 5_000, bytes: 32 * 1024 * 1024 }

type Kept = Readonly<{ entry: Entry; bytes: number }>
type Queue = { readonly client: string; readonly kept: Kept[]; entries: number; bytes: number }
type Listener = (entry: Entry) => void

/** Size of an entry without its texts. */
const entryBytes = 1_024
/** A string and the reference to it, without its characters. */
const stringBytes = 32

/** The memory that an entry takes, about. */
function bytesOf({ target, requestBody = '', responseBody, reason, ...lists }: Entry): number {
  let bytes = entryBytes + target.length + 2 * requestBody.length + (reason?.message.length ?? 0)
  for (const text of [...lists.requestHeaders, ...lists.responseHeaders]) bytes += stringBytes + text.length
  for (const name of lists.unknownFields) bytes += stringBytes + 2 * name.length
  return bytes + (responseBody?.length ?? 0)
}

/** The latest requests, in bounded memory. If it is full, a client with more than its share loses its oldest entry. */
export class RequestRing {
  readonly #limits: RingLimits
  readonly #queues = new Map<string, Queue>()
  readonly #listeners = new Set<Listener>()
  #entries = 0
  #bytes = 0

  constructor(limits: RingLimits = ringLimits) {
    this.#limits = limits
  }

  get size(): Readonly<{ entries: number; bytes: number }> {
    return { entries: this.#entries, bytes: this.#bytes }
  }

  add(entry: Entry): void {
    const bytes = bytesOf(entry)
    if (bytes > this.#limits.bytes) return
    const { client } = entry
    const queue = this.#queues.getOrInsertComputed(client, () => ({ client, kept: [], entries: 0, bytes: 0 }))
    queue.kept.push({ entry, bytes })
    this.#count(queue, 1, bytes)
    for (const listener of this.#listeners) listener(entry)
    while (this.#entries > this.#limits.entries) this.#dropOldest(this.#overShare('entries', queue))
    while (this.#bytes > this.#limits.bytes) this.#dropOldest(this.#overShare('bytes', queue))
  }

  /** The entries of a client, or of all of them, newest first. */
  newest(client?: string): Entry[] {
    const queues = client === undefined ? [...this.#queues.values()] : [this.#queues.get(client)]
    const entries = queues.flatMap((queue) => queue?.kept.map(({ entry }) => entry) ?? [])
    return entries.sort((a, b) => b.count - a.count)
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

  #dropOldest(queue: Queue): void {
    const { bytes } = queue.kept.shift() as Kept
    this.#count(queue, -1, -bytes)
    if (queue.entries === 0) this.#queues.delete(queue.client)
  }

  /** The queue of the newest entry if that has more than its share, otherwise the largest. */
  #overShare(measure: 'entries' | 'bytes', newest: Queue): Queue {
    if (newest.entries > 1 && newest[measure] > this.#limits[measure] / this.#queues.size) return newest
    let [largest = newest] = this.#queues.values()
    for (const queue of this.#queues.values()) if (queue[measure] > largest[measure]) largest = queue
    return largest
  }
}
