import { type DestinationStream, type Logger, symbols } from 'pino'
import type { RestReply, RestRequest } from '../exchange.ts'
import { factsOf } from '../request-log/facts.ts'
import { hideTokens } from '../request-log/rules/secrets.ts'
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

/** The same for a member that often has the value it had in the line before. */
function repeatedMember(name: string): (text: string | undefined) => string {
  let [last, written]: [string | undefined, string] = [undefined, '']
  return (text) => {
    if (text === last) return written
    written = member(name, text)
    last = text
    return written
  }
}

/** The names of apps and users that are known without asking the database. */
export type Names = Readonly<{
  ofApp(appKey: string): string | undefined
  ofUser(clientKey: string, userKey: string): string | undefined
}>

/** What lines for a reader need. */
export type ForReader = Readonly<{
  /** Returns path and query of a request without secrets. */
  showTarget(target: string, route: string | undefined): string
  names: Names | undefined
}>

/** Writes a line per response: the same line as `log.info` would, but made as text, which costs a quarter. A line for a reader,
 *  also has the path and the query, who the user is and why a request failed. */
export function accessLog(log: Logger, forReader?: ForReader): Observer {
  if (!log.isLevelEnabled('info')) return () => undefined
  const pino = log as unknown as Internals
  const level = pino[symbols.lsCacheSym][infoLevel]
  const [stream, bindings] = [pino[symbols.streamSym], pino[symbols.chindingsSym]]
  const [method, routeOf, session] = [repeatedMember('method'), repeatedMember('route'), repeatedMember('session')]
  const [app, address] = [repeatedMember('app'), repeatedMember('address')]
  return (request, reply, milliseconds) => {
    const { caller } = request
    // Never the address itself: an unknown path may be a secret that was pasted in the wrong place.
    const route = request.is404 ? undefined : request.routeOptions.url
    stream.write(
      `${level}${pino[symbols.timeSym]()}${bindings},"reqId":${quote(request.id)}${method(request.method)}` +
        `${routeOf(route)},"status":${reply.statusCode},"ms":${Math.round(milliseconds * 10) / 10}` +
        `${session(caller?.sessionId)}${app(caller?.appKey)}${address(request.ip)}${reply.isCut ? ',"cut":true' : ''}` +
        `${forReader ? details(request, reply, route, forReader) : ''},"msg":"answered"}\n`,
    )
  }
}

/** The app of a request without a token, such as `/token`, is the one that it names. */
function details(
  { caller, raw, url }: RestRequest,
  reply: RestReply,
  route: string | undefined,
  { showTarget, names }: ForReader,
): string {
  const facts = factsOf(raw)
  const app = caller?.appKey ?? facts?.app
  const fault = reply.getHeader('x-refdesk-fault')?.toString()
  const reason = facts?.reason && hideTokens(facts.reason.message)
  const appName = app === undefined ? undefined : names?.ofApp(app)
  const userName = caller ? names?.ofUser(caller.ClientKey, caller.UserKey) : undefined
  return (
    `${member('path', showTarget(url, route))}${member('app', caller ? undefined : app)}${member('appName', appName)}` +
    `${member('user', caller?.UserKey ?? facts?.user)}${member('userName', userName)}${member('fault', fault)}` +
    `${member('reason', reason)}`
  )
}
