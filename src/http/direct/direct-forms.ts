import type { IncomingMessage, ServerResponse } from 'node:http'
import { Cohorts } from './cohorts.ts'
import { DirectReply } from './direct-reply.ts'
import { DirectRequest } from './direct-request.ts'
import { type DirectOptions, type Exchange, finish, type Next, type ReadyResponse, write } from './direct-response.ts'
import type { FormRoute } from './direct-routes.ts'

const maxBytes = 4_096
const formType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

/** A form that the direct path may serve, and when it arrived. */
type PendingForm = Readonly<{
  route: FormRoute
  raw: IncomingMessage
  response: ServerResponse
  next: Next
  start: number
}>

type Answered = Exchange & Readonly<{ text: string }>

const failures = new WeakMap<IncomingMessage, Error>()

/** Throws the error that a request has met on the direct path, so that the usual one sends it. */
export function rethrowDirectError(raw: IncomingMessage): void {
  const error = failures.get(raw)
  if (error) throw error
}

/**
 * Serves small forms without the framework: those that arrive together are read together, and responses that are ready at the same
 * time are written together (docs/decisions/0022-cohorts.md). The body stays in the request until the response is there, so
 * everything unusual can go to `next`, the framework, at any time.
 */
export class DirectForms {
  readonly #options: DirectOptions
  readonly #pending = new Cohorts<PendingForm, never>(
    (pending) => this.#begin(pending),
    () => {},
  )
  readonly #answered = new Cohorts<Answered, ReadyResponse>(
    (answered) => this.#finish(answered),
    (ready) => {
      write(this.#options, ready)
      // Otherwise the framework reads the body.
      if (ready.response.headersSent) ready.request.raw.read()
    },
  )

  constructor(options: DirectOptions) {
    this.#options = options
  }

  receive(raw: IncomingMessage, response: ServerResponse, next: Next): void {
    const route = mayBeDirect(raw) ? this.#options.routes.findForm(raw.url as string) : undefined
    if (route) this.#pending.add({ route, raw, response, next, start: performance.now() })
    else next(raw, response)
  }

  #begin(pending: PendingForm): undefined {
    const { raw, response, next } = pending
    // Its client has left, and nothing was changed.
    if (raw.destroyed) return
    try {
      if (this.#answer(pending)) return
    } catch (error) {
      // A bug. The framework may succeed, or answers with 500.
      this.#options.log.error({ err: error }, 'unexpected error')
    }
    next(raw, response)
  }

  /** Returns whether a response is being made. */
  #answer({ route, raw, response, next, start }: PendingForm): boolean {
    const { inFlight, addressOf, observations } = this.#options
    const body = inFlight.isFullFor(raw) ? undefined : peekBody(raw)
    if (body === undefined) return false
    const request = new DirectRequest(raw, route, addressOf)
    const reply = new DirectReply(start)
    const answering = route.answer(request, reply, body)
    if (!answering) return false
    inFlight.enter(raw, response)
    answering.then(
      (text) => {
        if (text === undefined) next(raw, response)
        // Its client has left.
        else if (response.closed) {
          reply.isCut = true
          observations.addLater(request, reply)
        } else this.#answered.add({ request, reply, response, scope: route.scope, next, text })
      },
      (error: Error) => {
        failures.set(raw, error)
        next(raw, response)
      },
    )
    return true
  }

  #finish(answered: Answered): ReadyResponse | undefined {
    const { request, response, next } = answered
    try {
      const ready = finish(this.#options, answered, answered.text, false)
      if (ready !== 'later') return ready
      request.raw.read()
      return undefined
    } catch (error) {
      // A bug, as above.
      this.#options.log.error({ err: error }, 'unexpected error')
      next(request.raw, response)
      return undefined
    }
  }
}

/** By its head. A method override, or a page of another origin, is for the framework. */
function mayBeDirect({ headers, url }: IncomingMessage): boolean {
  const { host, origin, 'content-type': type, 'content-length': length } = headers
  if (host === undefined || origin !== undefined || url === undefined) return false
  if (headers['x-http-method-override'] !== undefined || headers['transfer-encoding'] !== undefined) return false
  return type !== undefined && formType.test(type) && length !== undefined && Number(length) <= maxBytes
}

/** The whole body, if it has arrived. It also stays in the request. */
function peekBody(raw: IncomingMessage): string | undefined {
  if (!raw.complete || raw.readableLength !== Number(raw.headers['content-length'])) return undefined
  const bytes: Buffer | null = raw.read(raw.readableLength)
  if (bytes === null) return undefined
  raw.unshift(bytes)
  return bytes.toString()
}
