import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../core/caller.ts'
import { isAmong } from '../output/caching.ts'
import { encodingFor } from '../output/compression.ts'
import type { Answer, Steps } from '../pipeline.ts'
import { AnswerMemory } from './answer-memory.ts'

const maxMemoryBytes = 32 * 1024 * 1024

/** What a response was made from. The handler of a response that may be remembered sets it on its request. */
export type Basis = Readonly<{
  data: object
  day: string
  /** What the address says about the access view, and the signature of that view. */
  ask: unknown
  view: string
  /** The response stays the same from one moment until another, in milliseconds since 1970. */
  from: number
  until: number
}>

/** What the responses are made from now. */
export type Source<Ask> = Readonly<{
  nowMs(): number
  data(): object
  day(now: number): string
  /** The signature of everything that decides what the caller sees; undefined if it is not known immediately. */
  viewOf(caller: Caller, ask: Ask): string | undefined
}>

declare module 'fastify' {
  interface FastifyRequest {
    basis: Basis | null
  }
}

/** The headers of a response that are the same for every request. */
const sameHeaders = ['content-type', 'cache-control', 'etag', 'vary', 'content-encoding'] as const

/** Answers repeated requests with the same bytes, for callers with the same rights, as long as the data and the day are
 *  the same (docs/decisions/0013-remembered-answers.md). */
export class RememberedAnswers<Ask> implements Pick<Steps, 'answer' | 'remember'> {
  readonly #source: Source<Ask>
  readonly #memory: AnswerMemory<Ask>
  /** How many requests were answered from memory. */
  hits = 0

  constructor(source: Source<Ask>, maxBytes = maxMemoryBytes) {
    this.#source = source
    this.#memory = new AnswerMemory(maxBytes)
  }

  get bytes(): number {
    return this.#memory.bytes
  }

  answer(request: FastifyRequest): Answer | undefined {
    const { caller } = request
    if (request.method !== 'GET' || !caller) return undefined
    const now = this.#source.nowMs()
    this.#memory.startEdition(this.#source.data(), this.#source.day(now))
    const page = this.#memory.page(keyOf(request))
    const view = page && this.#source.viewOf(caller, page.ask)
    const response = view === undefined ? undefined : page?.find(view, now)
    if (!response) return undefined
    this.hits += 1
    const { etag, headers, body } = response
    const known = request.headers['if-none-match']
    if (known === undefined || !isAmong(known, etag)) return { status: 200, headers, body }
    const { 'content-encoding': _, ...others } = headers
    return { status: 304, headers: others }
  }

  remember(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): void {
    const { basis, caller, method } = request
    if (!basis || !caller || method !== 'GET' || reply.statusCode !== 200 || typeof payload === 'string') return
    const { nowMs, data, day } = this.#source
    // While it was compressed, the data or the day may have changed.
    if (basis.data !== data() || basis.day !== day(nowMs())) return
    const { ask, view, from, until } = basis
    const key = keyOf(request)
    if (!this.#memory.admits(key, view, payload)) return
    this.#memory.startEdition(basis.data, basis.day)
    const headers: Record<string, string> = {}
    for (const name of sameHeaders) {
      const value = reply.getHeader(name)
      if (value !== undefined) headers[name] = String(value)
    }
    const response = { headers, body: payload, etag: headers.etag ?? '', from, until }
    this.#memory.keep(key, ask as Ask, view, caller.ClientKey, response)
  }
}

/** The address as the caller wrote it, because `__next` repeats that, and the encoding that the caller accepts. */
function keyOf({ url, headers }: FastifyRequest): string {
  const accepted = headers['accept-encoding']
  const encoding = accepted === undefined ? undefined : encodingFor(accepted)
  return encoding ? `${url} ${encoding}` : url
}
