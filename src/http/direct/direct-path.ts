import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { limits } from '../limits/buckets.ts'
import type { InFlight } from '../limits/guards.ts'
import { keepCount } from '../limits/rate-limits.ts'
import { completeResponse, type Observer, type Steps } from '../pipeline.ts'
import { DirectReply } from './direct-reply.ts'
import { DirectRequest } from './direct-request.ts'
import { type DirectRoutes, type Match, readParameters } from './direct-routes.ts'

type Next = (raw: IncomingMessage, response: ServerResponse) => void

export type DirectOptions = Readonly<{
  routes: DirectRoutes
  inFlight: InFlight
  nodeName: string
  isDraining(): boolean
  /** The caller's address, behind trusted proxies too. */
  addressOf(raw: IncomingMessage): string
  observe: Observer
  log: FastifyBaseLogger
}>

/** Up to this size a body is written as text together with the headers, which takes one write instead of two. */
const maxTextBytes = 16_384

/**
 * Serves the most frequent requests without the framework: GET of an operation that is in memory, by a caller whose token is
 * known (docs/decisions/0016-direct-path.md). They pass the same steps as all others. Everything that is unusual, such as an
 * error, goes to `next`, the framework, which answers as if it had been asked first.
 */
export function directPath(
  options: DirectOptions,
): (raw: IncomingMessage, response: ServerResponse, next: Next) => void {
  const { routes, inFlight } = options
  return (raw, response, next) => {
    const url = raw.url ?? ''
    const match =
      raw.method === 'GET' && url.length <= limits.urlCharacters && !inFlight.isFull ? routes.find(url) : undefined
    if (!match || hasBody(raw) || !new Exchange(options, match, raw, response, next).begin()) next(raw, response)
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

class Exchange {
  readonly #options: DirectOptions
  readonly #match: Match
  readonly #raw: IncomingMessage
  readonly #response: ServerResponse
  readonly #next: Next
  readonly #request: DirectRequest
  readonly #reply: DirectReply

  constructor(options: DirectOptions, match: Match, raw: IncomingMessage, response: ServerResponse, next: Next) {
    this.#options = options
    this.#match = match
    this.#raw = raw
    this.#response = response
    this.#next = next
    this.#request = new DirectRequest(raw, match.route, options.addressOf)
    this.#reply = new DirectReply(performance.now())
  }

  /** Returns false if the usual path must serve the request, which nothing has happened to yet. */
  begin(): boolean {
    const [request, reply] = [this.#request, this.#reply]
    const { steps = {} } = this.#match.route.scope
    if (!steps.admitKnown?.(request)) return false
    const answer = attempt(() => steps.answer?.(request))
    if (!answer && !readParameters(request, this.#match)) return false
    const counted = steps.count?.(request)
    if (counted?.problem) return false
    if (counted) reply.headers(counted.headers)
    if (answer) {
      this.#finish(reply.code(answer.status).headers(answer.headers).send(answer.body), true)
      return true
    }
    const made = attempt(() => this.#match.route.handle(request, reply))
    if (made === undefined || made instanceof Promise) this.#leave(made, counted)
    else this.#finish(made === reply ? reply : reply.send(made as Buffer), false)
    return true
  }

  /** Lets the usual path answer a request that is counted already. */
  #leave(made: Promise<unknown> | undefined, counted: Counted): void {
    // It is asked again there.
    made?.catch(() => {})
    if (counted) keepCount(this.#raw, counted)
    this.#next(this.#raw, this.#response)
  }

  #finish({ payload }: DirectReply, isRemembered: boolean): void {
    const { scope } = this.#match.route
    const { nodeName, isDraining, inFlight } = this.#options
    inFlight.enter(this.#response)
    completeResponse(this.#request, this.#reply, payload, {
      scope,
      nodeName,
      isDraining: isDraining(),
      isRemembered,
      done: (error, sent) => (error ? this.#fail(error) : this.#write(sent as Buffer | undefined)),
      fail: (error) => this.#fail(error),
    })
  }

  #fail(error: unknown): void {
    this.#options.log.error({ err: error, reqId: this.#request.id }, 'response could not be sent')
    this.#response.destroy()
  }

  #write(payload: Buffer | undefined): void {
    const [response, reply] = [this.#response, this.#reply]
    reply.payload = payload
    response.on('finish', () => this.#options.observe(this.#request, reply))
    if (payload === undefined) {
      response.writeHead(reply.statusCode, reply.pairs).end()
      return
    }
    response.writeHead(reply.statusCode, [...reply.pairs, 'content-length', String(payload.length)])
    if (payload.length <= maxTextBytes) response.end(payload.toString('latin1'), 'latin1')
    else response.end(payload)
  }
}

type Counted = ReturnType<NonNullable<Steps['count']>> | undefined

/** An error is for the usual path, which has the same and sends it. */
function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
