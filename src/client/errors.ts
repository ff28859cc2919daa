/** A call that came to nothing: the service refused it, or could not be reached. */
export class RefdeskError extends Error {
  override readonly name = 'RefdeskError'
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  /** The `ErrorCode` of the interface (`NoResultFound`, `InvalidModelState`, …), the `error` of the sign-in
   *  (`invalid_grant`, …), or this client's own: `NetworkError`, `Timeout`, `InvalidAnswer`. */
  readonly code: string
  /** What is wrong with each field, when a parameter or a body was refused. */
  readonly modelState: Readonly<Record<string, readonly string[]>> | undefined
  /** How many seconds the service asks to wait. */
  readonly retryAfterSeconds: number | undefined
  /** The `X-Correlation` of the answer: with it an operator finds the call in the log. */
  readonly correlation: string | undefined

  constructor(status: number, code: string, message: string, more: ErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.status = status
    this.code = code
    this.modelState = more.modelState
    this.retryAfterSeconds = more.retryAfterSeconds
    this.correlation = more.correlation
  }
}

export interface ErrorDetails {
  modelState?: Record<string, string[]> | undefined
  retryAfterSeconds?: number | undefined
  correlation?: string | undefined
  cause?: unknown
}

/** An answer that has come whole. */
export interface RawAnswer {
  status: number
  headers: Headers
  text: string
}

/** What an answer holds: JSON, or text; undefined when it is empty. */
export function bodyOf({ status, headers, text }: RawAnswer): unknown {
  if (text === '') return undefined
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RefdeskError(status, 'InvalidAnswer', 'The service answered with JSON that cannot be read.', { cause })
  }
}

type Refusal = {
  ErrorCode?: string
  Message?: string
  ModelState?: Record<string, string[]>
  error?: string
  error_description?: string
}

/** The seconds of Retry-After, which is a number of them or a date (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const told = headers.get('retry-after')
  if (told === null) return undefined
  const seconds = /^\d+$/.test(told) ? Number(told) : (Date.parse(told) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** A refusal as an error. A 401 of the vendor profile has no body, and a proxy's has a page. */
export function errorOf({ status, headers, text }: RawAnswer): RefdeskError {
  const { ErrorCode, Message, ModelState, error, error_description } = readRefusal(text)
  const code = ErrorCode ?? error ?? (status === 401 ? 'Unauthorized' : 'InvalidAnswer')
  const said = Message ?? error_description ?? defaultMessage(status)
  const fields = Object.entries(ModelState ?? {}).map(([field, why]) => `${field}: ${why.join(' ')}`)
  return new RefdeskError(status, code, [said, ...fields].join('\n'), {
    modelState: ModelState,
    retryAfterSeconds: retryAfterSeconds(headers),
    correlation: headers.get('x-correlation') ?? undefined,
  })
}

function defaultMessage(status: number): string {
  if (status === 401) return 'The token is missing, has expired or was revoked. Sign in again.'
  return `The answer has status ${status} and is none of the interface: is the address right?`
}

function readRefusal(text: string): Refusal {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
