/** How much of a body is kept. */
export const maxBodyBytes = 16 * 1024

/** One exchange. Only the body of its response may have secrets; `exchangeOf` masks it. */
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
  reason: Readonly<{ code: string; message: string }> | undefined
  /** Names of invalid fields that the caller made up, which the response repeats. */
  unknownFields: readonly string[]
  /** The injected fault, if no response says it. */
  fault: string | undefined
  /** Names and values in turn, without headers that may be secret. */
  requestHeaders: readonly string[]
  requestBody: string | undefined
  /** Names and values in turn. */
  responseHeaders: readonly string[]
  /** The first `maxBodyBytes` of the body, unmasked. */
  responseBody: Buffer | undefined
  /** How long the whole body was. */
  responseBytes: number
}>

const idDigits = { time: 9, count: 6 }

/** Ids sort by time, then by count. */
export const idOf = (loggedMs: number, count: number, nodeName: string): string =>
  `${loggedMs.toString(36).padStart(idDigits.time, '0')}${count.toString(36).padStart(idDigits.count, '0')}${nodeName}`
