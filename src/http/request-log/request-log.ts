import type { TravelClock } from '../../core/clock.ts'
import type { RestRequest } from '../exchange.ts'
import type { Server } from '../typed-server.ts'
import { captureRequests } from './capture.ts'
import type { Entry } from './entry.ts'
import { HeaderTemplates } from './header-templates.ts'
import { KnownRoutes } from './known-routes.ts'
import { countOf, type Source } from './record.ts'
import { RequestRing, type RingLimits } from './ring.ts'

type Options = Readonly<{ clock: TravelClock; nodeName: string; limits?: RingLimits }>

declare module 'fastify' {
  interface FastifyInstance {
    /** Undefined if it is off. */
    requestLog?: RequestLog
  }
}

/** The latest requests of a node (§11.6). */
export class RequestLog {
  readonly ring: RequestRing
  /** Adds a request whose connection was ended instead of a response. */
  readonly addUnanswered: (request: RestRequest, milliseconds: number) => void
  readonly #routes: KnownRoutes

  constructor(server: Server, { clock, nodeName, limits }: Options) {
    const routes = new KnownRoutes(server)
    this.#routes = routes
    const headers = new HeaderTemplates()
    const source: Source = {
      nodeName,
      routeOf: (number) => routes.pathOf(number),
      readHeaders: (template, texts, derive) => headers.read(template, texts, derive),
    }
    this.ring = new RequestRing(source, limits)
    const { addResponse, addUnanswered } = captureRequests({ ring: this.ring, routes, headers, clock })
    this.addUnanswered = addUnanswered
    server.observeResponses(addResponse)
  }

  /** An entry by its id, by the id of its request or by the X-Correlation of its response: the newest of them. Of one client,
   *  or of any. */
  find(id: string, client?: string): Entry | undefined {
    const requestId = (id.includes('#') ? id.split('#')[2] : id) ?? ''
    const count = countOf(id)
    const isWanted = (entry: Entry) => entry.id === id || (requestId !== '' && entry.requestId === requestId)
    return this.ring
      .candidates(requestId, count, client)
      .filter(isWanted)
      .reduce<Entry | undefined>((found, entry) => (found && found.count > entry.count ? found : entry), undefined)
  }

  /** The names of all documented parameters. */
  get parameters(): ReadonlySet<string> {
    return this.#routes.parameters
  }

  /** Path and query without secrets. */
  target({ target, route, isShown }: Entry): string {
    return isShown ? target : this.#routes.show(target, route)
  }
}

/** Starts the log of a server, before its routes are added. */
export function startRequestLog(server: Server, options: Options): RequestLog {
  const log = new RequestLog(server, options)
  server.decorate('requestLog', { getter: () => log })
  return log
}
