import type { FastifyRequest } from 'fastify'
import { Problem, unknownAddress } from '../core/problem.ts'
import { closestName } from '../core/text.ts'
import { matchPath } from './explain/rules/target.ts'
import type { Server } from './typed-server.ts'

/** Browsers send a preflight before calls from another origin (Fetch standard, CORS protocol). */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers

/** Paths match in any case (§2.1), but the router finds the scope of an unknown path by its exact letters. */
export function withBasePath(url: string, basePath: string): string {
  if (url.startsWith(basePath)) return url
  return url.slice(0, basePath.length).toLowerCase() === basePath ? basePath + url.slice(basePath.length) : url
}

/** Longer paths get no suggestion, which bounds the time. */
const maxSuggestedFor = 300

/** The path with the spelling of a route, if every word of it is at most a few typos away. */
function corrected(given: readonly string[], words: readonly string[]): string | undefined {
  if (given.length !== words.length) return undefined
  const spelled = words.map((word, at) => (word.startsWith(':') ? given[at] : closestName([word], given[at] ?? '')))
  return spelled.every((word, at) => word || at === 0) ? spelled.join('/') : undefined
}

/** Distinguishes an unknown path (404) from an unsupported method (405 with Allow), before the body is read. The router has one
 *  tree per method and cannot tell. */
export function rejectUnknownPaths(server: Server, basePath: string): void {
  const known = new Map<string, Set<string>>()
  const documented: string[][] = []
  server.addHook('onRoute', ({ url, method, schema }) => {
    if (!known.has(url) && url.startsWith(`${basePath}/`) && !schema?.hide) documented.push(url.split('/'))
    const methods = known.getOrInsertComputed(url, () => new Set())
    for (const one of [method].flat()) methods.add(one)
  })
  server.decorate('allowedMethods', (path: string) => {
    const matches = [...known].filter(([url]) => matchPath(url, path))
    return [...new Set(matches.flatMap(([, methods]) => [...methods]))].sort()
  })
  server.decorate('suggestedPath', (path: string) => {
    const wanted = basePath + path.replace(/^(\/sim)?(\/openapi)?(?=\/)/i, '').replace(/\/$/, '')
    if (server.allowedMethods(wanted).length > 0) return wanted
    if (wanted.length > maxSuggestedFor) return undefined
    const given = wanted.split('/')
    const similar = documented.flatMap((words) => corrected(given, words) ?? [])
    return closestName(similar, wanted) ?? similar[0]
  })
  server.setNotFoundHandler(rejectUnknownPath)
}

/** Rejects an unknown path. One that is not offered waits for the check of the token, if its scope has one. */
export function requireKnownPath(request: FastifyRequest): void {
  if (request.is404 && !waitsForToken(request)) throw problemOf(request)
}

const waitsForToken = ({ server, url }: FastifyRequest): boolean =>
  server.steps !== undefined && notOfferedProblem(pathOf(url)) !== undefined && !isStreaming(pathOf(url))

export async function rejectUnknownPath(request: FastifyRequest): Promise<never> {
  throw problemOf(request)
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

export function problemOf({ server, url, method }: FastifyRequest): Problem {
  const path = pathOf(url)
  const notOffered = notOfferedProblem(path)
  if (notOffered) return notOffered
  const methods = server.allowedMethods(path)
  // The router finds no route for a path with U+0130, whose lower case is longer. Nothing has such a name.
  if (methods.length === 0 || methods.includes(method)) {
    const suggestion = server.suggestedPath(path)
    return unknownAddress(suggestion && ` Did you mean ${suggestion}?`)
  }
  const allow = methods.join(', ')
  return new Problem('MethodNotAllowed', `This address accepts only ${allow}.`, { headers: { allow } })
}

/** The parts of the interface that refdesk does not have (§12), by path below {base_url}. The first match counts. */
const notOffered: readonly (readonly [path: RegExp, what: string])[] = [
  [/^\/streaming(ws)?(\/|$)|\/subscriptions(\/|$)/, 'streaming and subscriptions'],
  [/^\/port\/v\d+\/balances(\/|$)/, 'balances'],
  [/^\/port\/v\d+\/((net|closed)?positions|exposure)(\/|$)/, 'positions'],
  [/^\/(port|trade)\/v\d+\/orders(\/|$)/, 'orders'],
  [/^\/trade\/v\d+\/((info)?prices|optionschain)(\/|$)/, 'prices'],
  [/^\/trade(\/|$)/, 'trading'],
  [/^\/chart(\/|$)/, 'charts'],
  [/^\/hist(\/|$)/, 'historical reports'],
  [/^\/mkt(\/|$)/, 'market overviews'],
  [/^\/ens(\/|$)/, 'event notifications'],
  [/^\/(am|at|atr|cm|cr|cs|dm|vas)(\/|$)/, 'this service group'],
]

const belowBase = (path: string): string | undefined => /^(?:\/sim)?\/openapi(\/.*)$/.exec(path.toLowerCase())?.[1]

/** Whether a path has its token in the query, which only streaming has. */
const isStreaming = (path: string): boolean => /^\/streaming(ws)?(\/|$)/.test(belowBase(path) ?? '')

/** The error for a path that refdesk deliberately does not have. */
export function notOfferedProblem(path: string): Problem | undefined {
  const rest = belowBase(path)
  const found = rest === undefined ? undefined : notOffered.find(([pattern]) => pattern.test(rest))
  return found && new Problem('NotOffered', `refdesk does not offer ${found[1]}. ${advice}`)
}

const advice = 'It has reference data and corporate actions: see "What is not here" in docs/compatibility.md.'
