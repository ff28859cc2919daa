import type { Reason } from './facts.ts'

/** How much of a body is kept. */
export const maxBodyBytes = 16 * 1024

/** One exchange, as a reader gets it. */
export type Entry = Readonly<{
  /** Unique, and in the order of the responses, also over the threads of a process. */
  id: string
  /** Counts the requests of this node. */
  count: number
  /** When the request arrived: by the service clock, and in real time. Milliseconds since 1970. */
  atMs: number
  realMs: number
  milliseconds: number
  /** The id in X-Correlation. Callers can choose it, so it is not unique. */
  requestId: string
  method: string
  status: number
  /** Whether `target` is without secrets; if not, it must be read by `RequestLog.target`. */
  isShown: boolean
  /** The path of the route; undefined for an unknown address. */
  route: string | undefined
  /** Path and query. */
  target: string
  app: string | undefined
  user: string | undefined
  /** Whose entry it is; empty if no client is known. */
  client: string
  session: string | undefined
  /** The id of the secret that the app authenticated with. */
  secret: string | undefined
  address: string | undefined
  reason: Reason | undefined
  /** The injected fault, if no response says it. */
  fault: string | undefined
  /** Names and values in turn; only those that may be shown. */
  requestHeaders: readonly string[]
  requestBody: string | undefined
  /** Names and values in turn. */
  responseHeaders: readonly string[]
  /** At most the first `maxBodyBytes` of it. */
  responseBody: Buffer | undefined
  /** How long the whole body was. */
  responseBytes: number
}>
