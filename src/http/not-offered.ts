import { Problem } from '../core/problem.ts'

/** What existing apps ask of this interface and refdesk does not have (§12), by path below {base_url}. The first match
 *  counts. */
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
export const isStreaming = (path: string): boolean => /^\/streaming(ws)?(\/|$)/.test(belowBase(path) ?? '')

/** The error for a path that refdesk deliberately does not have. */
export function notOfferedProblem(path: string): Problem | undefined {
  const rest = belowBase(path)
  const found = rest === undefined ? undefined : notOffered.find(([pattern]) => pattern.test(rest))
  return found && new Problem('NotOffered', `refdesk does not offer ${found[1]}. ${advice}`)
}

const advice = 'It has reference data and corporate actions: see "What is not here" in docs/compatibility.md.'
