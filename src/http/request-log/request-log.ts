import type { FastifyRequest } from 'fastify'
import type { TravelClock } from '../../core/clock.ts'
import type { Server } from '../typed-server.ts'
import { captureRequests } from './capture.ts'
import type { Entry } from './entry.ts'
import { KnownRoutes } from './known-routes.ts'
import { RequestRing, type RingLimits } from './ring.ts'
import type { Shown } from './rules/values.ts'

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
  /** The names that may be shown in bodies of responses. */
  readonly shown: Shown
  /** Adds a request whose connection was ended instead of a response. */
  readonly addUnanswered: (request: FastifyRequest, milliseconds: number) => void

  constructor(server: Server, { clock, nodeName, limits }: Options) {
    const routes = new KnownRoutes(server)
    this.shown = routes
    this.ring = new RequestRing(limits)
    const { addResponse, addUnanswered } = captureRequests({ ring: this.ring, routes, clock, nodeName })
    this.addUnanswered = addUnanswered
    server.observeResponses(addResponse)
  }

  /** An entry by its id, by the id of its request or by the X-Correlation of its response: the newest of them. Of one client,
   *  or of any. */
  find(id: string, client?: string): Entry | undefined {
    const requestId = (id.includes('#') ? id.split('#')[2] : id) ?? ''
    const isWanted = (entry: Entry) => entry.id === id || (requestId !== '' && entry.requestId === requestId)
    return this.ring.newest(client).find(isWanted)
  }
}

/** Starts the log of a server, before its routes are added. */
export function startRequestLog(server: Server, options: Options): RequestLog {
  const log = new RequestLog(server, options)
  server.decorate('requestLog', { getter: () => log })
  return log
}
