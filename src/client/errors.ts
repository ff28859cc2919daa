/** A call that came to nothing: the service refused it, or could not be reached. */
export class RefdeskError extends Error {
  override readonly name = 'RefdeskError'
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  /** The `ErrorCode` of the interface (`NoResultFound`, `InvalidModelState`, …), the `error` of the sign-in
   *  (`invalid_grant`, …), or this client's own: `NetworkError`, `Timeout`, `InvalidAnswer`, and `NotModified` (304)
   *  for a call with If-None-Match. */
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

export const jsonType = 'application/json'

/** What an answer holds: JSON, or text where something else was asked for; undefined when there is nothing to hold. */
export function bodyOf({ status, headers, text }: RawAnswer, accept: string | null = jsonType): unknown {
  if (status === 204) return undefined
  if (!/\bjson\b/i.test(headers.get('content-type') ?? '')) {
    if (accept !== jsonType) return text
    throw new RefdeskError(status, 'InvalidAnswer', noneOfTheInterface(status))
  }
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

/** What has no body: a 304 never, a 401 in the vendor profile. */
const wordless: Readonly<Record<number, readonly [code: string, message: string]>> = {
  304: ['NotModified', 'The version that If-None-Match names is still the present one.'],
  401: ['Unauthorized', 'The token is missing, has expired or was revoked. Sign in again.'],
}

const noneOfTheInterface = (status: number): string =>
  `The answer has status ${status} and is none of the interface: is the address right?`

/** A refusal as an error. That of a proxy has a page for a body. */
export function errorOf({ status, headers, text }: RawAnswer): RefdeskError {
  const { ErrorCode, Message, ModelState, error, error_description } = readRefusal(text)
  const told = ErrorCode ?? error
  const [code, words] = told
    ? [told, `The service answered with ${told}.`]
    : (wordless[status] ?? ['InvalidAnswer', noneOfTheInterface(status)])
  const said = Message ?? error_description ?? words
  const fields = Object.entries(ModelState ?? {}).map(([field, why]) => `${field}: ${why.join(' ')}`)
  return new RefdeskError(status, code, [said, ...fields].join('\n'), {
    modelState: ModelState,
    retryAfterSeconds: retryAfterSeconds(headers),
    correlation: headers.get('x-correlation') ?? undefined,
  })
}

/** Nothing, when it is none of the interface's: others have an `error` too. */
function readRefusal(text: string): Refusal {
  try {
    const body: Refusal | null = JSON.parse(text)
    return body && typeof (body.ErrorCode ?? body.error) === 'string' ? body : {}
  } catch {
    return {}
  }
}
