import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../core/problem.ts'
import { limits } from '../limits/buckets.ts'
import { keepCount } from '../limits/rate-limits.ts'
import type { ServeWire } from '../wire/wire-connection.ts'
import { Cohorts } from './cohorts.ts'
import { DirectForms } from './direct-forms.ts'
import { DirectReply } from './direct-reply.ts'
import { DirectRequest } from './direct-request.ts'
import { type DirectOptions, type Exchange, finish, type Next, type ReadyResponse, write } from './direct-response.ts'
import { type Match, readParameters } from './direct-routes.ts'

/** A request that the direct path may serve, and when it arrived. */
type PendingRequest = Readonly<{
  match: Match
  raw: IncomingMessage
  response: ServerResponse
  next: Next
  start: number
}>

/**
 * Serves the most frequent requests without the framework (docs/decisions/0016-direct-path.md): GET of an operation that is in
 * memory, by a caller whose token is known, and small forms (direct-forms.ts). They pass the same steps as all others. Everything
 * unusual, such as an error, goes to `next`, the framework, which answers as if the direct path did not exist.
 */
export class DirectPath {
  readonly #options: DirectOptions
  readonly #cohorts = new Cohorts<PendingRequest, ReadyResponse>(
    // A request whose client has left has no one to answer.
    (pending) => (pending.raw.destroyed ? undefined : this.#prepare(pending)),
    (ready) => write(this.#options, ready),
  )
  readonly #forms: DirectForms

  constructor(options: DirectOptions) {
    this.#options = options
    this.#forms = new DirectForms(options)
  }

  /** Serves a request together with others that arrive at the same time. */
  receive(raw: IncomingMessage, response: ServerResponse, next: Next): void {
    const isForm = raw.method === 'POST'
    const match = isForm ? undefined : matchOf(this.#options, raw)
    if (isForm) this.#forms.receive(raw, response, next)
    else if (match) this.#cohorts.add({ match, raw, response, next, start: performance.now() })
    else next(raw, response)
  }

  /** The same for a request that was read from the wire. Returns false if it is not one for the direct path. */
  readonly receiveFromWire: ServeWire = (request, response, giveBack) => {
    const raw = request.asIncoming
    const match = this.#options.isDraining() ? undefined : matchOf(this.#options, raw)
    if (!match) return false
    this.#cohorts.add({ match, raw, response: response.asOutgoing, next: giveBack, start: performance.now() })
    return true
  }

  /** Serves a request at once. */
  readonly serve = (raw: IncomingMessage, response: ServerResponse, next: Next): void => {
    const match = matchOf(this.#options, raw)
    const ready = match && this.#prepare({ match, raw, response, next, start: performance.now() })
    if (ready) write(this.#options, ready)
    else if (!match) next(raw, response)
  }

  /** Returns undefined if the response is written later or by the framework. */
  #prepare(pending: PendingRequest): ReadyResponse | undefined {
    const { raw, response, next } = pending
    try {
      const ready = serve(this.#options, pending)
      if (ready) return ready === 'later' ? undefined : ready
    } catch (error) {
      // A bug. The framework may succeed, or answers with 500.
      this.#options.log.error({ err: error }, 'unexpected error')
    }
    next(raw, response)
    return undefined
  }
}

function matchOf({ routes }: DirectOptions, raw: IncomingMessage): Match | undefined {
  const { method, url = '', headers } = raw
  if (method !== 'GET' || url.length > limits.urlCharacters) return undefined
  if (headers.host === undefined) return undefined
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasBody ? undefined : routes.find(url)
}

/** Undefined if the framework must serve the request. */
type Outcome = ReadyResponse | 'later' | undefined

function serve(options: DirectOptions, { match, raw, response, next, start }: PendingRequest): Outcome {
  if (options.inFlight.isFullFor(raw)) return undefined
  const { route } = match
  const { steps = {} } = route.scope
  const request = new DirectRequest(raw, route, options.addressOf)
  const reply = new DirectReply(start)
  if (!steps.admitKnown?.(request)) return undefined
  const counted = steps.count?.(request)
  let outcome: Outcome
  try {
    if (!counted?.problem)
      outcome = answer(options, match, { request, reply, response, scope: route.scope, next, counted })
  } finally {
    // The framework does not count it again, not even after a bug.
    if (counted && !outcome) keepCount(raw, counted)
  }
  return outcome
}

/** Takes a remembered response, or makes one. */
function answer(options: DirectOptions, match: Match, exchange: Exchange): Outcome {
  const { request, reply, scope, counted } = exchange
  const { route } = match
  if (counted) reply.headers(counted.headers)
  const remembered = attempt(options, () => scope.steps?.answer?.(request))
  if (remembered) {
    reply.code(remembered.status).headers(remembered.headers)
    reply.sharesPayload = true
    return finish(options, exchange, remembered.body, true)
  }
  const payload = readParameters(request, match) ? attempt(options, () => route.handle(request, reply)) : undefined
  if (payload === undefined || payload instanceof Promise) {
    // The framework makes it again.
    payload?.catch(() => {})
    return undefined
  }
  return finish(options, exchange, payload === reply ? undefined : (payload as Buffer), false)
}

/** The framework makes the same error and sends it. */
function attempt<Result>({ log }: DirectOptions, make: () => Result): Result | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof Problem)) log.debug({ err: error }, 'error on the direct path')
    return undefined
  }
}
