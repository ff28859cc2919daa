import type { FastifyContextConfig, FastifyRequest } from 'fastify'

type Shared =
  | 'id'
  | 'method'
  | 'url'
  | 'headers'
  | 'raw'
  | 'socket'
  | 'ip'
  | 'is404'
  | 'caller'
  | 'basis'
  | 'params'
  | 'query'
type Route = Readonly<{
  url?: string | undefined
  config: FastifyContextConfig
  schema?: Readonly<{ operationId?: string }>
}>

/** What the steps of a request and the operations of the direct path need of it. Fastify's request has it too. */
export type RestRequest = Pick<FastifyRequest, Shared> & Readonly<{ routeOptions: Route }>

/** The same of a response. */
export interface RestReply {
  statusCode: number
  readonly elapsedTime: number
  code(status: number): RestReply
  header(name: string, value: string): RestReply
  headers(values: Readonly<Record<string, string>>): RestReply
  getHeader(name: string): number | string | string[] | undefined
  hasHeader(name: string): boolean
  removeHeader(name: string): RestReply
  /** Writes JSON by the schema of the route; only on the usual path. */
  serialize?(payload: object): unknown
  /** What was sent, for observers. */
  payload?: unknown
  /** Whether the connection was closed before the response had left. */
  isCut?: boolean
  /** Whether the payload stays in memory anyway, and unchanged, so that observers need no copy. */
  sharesPayload?: boolean
  /** Called after all observers: from then on nothing reads a payload that was sent from a copy. */
  releasePayload?(): void
  getHeaders?(): Record<string, number | string | string[] | undefined>
  /** Sends no body. */
  send(): unknown
}
