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

export type Match = Readonly<{ route: DirectRoute; values: readonly string[]; queryText: string }>

type Pattern = Readonly<{ prefix: string; names: readonly string[]; route: DirectRoute }>

/** Anything else could be an escape or a delimiter, which the router understands. */
const plainSegment = /^[\w-]+$/
const noValues: readonly string[] = []

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
    if (route) return { route, values: noValues, queryText }
    for (const { prefix, names, route } of this.#patterns) {
      if (!path.startsWith(prefix)) continue
      const values = path.slice(prefix.length).split('/')
      if (values.length === names.length && values.every((value) => plainSegment.test(value)))
        return { route, values, queryText }
    }
    return undefined
  }
}

const nameless: Readonly<Record<string, never>> = {}

/** Sets the parameters of a request. Returns false if they are wrong; then the usual path says what is. */
export function readParameters(request: RestRequest, { route, values, queryText }: Match): boolean {
  const query = parseQuery(queryText)
  if (parameterCount(query) > limits.queryParameters) return false
  request.query = route.readQuery ? route.readQuery(query).value : nameless
  request.params = route.readParams ? route.readParams(paramsOf(route.url, values)).value : nameless
  return !isRejected(request.query) && !isRejected(request.params)
}

function paramsOf(url: string, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  const names = url.split('/:')
  for (const [at, value] of values.entries()) params[names[at + 1] as string] = value
  return params
}
