import type { FastifyContextConfig } from 'fastify'
import type { MaybePromise } from '../../core/async/maybe-promise.ts'
import type { RestReply, RestRequest } from '../exchange.ts'
import { parameterCount, parseQuery } from '../input/query.ts'
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

export type Match = Readonly<{ route: DirectRoute; params: Readonly<Record<string, string>>; queryText: string }>

type Pattern = Readonly<{ prefix: string; names: readonly string[]; route: DirectRoute }>

/** Anything else could be an escape or a delimiter, which the router understands. */
const plainSegments = /^[\w-]+(?:\/[\w-]+)*$/
const noParams: Readonly<Record<string, string>> = {}

/** The routes of the direct path. Finds only addresses that are spelled as documented; the router knows the other spellings. */
export class DirectRoutes {
  readonly #exact = new Map<string, DirectRoute>()
  readonly #patterns: Pattern[] = []

  add(route: DirectRoute): void {
    const [prefix = '', ...names] = route.url.split('/:')
    if (names.length === 0) this.#exact.set(prefix, route)
    else if (names.some((name) => name.includes('/'))) throw new Error(`${route.url} has a parameter in the middle.`)
    else this.#patterns.push({ prefix: `${prefix}/`, names, route })
  }

  find(url: string): Match | undefined {
    const end = url.indexOf('?')
    const path = end < 0 ? url : url.slice(0, end)
    const queryText = end < 0 ? '' : url.slice(end + 1)
    const route = this.#exact.get(path)
    if (route) return { route, params: noParams, queryText }
    for (const { prefix, names, route } of this.#patterns) {
      if (!path.startsWith(prefix)) continue
      const params = paramsOf(names, path.slice(prefix.length))
      if (params) return { route, params, queryText }
    }
    return undefined
  }
}

function paramsOf(names: readonly string[], text: string): Record<string, string> | undefined {
  if (!plainSegments.test(text)) return undefined
  const values = text.split('/')
  if (values.length !== names.length) return undefined
  const params: Record<string, string> = {}
  for (let at = 0; at < names.length; at++) params[names[at] as string] = values[at] as string
  return params
}

/** Sets the parameters of a request. Returns false if they are wrong; then the usual path says what is. */
export function readParameters(request: RestRequest, { route, params, queryText }: Match): boolean {
  const query = parseQuery(queryText)
  if (parameterCount(query) > limits.queryParameters) return false
  request.query = route.readQuery ? route.readQuery(query).value : query
  request.params = route.readParams ? route.readParams(params).value : params
  return !isRejected(request.query) && !isRejected(request.params)
}
