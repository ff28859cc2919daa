import type { Reason } from './facts.ts'

/** How much of a body is kept. */
export const maxBodyBytes = 16 * 1024

/** One exchange, as it is kept: nothing is formatted before someone reads it. */
export type Entry = {
  /** Unique, and in the order of the responses, also over the threads of a process. */
  readonly id: string
  /** When the request arrived: on the service clock, and in real time. Milliseconds since 1970. */
  readonly atMs: number
  readonly realMs: number
  readonly milliseconds: number
  /** The id in X-Correlation. Callers can choose it, so it is not unique. */
  readonly requestId: string
  readonly method: string
  /** Path and query, without secrets (rules/target.ts). */
  readonly target: string
  /** The path of the route; undefined for an unknown address. */
  readonly route: string | undefined
  readonly status: number
  readonly app: string | undefined
  readonly user: string | undefined
  /** Whose entry it is; empty if no client is known. */
  readonly client: string
  readonly session: string | undefined
  readonly secret: string | undefined
  readonly address: string | undefined
  readonly reason: Reason | undefined
  /** Names and values in turn, each followed by a line feed; only those that may be shown. */
  readonly requestHeaders: string
  readonly requestBody: string | undefined
  /** Names and values in turn. */
  readonly responseHeaders: readonly string[]
  /** Bytes, or text with a character per byte; at most `maxBodyBytes` of it. */
  readonly responseBody: Buffer | string | undefined
  /** How long the response was. */
  readonly responseBytes: number
  /** Memory that it takes, about. */
  readonly bytes: number
  /** The next newer entry of the same client. */
  next: Entry | undefined
}
