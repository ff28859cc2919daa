/** Every refusal of the REST interface: its code and its status. One table, so that no code has two statuses. */
export const problemStatuses = {
  InvalidModelState: 400,
  InvalidRequest: 400,
  InvalidMediaTypeHeader: 415,
  Unauthorized: 401,
  RequestNotAllowed: 403,
  NoResultFound: 404,
  IllegalInstrumentId: 404,
  InvalidAssetType: 400,
  InvalidSearchCriteriaProvided: 400,
  ExpiryDatesMustBeSet: 400,
  UnderlyingUICMustBeSet: 400,
  InvalidContinuousFuturesUic: 400,
  MethodNotAllowed: 405,
  LimitReached: 409,
  AppInactive: 409,
  UnableToActivateApp: 409,
  DuplicateRedirectUri: 409,
  NoSecretsOfFlow: 409,
  NoDemoData: 409,
  UnavailableSecretId: 404,
  PreconditionFailed: 412,
  RequestTooLarge: 413,
  UriTooLong: 414,
  HeadersTooLarge: 431,
  RateLimitExceeded: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
} as const

export type ProblemCode = keyof typeof problemStatuses

/** The code on the wire, where it differs: §2.4 uses one code for several statuses. */
export const wireCodes: Partial<Record<ProblemCode, string>> = {
  MethodNotAllowed: 'RequestNotAllowed',
  RequestTooLarge: 'InvalidRequest',
  UriTooLong: 'InvalidRequest',
  HeadersTooLarge: 'InvalidRequest',
}

export type ModelState = Record<string, string[]>

/** A refusal as data. Code throws it; http/errors turns it into a body. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly modelState: ModelState | undefined
  readonly headers: Record<string, string>

  constructor(
    code: ProblemCode,
    message: string,
    extra: { modelState?: ModelState; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.modelState = extra.modelState
    this.headers = extra.headers ?? {}
  }

  get status(): number {
    return problemStatuses[this.code]
  }
}

/** Bad fields, all of them at once. */
export function invalid(modelState: ModelState): Problem {
  const fields = Object.keys(modelState).join(', ')
  return new Problem('InvalidModelState', `These fields are not valid: ${fields}. ModelState says why.`, { modelState })
}

export function notFound(what: string): Problem {
  return new Problem('NoResultFound', `${what} was not found, or you may not see it.`)
}

export const unknownAddress = (hint = ''): Problem =>
  new Problem('NoResultFound', `There is nothing at this address.${hint}`)

/** The database is away, or we are full or closing: nothing was done, and trying again is right. */
export function unavailable(retryAfterSeconds = 1): Problem {
  return new Problem(
    'ServiceUnavailable',
    'The service cannot answer right now. Nothing was changed; try again shortly.',
    {
      headers: { 'retry-after': String(retryAfterSeconds) },
    },
  )
}

/** An outage that came while a change was being saved. Without Retry-After: whoever tries again might do it twice. */
export function uncertain(): Problem {
  const sentence =
    'The database went away while this was being saved: it may be done or not. Look before you try again.'
  return new Problem('ServiceUnavailable', sentence)
}
