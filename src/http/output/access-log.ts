import { type DestinationStream, type Logger, symbols } from 'pino'
import type { RestReply, RestRequest } from '../exchange.ts'
import { factsOf, type Reason } from '../request-log/facts.ts'
import type { Observer } from './observations.ts'

const infoLevel = 30

/** What pino writes a line with. */
type Internals = {
  [symbols.streamSym]: DestinationStream
  [symbols.lsCacheSym]: Record<number, string>
  [symbols.chindingsSym]: string
  [symbols.timeSym](): string
}

/** Text that JSON has unchanged. */
const plain = /^[\w .:/*-]*$/
const quote = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))
const member = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `,"${name}":${quote(text)}`

/** The names of apps and users that are known without asking the database. */
export type Names = Readonly<{
  ofApp(appKey: string): string | undefined
  ofUser(clientKey: string, userKey: string): string | undefined
}>

/** What lines for a reader need. */
export type ForReader = Readonly<{
  /** Returns path and query of a request without secrets. */
  showTarget(target: string, route: string | undefined, app: string | undefined): string
  showReason(reason: Reason): string
  names: Names | undefined
}>

/** Tenths of milliseconds as text. Making the text of a decimal costs more than any other part of a line. */
const tenths = Array.from({ length: 1_000 }, (_, tenth) => String(tenth / 10))

function roundedText(milliseconds: number): string {
  const tenth = Math.round(milliseconds * 10)
  return tenths[tenth] ?? String(tenth / 10)
}

type FromCaller = Pick<RestRequest, 'caller' | 'ip'>

const callerMembers = ({ caller, ip }: FromCaller): string =>
  `${member('session', caller?.sessionId)}${member('app', caller?.appKey)}${member('address', ip)}`

/** Caches the text of each caller, because most callers send from one address. */
function cachedCallerMembers(): (request: FromCaller) => string {
  const known = new WeakMap<object, Readonly<{ ip: string; text: string }>>()
  return (request) => {
    const { caller, ip } = request
    if (!caller) return callerMembers(request)
    const before = known.get(caller)
    if (before && before.ip === ip) return before.text
    const text = callerMembers(request)
    known.set(caller, { ip, text })
    return text
  }
}

/** The method, the route and the status, up to the name of the next member. Caches the last text, because consecutive responses
 *  are often alike. */
function cachedRouteMembers(): (method: string, route: string | undefined, status: number) => string {
  let last: Readonly<{ method: string; route: string | undefined; status: number; text: string }> | undefined
  return (method, route, status) => {
    if (last && last.route === route && last.status === status && last.method === method) return last.text
    const text = `${member('method', method)}${member('route', route)},"status":${status},"ms":`
    last = { method, route, status, text }
    return text
  }
}

/** Writes a line per response: the same line as `log.info` would, but made as text, which costs a fraction. A line for a reader
 *  also has the path and the query, who the user is and why a request failed. */
export function accessLog(log: Logger, forReader?: ForReader): Observer {
  if (!log.isLevelEnabled('info')) return () => undefined
  const pino = log as unknown as Internals
  const level = pino[symbols.lsCacheSym][infoLevel]
  const [stream, bindings] = [pino[symbols.streamSym], pino[symbols.chindingsSym]]
  const [routeMembers, membersOfCaller] = [cachedRouteMembers(), cachedCallerMembers()]
  let start = ''
  return (request, reply, milliseconds, isFirst = true) => {
    if (isFirst) start = `${level}${pino[symbols.timeSym]()}${bindings},"reqId":`
    // Never the address itself: an unknown path may be a secret that was pasted in the wrong place.
    const route = request.is404 ? undefined : request.routeOptions.url
    stream.write(
      `${start}${quote(request.id)}${routeMembers(request.method, route, reply.statusCode)}${roundedText(milliseconds)}` +
        `${membersOfCaller(request)}${reply.isCut ? ',"cut":true' : ''}` +
        `${forReader ? details(request, reply, route, forReader) : ''},"msg":"answered"}\n`,
    )
  }
}

/** The app of a request without a token, such as `/token`, is the one that it names. */
function details(
  { caller, raw, url }: RestRequest,
  reply: RestReply,
  route: string | undefined,
  { showTarget, showReason, names }: ForReader,
): string {
  const facts = factsOf(raw)
  const app = caller?.appKey ?? facts?.app
  const fault = reply.getHeader('x-refdesk-fault')?.toString()
  const reason = facts?.reason && showReason(facts.reason)
  const appName = app === undefined ? undefined : names?.ofApp(app)
  const userName = caller ? names?.ofUser(caller.ClientKey, caller.UserKey) : undefined
  return (
    `${member('path', showTarget(url, route, app))}${member('app', caller ? undefined : app)}${member('appName', appName)}` +
    `${member('user', caller?.UserKey ?? facts?.user)}${member('userName', userName)}${member('fault', fault)}` +
    `${member('reason', reason)}`
  )
}
