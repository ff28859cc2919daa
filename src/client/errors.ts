/** A call failed: the service rejected it or could not be reached. */
export class RefdeskError extends Error {
  override readonly name = 'RefdeskError'
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /** The `ErrorCode` of the REST API, the OAuth `error`, or one of this client: `NetworkError`, `Timeout`, `InvalidAnswer`,
   *  and `NotModified` (304) for a call with If-None-Match. */
  readonly code: string
  /** What is wrong with each invalid parameter or field. */
  readonly modelState: Readonly<Record<string, readonly string[]>> | undefined
  readonly retryAfterSeconds: number | undefined
  /** The `X-Correlation` of the response, by which an operator finds the call in the log. */
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

export interface RawResponse {
  status: number
  headers: Headers
  text: string
}

export const jsonType = 'application/json'

/** The body: JSON, text if another type was requested, or undefined for an empty one. */
export function bodyOf({ status, headers, text }: RawResponse, accept: string | null = jsonType): unknown {
  const type = headers.get('content-type')
  if (status === 204 || (text === '' && type === null)) return undefined
  if (!/\bjson\b/i.test(type ?? '')) {
    if (accept !== jsonType) return text
    throw new RefdeskError(status, 'InvalidAnswer', notFromTheApi(status))
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RefdeskError(status, 'InvalidAnswer', 'The service sent invalid JSON.', { cause })
  }
}

type ErrorBody = {
  ErrorCode?: string
  Message?: string
  ModelState?: Record<string, string[]>
  error?: string
  error_description?: string
}

/** Retry-After is a number of seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Errors without a body: 304, and 401 in the vendor profile. */
const withoutBody: Readonly<Record<number, readonly [code: string, message: string]>> = {
  304: ['NotModified', 'The version in If-None-Match is current.'],
  401: ['Unauthorized', 'The token is missing, has expired or was revoked. Sign in again.'],
}

const notFromTheApi = (status: number): string =>
  `The response with status ${status} is not from the API: is the address right?`

/** The error for a response. A proxy may have sent a page instead of JSON. */
export function errorOf({ status, headers, text }: RawResponse): RefdeskError {
  const { ErrorCode, Message, ModelState, error, error_description } = readErrorBody(text)
  const sent = ErrorCode ?? error
  const [code, fallback] = sent
    ? [sent, `The service returned ${sent}.`]
    : (withoutBody[status] ?? ['InvalidAnswer', notFromTheApi(status)])
  const message = Message ?? error_description ?? fallback
  const fields = Object.entries(ModelState ?? {}).map(([field, why]) => `${field}: ${why.join(' ')}`)
  return new RefdeskError(status, code, [message, ...fields].join('\n'), {
    modelState: ModelState,
    retryAfterSeconds: retryAfterSeconds(headers),
    correlation: headers.get('x-correlation') ?? undefined,
  })
}

/** Empty for other JSON, which may have an `error` of another type. */
function readErrorBody(text: string): ErrorBody {
  try {
    const body: ErrorBody | null = JSON.parse(text)
    return body && typeof (body.ErrorCode ?? body.error) === 'string' ? body : {}
  } catch {
    return {}
  }
}
