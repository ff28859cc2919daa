import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { Caller } from '../../core/caller.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import { isAmong } from '../output/caching.ts'
import { encodingFor } from '../output/compression.ts'
import type { Steps } from '../pipeline.ts'
import { AnswerMemory } from './answer-memory.ts'

export const maxAnswerBytes = 32 * 1024 * 1024

/** What responses are made from, at the moment. */
export type Source<Ask> = Readonly<{
  nowMs(): number
  data(): object
  day(now: number): string
  viewOf(caller: Caller, ask: Ask): MaybePromise<{ signature: string }>
}>

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

declare module 'fastify' {
  interface FastifyRequest {
    basis: Basis | null
  }
}

export type RememberedAnswers = Required<Pick<Steps, 'answer' | 'remember'>> &
  Readonly<{
    /** The number of requests that were answered from memory. */
    hits(): number
    bytes(): number
  }>

/** Answers repeated requests with the same bytes, for callers with the same rights, as long as the data and the day are
 *  the same (docs/decisions/0013-remembered-answers.md). */
export function rememberAnswers<Ask>(source: Source<Ask>, maxBytes = maxAnswerBytes): RememberedAnswers {
  const memory = new AnswerMemory<Ask>(maxBytes)
  let hits = 0

  /** Undefined if access rights must be read first. An error is the same that the operation would throw. */
  const viewOf = (caller: Caller, ask: Ask): string | undefined => {
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
      const page = memory.page(keyOf(request))
      const view = page && viewOf(caller, page.ask)
      const response = view === undefined ? undefined : page?.find(view, now)
      if (!response) return undefined
      hits += 1
      const { etag, headers, body } = response
      const known = request.headers['if-none-match']
      if (known === undefined || !isAmong(known, etag)) return { status: 200, headers, body }
      const { 'content-encoding': _, link: __, ...others } = headers
      return { status: 304, headers: others }
    },
    remember(request, reply, payload) {
      const { basis, caller, method } = request
      if (!basis || !caller || method !== 'GET' || reply.statusCode !== 200 || typeof payload === 'string') return
      const { ask, view, from, until } = basis
      const key = keyOf(request)
      if (!memory.admits(key, view, payload)) return
      // While the response was compressed, the data or the day may have changed.
      if (basis.data !== source.data() || basis.day !== source.day(source.nowMs())) return
      memory.startEdition(basis.data, basis.day)
      const headers = sameHeaders(reply)
      const response = { headers, body: payload, etag: headers.etag ?? '', from, until }
      memory.keep(key, ask as Ask, view, caller.ClientKey, response)
    },
  }
}

/** The address as the caller wrote it, because `__next` repeats it, and the encoding that the caller accepts. */
function keyOf({ url, headers }: RestRequest): string {
  const accepted = headers['accept-encoding']
  const encoding = accepted === undefined ? undefined : encodingFor(accepted)
  return encoding ? `${url} ${encoding}` : url
}

/** The headers that do not depend on the request. */
function sameHeaders(reply: RestReply): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of ['content-type', 'cache-control', 'etag', 'vary', 'content-encoding', 'link']) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  return headers
}
