import type { FastifyContextConfig } from 'fastify'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import { RecentMap } from '../../core/recent-map.ts'
import { hashOf } from '../../core/text.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import { parseValues } from '../input/query.ts'
import { isRejected } from '../input/validation.ts'
import { limits } from '../limits/buckets.ts'
import type { Server } from '../typed-server.ts'

type Reader = (data: unknown) => { value: unknown }

/** An operation that the direct path serves. */
export type DirectRoute = Readonly<{
  /** With the prefix of its scope; parameters only at the end. */
  url: string
  config: FastifyContextConfig
  schema: Readonly<{ operationId: string }>
  /** The scope whose steps its requests pass. */
  scope: Server
  readParams: Reader | undefined
  readQuery: Reader | undefined
  /** Returns undefined if the usual path must answer. */
  handle(request: RestRequest, reply: RestReply): MaybePromise<Buffer | RestReply | undefined>
}>

/** A form that the direct path serves. */
export type FormRoute = Readonly<{
  /** Without parameters. */
  url: string
  config: FastifyContextConfig
  schema: Readonly<{ operationId: string }>
  scope: Server
  /** Starts to make the response, or returns undefined if the usual path must make it; then nothing may have changed. The text has
   *  a character per byte. It is undefined if the usual path must go on after all, which makes everything again. */
  answer(request: RestRequest, reply: RestReply, body: string): Promise<string | undefined> | undefined
}>

export type Match = Readonly<{
  route: DirectRoute
  params: Readonly<Record<string, string>>
  queryText: string
  queries?: KnownQueries
}>

/** Queries by the hash of their text, read before and valid. No handler can change them. */
type KnownQueries = RecentMap<number, Readonly<{ text: string; query: object }>>

type Pattern = Readonly<{ prefix: string; names: readonly string[]; route: DirectRoute; queries: KnownQueries }>

const maxKnown = { queries: 500, characters: 200 }

const noParams: Readonly<Record<string, string>> = {}
const noRoutes: readonly DirectRoute[] = []

/** The routes of the direct path. Finds only addresses that are spelled as documented; the router knows the other spellings. */
export class DirectRoutes {
  /** By the length of their path: comparing a text with one or two costs less than making a hash of it. */
  readonly #exact = new Map<number, DirectRoute[]>()
  readonly #patterns: Pattern[] = []
  readonly #forms = new Map<string, FormRoute>()

  add(route: DirectRoute): void {
    const [prefix = '', ...names] = route.url.split('/:')
    if (names.length === 0) this.#exact.getOrInsertComputed(route.url.length, () => []).push(route)
    else if (names.some((name) => name.includes('/'))) throw new Error(`${route.url} has a parameter in the middle.`)
    else this.#patterns.push({ prefix: `${prefix}/`, names, route, queries: new RecentMap(maxKnown.queries) })
  }

  addForm(route: FormRoute): void {
    this.#forms.set(route.url, route)
  }

  findForm(url: string): FormRoute | undefined {
    return this.#forms.get(url)
  }

  find(url: string): Match | undefined {
    const mark = url.indexOf('?')
    const end = mark < 0 ? url.length : mark
    const queryText = mark < 0 ? '' : url.slice(mark + 1)
    for (const route of this.#exact.get(end) ?? noRoutes)
      if (url.startsWith(route.url)) return { route, params: noParams, queryText }
    for (const { prefix, names, route, queries } of this.#patterns) {
      if (!url.startsWith(prefix)) continue
      const params = paramsOf(names, url, prefix.length, end)
      if (params) return { route, params, queryText, queries }
    }
    return undefined
  }
}

/** The parameters in the rest of an address, from `start` to `end`; undefined if there are others or if they are not plain. */
function paramsOf(
  names: readonly string[],
  url: string,
  start: number,
  end: number,
): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  let from = start
  for (const name of names) {
    let to = from
    while (to < end && isPlain(url.charCodeAt(to))) to += 1
    if (to === from) return undefined
    params[name] = url.slice(from, to)
    from = to + 1
    const isLast = to === end
    if (!isLast && url.charCodeAt(to) !== slash) return undefined
  }
  return from === end + 1 ? params : undefined
}

const slash = 47
const [zero, nine, upperA, upperZ, lowerA, lowerZ] = [48, 57, 65, 90, 97, 122]

/** A letter or digit. Anything else could be an escape or a delimiter, which the router understands. */
const isPlain = (code: number): boolean =>
  (code >= zero && code <= nine) || (code >= upperA && code <= upperZ) || (code >= lowerA && code <= lowerZ)

/** Sets the parameters of a request. Returns false if they are wrong; then the usual path says what is. */
export function readParameters(request: RestRequest, match: Match): boolean {
  const { route, params } = match
  const query = readQuery(match)
  if (query === undefined) return false
  request.query = query
  request.params = route.readParams ? route.readParams(params).value : params
  return !isRejected(request.params)
}

/** Undefined if it is wrong. Different paths are requested with the same query, such as many option roots with one expiry,
 *  so a query that is known is not read again. */
function readQuery({ route, queryText, queries }: Match): object | undefined {
  if (queryText === '' && !route.readQuery) return noParams
  const hash = queries ? hashOf(queryText) : 0
  const known = queries?.get(hash)
  if (known?.text === queryText) return known.query
  const { values, count } = parseValues(queryText)
  if (count > limits.queryParameters) return undefined
  const query = (route.readQuery?.(values).value ?? noParams) as object
  if (isRejected(query)) return undefined
  if (queryText.length <= maxKnown.characters) queries?.set(hash, { text: queryText, query: frozen(query) })
  return query
}

function frozen(query: object): object {
  for (const value of Object.values(query)) Object.freeze(value)
  return Object.freeze(query)
}
