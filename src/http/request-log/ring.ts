import { Chunk, type KeptRecord } from './chunk.ts'
import { type Entry, maxBodyBytes } from './entry.ts'
import { type Numbers, readRecord, recordText, type Texts } from './record.ts'

export type RingLimits = Readonly<{ entries: number; bytes: number }>

/** The last 5,000 requests of a node, in at most 32 MB. */
export const ringLimits: RingLimits = { entries: 5_000, bytes: 32 * 1024 * 1024 }

/** Of one client. A longer record has a chunk of its own. */
const chunkBytes = 32 * 1024

type Queue = { readonly chunks: Chunk[]; last: Chunk; entries: number; bytes: number }
type Listener = (entry: Entry) => void
/** Whose requests these are, and the path of a route by its number. */
type Source = Readonly<{
  nodeName: string
  routeOf(number: number): string | undefined
  readHeaders(text: string): string[]
}>

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
  /** Memory of dropped chunks, to be used again. */
  #spare: Buffer | undefined
  #count = 0
  #entries = 0
  #bytes = 0
  /** A client that had more than its share. */
  #large = ''

  constructor(source: Source, limits: RingLimits = ringLimits) {
    this.#source = source
    this.#limits = limits
  }

  get size(): Readonly<{ entries: number; bytes: number }> {
    return { entries: this.#entries, bytes: this.#bytes }
  }

  /** Of a longer body the first bytes are kept. It is bytes, or text with a character per byte. */
  add(client: string, numbers: Numbers, texts: Texts, body: Buffer | string | undefined): void {
    const text = recordText(texts)
    const bodyBytes = body === undefined ? 0 : Math.min(body.length, maxBodyBytes)
    const bytes = Chunk.bytesFor(text, bodyBytes)
    const queue = this.#queueFor(client, bytes)
    if (!queue) return
    this.#count += 1
    queue.last.add(this.#count, numbers, text, body, bodyBytes)
    queue.entries += 1
    this.#entries += 1
    if (this.#entries > this.#limits.entries) this.#dropEntry(this.#overShare('entries', client))
    if (this.#listeners.size > 0) this.#report(client, queue.last)
  }

  /** The entries of a client, or of all of them, newest first. */
  *newest(client?: string): Generator<Entry> {
    const places = this.#chunks(client)
      .flatMap(([owner, chunk]) => chunk.places().map((place) => ({ ...place, owner, chunk })))
      .toArray()
      .sort((a, b) => b.count - a.count)
    for (const { owner, chunk, start } of places) yield this.#entry(owner, chunk.read(start))
  }

  /** Entries that may be the one with this count, or that may have this text, in no order. */
  *candidates(text: string, count: number | undefined, client?: string): Generator<Entry> {
    for (const [owner, chunk] of this.#chunks(client)) {
      const isContained = text !== '' && chunk.bytes.includes(text)
      for (const place of chunk.places())
        if (isContained || place.count === count) yield this.#entry(owner, chunk.read(place.start))
    }
  }

  /** Calls the listener for every new entry until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #report(client: string, chunk: Chunk): void {
    const place = chunk.places().reduce((_, each) => each)
    const entry = this.#entry(client, chunk.read(place.start))
    for (const listener of this.#listeners) listener(entry)
  }

  #entry(client: string, { count, numbers, text, body }: KeptRecord): Entry {
    const { nodeName, routeOf, readHeaders } = this.#source
    return readRecord(text, { numbers, route: routeOf(numbers.route), count, client, nodeName, body, readHeaders })
  }

  *#chunks(client: string | undefined): Generator<readonly [string, Chunk]> {
    for (const [owner, { chunks }] of this.#queues)
      if (client === undefined || owner === client) for (const chunk of chunks) yield [owner, chunk]
  }

  /** The queue of a client, with room in its last chunk. Undefined if the record is larger than everything may be. */
  #queueFor(client: string, bytes: number): Queue | undefined {
    const known = this.#queues.get(client)
    if (known?.last.hasRoom(bytes)) return known
    const size = Math.max(bytes, chunkBytes)
    if (size > this.#limits.bytes) return undefined
    while (this.#bytes + size > this.#limits.bytes) this.#dropChunk(this.#overShare('bytes', client, size))
    const reused = size === chunkBytes ? this.#spare : undefined
    if (reused) this.#spare = undefined
    const last = new Chunk(reused ?? Buffer.allocUnsafeSlow(size))
    const queue = this.#queues.getOrInsertComputed(client, () => ({ chunks: [], last, entries: 0, bytes: 0 }))
    queue.chunks.push(last)
    queue.last = last
    queue.bytes += size
    this.#bytes += size
    return queue
  }

  #dropEntry(client: string): void {
    const queue = this.#queues.get(client) as Queue
    const chunk = queue.chunks[0] as Chunk
    chunk.dropFirst()
    queue.entries -= 1
    this.#entries -= 1
    if (chunk.entries === 0) this.#dropChunk(client)
  }

  #dropChunk(client: string): void {
    const queue = this.#queues.get(client) as Queue
    const chunk = queue.chunks.shift() as Chunk
    queue.entries -= chunk.entries
    this.#entries -= chunk.entries
    queue.bytes -= chunk.bytes.length
    this.#bytes -= chunk.bytes.length
    if (chunk.bytes.length === chunkBytes) this.#spare = chunk.bytes
    if (queue.chunks.length === 0) this.#queues.delete(client)
  }

  /** A client with more than its share, when `more` is added for the newest: that one, the one found last, or any other. There is
   *  one whenever the limit is exceeded, because not all can have less than the mean. */
  #overShare(measure: 'entries' | 'bytes', newest: string, more = 0): string {
    const clients = this.#queues.size + (this.#queues.has(newest) ? 0 : 1)
    const share = this.#limits[measure] / clients
    const isOver = (client: string) => {
      const queue = this.#queues.get(client)
      return queue !== undefined && queue[measure] + (client === newest ? more : 0) > share
    }
    if (isOver(newest)) return newest
    if (isOver(this.#large)) return this.#large
    for (const [client, queue] of this.#queues)
      if (isOver(client) || queue[measure] > (this.#queues.get(this.#large)?.[measure] ?? 0)) this.#large = client
    return this.#large
  }
}
