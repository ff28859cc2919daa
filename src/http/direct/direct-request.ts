import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller } from '../../core/caller.ts'
import type { Basis } from '../answers/remember-answers.ts'
import type { RestRequest } from '../exchange.ts'
import { requestIdOf } from '../output/correlation.ts'

/** A request whose route is known. */
export class DirectRequest implements RestRequest {
  readonly method: string
  readonly is404 = false
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly url: string
  readonly id: string
  readonly routeOptions: RestRequest['routeOptions']
  caller: Caller | null = null
  basis: Basis | null = null
  params: unknown = undefined
  query: unknown = undefined
  readonly #addressOf: (raw: IncomingMessage) => string | undefined

  constructor(
    raw: IncomingMessage,
    route: RestRequest['routeOptions'],
    addressOf: (raw: IncomingMessage) => string | undefined,
  ) {
    this.raw = raw
    this.method = raw.method as string
    this.headers = raw.headers
    this.url = raw.url as string
    this.id = requestIdOf(raw)
    this.routeOptions = route
    this.#addressOf = addressOf
  }

  get socket(): Socket {
    return this.raw.socket
  }

  get ip(): string {
    return this.#addressOf(this.raw) as string
  }
}
