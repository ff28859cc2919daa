import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Observer } from '../pipeline.ts'
import { factsOf } from '../request-log/facts.ts'
import type { KnownRoutes } from '../request-log/known-routes.ts'

/** The names of apps and users that are known without asking the database. */
export type Names = Readonly<{
  ofApp(appKey: string): string | undefined
  ofUser(clientKey: string, userKey: string): string | undefined
}>

/** The additional sources of a line that a person reads. */
export type ForReader = Readonly<{
  routes: Pick<KnownRoutes, 'show' | 'showReason'>
  names: Names | undefined
}>

/** Writes a line per response. A line for a reader also has the path and the query, who the user is and why a request failed. */
export function accessLog(log: Logger, forReader?: ForReader): Observer {
  if (!log.isLevelEnabled('info')) return () => undefined
  return (request, reply, milliseconds) => {
    const { id: reqId, method, caller, ip: address } = request
    // Never the address itself: an unknown path may be a secret that was pasted in the wrong place.
    const route = request.is404 ? undefined : request.routeOptions.url
    const status = reply.statusCode
    const ms = Math.round(milliseconds * 10) / 10
    const line = { reqId, method, route, status, ms, session: caller?.sessionId, app: caller?.appKey, address }
    const cut = reply.isCut ? { cut: true } : undefined
    log.info({ ...line, ...cut, ...(forReader && details(request, reply, route, forReader)) }, 'answered')
  }
}

/** The app of a request without a token, such as `/token`, is the one that it names. */
function details(
  { caller, raw, url }: FastifyRequest,
  reply: FastifyReply,
  route: string | undefined,
  { routes, names }: ForReader,
): object {
  const facts = factsOf(raw)
  const app = caller?.appKey ?? facts?.app
  return {
    path: routes.show(url, route, app),
    app,
    appName: app === undefined ? undefined : names?.ofApp(app),
    user: caller?.UserKey ?? facts?.user,
    userName: caller ? names?.ofUser(caller.ClientKey, caller.UserKey) : undefined,
    fault: reply.getHeader('x-refdesk-fault')?.toString(),
    reason: facts?.reason && routes.showReason(facts.reason),
  }
}
