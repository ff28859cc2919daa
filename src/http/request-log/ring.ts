import { Chunk, sharedBytesOf } from './chunk.ts'
import type { Entry } from './entry.ts'
import { type Content, type Numbers, readRecord, type Source } from './record.ts'

export type RingLimits = Readonly<{ entries: number; bytes: number }>

/** The last 5,000 requests of a node, in at most 32 MB. */
export const ringLimits: RingLimits = { entries: 5_000, bytes: 32 * 1024 * 1024 }

/** Of one client. A longer record has a chunk of its own. */
const chunkBytes = 32 * 1024

type Queue = { readonly client: string; readonly chunks: Chunk[]; last: Chunk; entries: number; bytes: number }
type Listener = (entry: Entry) => void

/**
 * The latest requests, in bounded memory. If it is full, the oldest entry of a client that has more than its share is dropped,
 * so that no client can push out the entries of all others. Entries are bytes outside of the heap: as many objects that live for
 * a second would cost the garbage collector more than everything else here.
 */
export class RequestRing {
  readonly #limits: RingLimits
  readonly #source: Source
  readonly #queues = new Map<string, Queue>()
  readonly #listeners = new Set<Listener>()
  /** Dropped chunks, to be used again; all chunks together are within the limit. Without them, the memory of new ones would make V8
   *  collect all garbage, old objects too. */
  readonly #spare: Chunk[] = []
  #count = 0
  #entries = 0
  #bytes = 0
  /** Of a client that had more than its share. */
  #large: Queue | undefined

  constructor(source: Source, limits: RingLimits = ringLimits) {
    this.#source = source
    this.#limits = limits
  }

  get size(): Readonly<{ entries: number; bytes: number }> {
    return { entries: this.#entries, bytes: this.#bytes }
  }

  /** Of a longer body the first bytes are kept. */
  add(client: string, numbers: Numbers, content: Content): void {
    const shared = sharedBytesOf(content)
    const queue = this.#queueFor(client, Chunk.bytesFor(content), shared)
    if (!queue) return
    this.#count += 1
    queue.bytes += shared
    this.#bytes += shared
    const start = queue.last.add(this.#count, numbers, content, shared)
    queue.entries += 1
    this.#entries += 1
    // Before anything is dropped, which may be this entry.
    if (this.#listeners.size > 0) this.#report(this.#entry(client, queue.last, start))
    if (this.#entries > this.#limits.entries) this.#dropEntry(this.#overShare('entries', queue))
  }

  /** The entries of a client, or of all of them, newest first. */
  *newest(client?: string): Generator<Entry> {
    const places = this.#chunks(client)
      .flatMap(([owner, chunk]) => chunk.places().map((place) => ({ ...place, owner, chunk })))
      .toArray()
      .sort((a, b) => b.count - a.count)
    for (const { owner, chunk, start } of places) yield this.#entry(owner, chunk, start)
  }

  /** Entries that may be the one with this count, or that may have this text, in no order. */
  *candidates(text: string, count: number | undefined, client?: string): Generator<Entry> {
    for (const [owner, chunk] of this.#chunks(client)) {
      const isContained = text !== '' && chunk.bytes.includes(text)
      for (const place of chunk.places())
        if (isContained || place.count === count) yield this.#entry(owner, chunk, place.start)
    }
  }

  /** Calls the listener for every new entry until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #report(entry: Entry): void {
    for (const listener of this.#listeners) listener(entry)
  }

  #entry(client: string, chunk: Chunk, start: number): Entry {
    return readRecord(client, chunk.read(start), this.#source)
  }

  *#chunks(client: string | undefined): Generator<readonly [string, Chunk]> {
    for (const [owner, { chunks }] of this.#queues)
      if (client === undefined || owner === client) for (const chunk of chunks) yield [owner, chunk]
  }

  /** The queue of a client, with room for the bytes in its last chunk, and for what the record refers to. Undefined if that is more
   *  than everything may be. */
  #queueFor(client: string, bytes: number, shared: number): Queue | undefined {
    const queue = this.#queues.get(client)
    if (queue?.last.hasRoom(bytes) && this.#bytes + shared <= this.#limits.bytes) return queue
    return this.#makeRoom(client, bytes, shared)
  }

  #makeRoom(client: string, bytes: number, shared: number): Queue | undefined {
    const newBytes = Math.max(bytes, chunkBytes)
    if (newBytes + shared > this.#limits.bytes) return undefined
    for (;;) {
      const queue = this.#queues.get(client)
      const hasRoom = queue?.last.hasRoom(bytes) === true
      const more = shared + (hasRoom ? 0 : newBytes)
      if (this.#bytes + more <= this.#limits.bytes) return hasRoom ? queue : this.#addChunk(client, newBytes)
      this.#dropChunk(this.#overShare('bytes', queue, more))
    }
  }

  #addChunk(client: string, size: number): Queue {
    const last = (size === chunkBytes ? this.#spare.pop() : undefined) ?? new Chunk(size)
    const queue = this.#queues.getOrInsertComputed(client, () => ({ client, chunks: [], last, entries: 0, bytes: 0 }))
    queue.chunks.push(last)
    queue.last = last
    queue.bytes += size
    this.#bytes += size
    this.#trimSpare()
    return queue
  }

  #dropEntry(queue: Queue): void {
    const chunk = queue.chunks[0] as Chunk
    chunk.dropFirst()
    queue.entries -= 1
    this.#entries -= 1
    if (chunk.entries === 0) this.#dropChunk(queue)
  }

  #dropChunk(queue: Queue): void {
    const chunk = queue.chunks.shift() as Chunk
    queue.entries -= chunk.entries
    this.#entries -= chunk.entries
    queue.bytes -= chunk.totalBytes
    this.#bytes -= chunk.totalBytes
    chunk.clear()
    if (chunk.bytes.length === chunkBytes) this.#spare.push(chunk)
    this.#trimSpare()
    if (queue.chunks.length === 0) this.#queues.delete(queue.client)
  }

  #trimSpare(): void {
    const most = Math.floor((this.#limits.bytes - this.#bytes) / chunkBytes)
    if (this.#spare.length > most) this.#spare.length = Math.max(0, most)
  }

  /** The queue of a client with more than its share, when `more` is added for the newest: that one, the one found last, or the
   *  largest. There is one whenever the limit is exceeded, because not all can have less than the mean. */
  #overShare(measure: 'entries' | 'bytes', newest: Queue | undefined, more = 0): Queue {
    const share = this.#limits[measure] / (this.#queues.size + (newest ? 0 : 1))
    if (newest && newest[measure] + more > share) return newest
    // One that was deleted is empty.
    let large = this.#large
    if (large && large[measure] > share) return large
    for (const queue of this.#queues.values()) if (!large || queue[measure] > large[measure]) large = queue
    this.#large = large
    return large as Queue
  }
}
