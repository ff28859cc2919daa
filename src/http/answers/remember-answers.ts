import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import { isAmong } from '../output/caching.ts'
import { encodingFor } from '../output/compression.ts'
import type { Steps } from '../pipeline.ts'

export const maxAnswerBytes = 32 * 1024 * 1024
/** The approximate size of an address or a response without its body: objects, headers and entries in maps. */
const entryBytes = 1_024
/** Responses to one address for different rights. */
const maxViews = 100

/** The data, the day and the rights that responses are made from. */
export type Source<Ask> = Readonly<{
  nowMs(): number
  data(): object
  day(now: number): string
  viewOf(caller: Caller, ask: Ask): MaybePromise<{ signature: string }>
}>

/** The inputs of a response. The handler of a response that may be remembered sets it on its request. */
export type Basis = Readonly<{
  data: object
  day: string
  /** The part of the address that chooses the rights, such as an account, and the signature of these rights. */
  ask: unknown
  view: string
  /** The response stays the same from one moment until another, in milliseconds since 1970. */
  from: number
  until: number
}>

declare module 'fastify' {
  interface FastifyRequest {
    basis: Basis | null
  }
}

type Response = Readonly<{
  headers: Readonly<Record<string, string>>
  body: Buffer
  from: number
  until: number
}>

/** An address that was requested, with a response for each signature of rights; undefined if it was made only once. */
type Remembered<Ask> = Readonly<{ ask: Ask; client: string; views: Map<string, Response | undefined> }>

export type RememberedAnswers = Required<Pick<Steps, 'answer' | 'remember'>> &
  Readonly<{
    /** The number of requests that were answered from memory. */
    hits(): number
    bytes(): number
  }>

/** The responses of one edition of the data, in a bounded number of bytes. */
class AnswerMemory<Ask> {
  readonly #maxBytes: number
  readonly #byAddress: LRUCache<string, Remembered<Ask>>
  readonly #bytesByClient = new Map<string, number>()
  #data: object = {}
  #day = ''

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#byAddress = new LRUCache<string, Remembered<Ask>>({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: sizeOf,
      dispose: (remembered) => this.#addBytes(remembered.client, -sizeOf(remembered)),
    })
  }

  get bytes(): number {
    return this.#byAddress.calculatedSize
  }

  /** Forgets everything if the data or the day has changed. */
  startEdition(data: object, day: string): void {
    if (data === this.#data && day === this.#day) return
    this.#data = data
    this.#day = day
    this.#byAddress.clear()
    this.#bytesByClient.clear()
  }

  get(address: string): Remembered<Ask> | undefined {
    return this.#byAddress.get(address)
  }

  /** Keeps a response when it is made for the second time, because most are never requested again. */
  add(address: string, caller: Caller, { ask, view }: Basis, response: Response): void {
    const { ClientKey } = caller
    // So that one client cannot evict the responses of all others.
    const isOverShare = (this.#bytesByClient.get(ClientKey) ?? 0) > this.#maxBytes / 4
    if (isOverShare || response.body.length > this.#maxBytes / 8) return
    const before = this.#byAddress.get(address) ?? { ask: ask as Ask, client: ClientKey, views: new Map() }
    if (before.views.size >= maxViews && !before.views.has(view)) return
    const views = new Map(before.views).set(view, before.views.has(view) ? response : undefined)
    const remembered = { ...before, views }
    this.#byAddress.set(address, remembered)
    // A value that is too large is not kept.
    if (this.#byAddress.peek(address) === remembered) this.#addBytes(before.client, sizeOf(remembered))
  }

  #addBytes(client: string, bytes: number): void {
    this.#bytesByClient.set(client, (this.#bytesByClient.get(client) ?? 0) + bytes)
  }
}

/** Answers repeated requests of callers with the same rights with the same bytes (docs/decisions/0008-request-path.md). */
export function rememberAnswers<Ask>(source: Source<Ask>, maxBytes = maxAnswerBytes): RememberedAnswers {
  const memory = new AnswerMemory<Ask>(maxBytes)
  let hits = 0

  /** Undefined if access rights must be read first. An error is the same that the operation would throw. */
  const signatureOf = (caller: Caller, ask: Ask): string | undefined => {
    const view = source.viewOf(caller, ask)
    if (!(view instanceof Promise)) return view.signature
    view.catch(() => {})
    return undefined
  }

  return {
    hits: () => hits,
    bytes: () => memory.bytes,
    answer(request) {
      const { caller } = request
      if (request.method !== 'GET' || !caller) return undefined
      const now = source.nowMs()
      memory.startEdition(source.data(), source.day(now))
      const remembered = memory.get(keyOf(request))
      const signature = remembered && signatureOf(caller, remembered.ask)
      const response = signature === undefined ? undefined : remembered?.views.get(signature)
      if (!response || now < response.from || now >= response.until) return undefined
      hits += 1
      const { headers, body } = response
      const known = request.headers['if-none-match']
      if (known === undefined || !isAmong(known, headers.etag ?? '')) return { status: 200, headers, body }
      const { 'content-encoding': _, link: __, ...others } = headers
      return { status: 304, headers: others }
    },
    remember(request, reply, body) {
      const { basis, caller, method } = request
      if (!basis || !caller || method !== 'GET' || reply.statusCode !== 200) return
      // While the response was compressed, the data or the day may have changed.
      if (basis.data !== source.data() || basis.day !== source.day(source.nowMs())) return
      memory.startEdition(basis.data, basis.day)
      const { from, until } = basis
      memory.add(keyOf(request), caller, basis, { headers: sameHeaders(reply), body, from, until })
    },
  }
}

function sizeOf({ views }: Remembered<unknown>): number {
  let bytes = entryBytes
  for (const [view, response] of views) bytes += view.length + (response ? response.body.length + entryBytes : 0)
  return bytes
}

/** The address as the caller wrote it, because `__next` repeats it, and the encoding that the caller accepts. */
function keyOf({ url, headers }: FastifyRequest): string {
  const encoding = encodingFor(headers['accept-encoding'])
  return encoding ? `${url} ${encoding}` : url
}

/** The headers that do not depend on the request. */
function sameHeaders(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of ['content-type', 'cache-control', 'etag', 'vary', 'content-encoding', 'link']) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  return headers
}
