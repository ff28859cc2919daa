/** The status of every REST error code (§2.4). One table, so that no code has two statuses. */
export const problemStatuses = {
  InvalidModelState: 400,
  InvalidRequest: 400,
  InvalidMediaTypeHeader: 415,
  Unauthorized: 401,
  RequestNotAllowed: 403,
  NoResultFound: 404,
  NotOffered: 404,
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
  ImportedData: 409,
  ImportNotReady: 409,
  ImportRunning: 409,
  ScenarioLoaded: 409,
  ScenarioConflict: 409,
  NotElectable: 409,
  ElectionChanged: 409,
  OtherVersion: 409,
  UnavailableSecretId: 404,
  CursorExpired: 410,
  MomentExpired: 410,
  PreconditionFailed: 412,
  RequestTooLarge: 413,
  UriTooLong: 414,
  HeadersTooLarge: 431,
  RateLimitExceeded: 429,
  ServiceUnavailable: 503,
  InternalError: 500,
} as const

export type ProblemCode = keyof typeof problemStatuses

/** Codes that have another name on the wire, because there one code has several statuses (§2.4). */
export const wireCodes: Partial<Record<ProblemCode, string>> = {
  MethodNotAllowed: 'RequestNotAllowed',
  RequestTooLarge: 'InvalidRequest',
  UriTooLong: 'InvalidRequest',
  HeadersTooLarge: 'InvalidRequest',
}

export type ModelState = Record<string, string[]>

/** A REST error. Code throws it; http/errors turns it into a response. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly modelState: ModelState | undefined
  readonly headers: Record<string, string>
  /** Members of the body besides those that every error has. */
  readonly members: Record<string, unknown>

  constructor(
    code: ProblemCode,
    message: string,
    extra: { modelState?: ModelState; headers?: Record<string, string>; members?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.modelState = extra.modelState
    this.headers = extra.headers ?? {}
    this.members = extra.members ?? {}
  }

  get status(): number {
    return problemStatuses[this.code]
  }
}

export function invalid(modelState: ModelState): Problem {
  const fields = Object.keys(modelState).join(', ')
  return new Problem('InvalidModelState', `These fields are not valid: ${fields}. ModelState says why.`, { modelState })
}

export function notFound(what: string): Problem {
  return new Problem('NoResultFound', `${what} was not found, or you may not see it.`)
}

export const unknownAddress = (hint = ''): Problem =>
  new Problem('NoResultFound', `There is nothing at this address.${hint}`)

export const invalidToken = (): Problem =>
  new Problem(
    'Unauthorized',
    'The access token is expired, revoked, or was not issued by this service. Refresh it, or sign in again.',
    {
      headers: {
        'www-authenticate': 'Bearer error="invalid_token", error_description="The access token is not valid"',
      },
    },
  )

export const readOnlyToken = (): Problem =>
  new Problem(
    'RequestNotAllowed',
    'This token is read-only because its app is not enabled for trading. Enable trading for the app, then sign in again.',
  )

export const appInactive = (): Problem =>
  new Problem('AppInactive', 'The app is inactive. Reactivate it first: PATCH it with IsActive true.')

export const preconditionFailed = (): Problem =>
  new Problem('PreconditionFailed', 'This has changed since you read it. Read it again, then repeat the change.')

export const cursorExpired = (): Problem =>
  new Problem(
    'CursorExpired',
    'The changes after this cursor are no longer kept, or it is from another history, such as before a reset. Make a new copy: ' +
      'refdesk export prints the cursor to go on from.',
  )

/** `range`: the moments that can be asked for. */
export const momentExpired = (range: string): Problem =>
  new Problem('MomentExpired', `The data of this moment is no longer known. Use a moment ${range}.`)

export const rateLimitExceeded = (retryAfterSeconds: number, what = 'Too many requests.'): Problem =>
  new Problem('RateLimitExceeded', `${what} Wait as many seconds as Retry-After says.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

/** The database is down, or this node is overloaded or closing. Nothing was done, so a retry is safe. */
export function unavailable(retryAfterSeconds = 1): Problem {
  const message = 'The service is temporarily unavailable. Nothing was changed; retry shortly.'
  return new Problem('ServiceUnavailable', message, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** The database failed during a commit. Without Retry-After, because a retry might make the change twice. */
export function uncertain(): Problem {
  const message =
    'The database failed while this change was being saved. It may or may not be saved: check before you retry.'
  return new Problem('ServiceUnavailable', message)
}
