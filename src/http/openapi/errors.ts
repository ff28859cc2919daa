import { type ProblemCode, problemStatuses, wireCodes } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { ComponentHeaders, HeaderName } from './headers.ts'
import type { Node } from './schemas.ts'

const codeTexts: Record<ProblemCode, string> = {
  InvalidModelState: 'Parameters or fields of the body are invalid; ModelState explains each.',
  InvalidRequest: 'The request cannot be read: it is not JSON, or an address or header is too long.',
  InvalidMediaTypeHeader: 'The body has a type that the operation does not accept.',
  Unauthorized: 'The token is missing, expired, revoked or from another environment.',
  RequestNotAllowed: 'The token is read-only, or the path does not support the method.',
  NoResultFound: 'It does not exist, or the caller may not see it.',
  IllegalInstrumentId: 'No instrument with this Uic and asset type exists, or the caller may not see it.',
  InvalidAssetType: 'No asset type has this name.',
  InvalidSearchCriteriaProvided:
    'The criteria cannot be combined. Tags work with Stock, Etf and Etc, one asset type at a time.',
  ExpiryDatesMustBeSet: 'The segment SpecificDates requires ExpiryDates.',
  UnderlyingUICMustBeSet: 'The segment UnderlyingUic requires UnderlyingUic.',
  InvalidContinuousFuturesUic: 'The instrument exists but is not a continuous future.',
  MethodNotAllowed: 'The path does not support the method.',
  LimitReached: 'The maximum number of these has been reached.',
  AppInactive: 'The app is inactive. Reactivate it first.',
  UnableToActivateApp: 'The app has no redirect URI, or waits for approval.',
  DuplicateRedirectUri: 'The app already has this redirect URI.',
  NoSecretsOfFlow: 'Only apps with the Code flow have secrets.',
  NoDemoData: 'The service runs without demo data.',
  UnavailableSecretId: 'The app has no such secret.',
  PreconditionFailed: 'If-Match has another version than the current one. Read again, then repeat the change.',
  RequestTooLarge: 'The body is too large.',
  UriTooLong: 'The address is too long.',
  HeadersTooLarge: 'The headers are too large.',
  RateLimitExceeded: 'Too many requests.',
  ServiceUnavailable: 'The service is temporarily unavailable. With Retry-After, nothing was changed.',
  InternalError: 'An unexpected error, logged under X-Correlation.',
}

const onWire = (code: ProblemCode): string => wireCodes[code] ?? code
const codes = Object.keys(problemStatuses) as ProblemCode[]
const documentedCodes = codes.filter((code) => wireCodes[code] === undefined)

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: documentedCodes,
    description: documentedCodes.map((code) => `- \`${code}\`: ${codeTexts[code]}`).join('\n'),
  },
  // Not `Error`, which would clash with the built-in type in generated clients.
  ErrorResponse: {
    type: 'object',
    description: 'Why a request was rejected.',
    required: ['ErrorCode', 'Message'],
    properties: {
      ErrorCode: { $ref: '#/components/schemas/ErrorCode' },
      Message: { type: 'string', description: 'What is wrong and what to do, for people.' },
      ModelState: {
        type: 'object',
        description: 'With InvalidModelState: sentences for each invalid parameter or field.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}

type ErrorResponse = Readonly<{
  name: string
  description: string
  code: ProblemCode
  message: string
  more?: Node
  headers?: HeaderName[]
}>

/** The shared error responses by status, each with an example. */
const errorResponses: Record<string, ErrorResponse> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid.',
    code: 'InvalidModelState',
    message: 'These fields are not valid: $top. ModelState says why.',
    more: { ModelState: { $top: ['Must be a whole number from 0 to 1000.'] } },
  },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing or no longer valid.',
    code: 'Unauthorized',
    message: 'The access token is expired, revoked, or was not issued by this service. Refresh it, or sign in again.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'ReadOnlyToken',
    description: 'The token is read-only.',
    code: 'RequestNotAllowed',
    message: 'This token is read-only because its app is not enabled for trading.',
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or the caller may not see it.',
    code: 'NoResultFound',
    message: 'The event was not found, or you may not see it.',
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the current state. Nothing was changed.',
    code: 'AppInactive',
    message: 'The app is inactive. Set IsActive to true to change it.',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'A newer version exists than the one that was read. Nothing was changed.',
    code: 'PreconditionFailed',
    message: 'This has changed since you read it. Read it again, then repeat the change.',
  },
  413: {
    name: 'TooLarge',
    description: 'The body is too large.',
    code: 'RequestTooLarge',
    message: 'The body is too large.',
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The operation does not accept this type of body.',
    code: 'InvalidMediaTypeHeader',
    message: 'Send the body as Content-Type: application/json.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Nothing was done; wait, then retry.',
    code: 'RateLimitExceeded',
    message: 'Too many requests. Wait for the seconds in Retry-After.',
    headers: ['Retry-After'],
  },
  503: {
    name: 'Unavailable',
    description:
      'The service is temporarily unavailable. With Retry-After, nothing was changed: wait, then retry. Without it, it is ' +
      'unknown whether a change was saved: check first.',
    code: 'ServiceUnavailable',
    message: 'The service is temporarily unavailable. Nothing was changed; retry shortly.',
    headers: ['Retry-After'],
  },
  default: {
    name: 'OtherRefusal',
    description: 'Errors that any request may cause: 414 and 431 if something is too long, 500 for an internal error.',
    code: 'InternalError',
    message: 'Something went wrong on our side. The X-Correlation header identifies this request.',
  },
}

/** The error responses that the API document refers to. */
export class ComponentErrors {
  readonly responses: Record<string, Node> = {}
  readonly #headers: ComponentHeaders
  readonly #profile: WireProfile

  constructor(headers: ComponentHeaders, profile: WireProfile) {
    this.#headers = headers
    this.#profile = profile
  }

  /** The errors of an operation by status. A status with a code of the operation's own lists all its codes. */
  refer(common: readonly ProblemCode[], own: readonly ProblemCode[]): Node {
    const byStatus = Map.groupBy(new Set([...common, ...own]), (code) => String(problemStatuses[code]))
    const responses = [...byStatus].map(([status, codes]) => {
      const hasOwn = codes.some((code) => own.includes(code))
      return [status, this.#referTo(status, hasOwn ? codes : [])]
    })
    return Object.fromEntries([...responses, ['default', this.#referTo('default', [])]])
  }

  #referTo(status: string, listed: readonly ProblemCode[]): Node {
    const response = errorResponses[status]
    if (!response) throw new Error(`The API document does not describe errors with status ${status}.`)
    this.responses[response.name] ??= this.#define(status, response)
    const description = listed.map((code) => `\`${onWire(code)}\`: ${codeTexts[code]}`).join('\n\n')
    return { $ref: `#/components/responses/${response.name}`, ...(description && { description }) }
  }

  #define(status: string, { description, code, message, more, headers = [] }: ErrorResponse): Node {
    const example = { ErrorCode: onWire(code), Message: message, ...more }
    const isEmpty = status === '401' && !this.#profile.restUnauthorizedBody
    return {
      description,
      ...this.#headers.refer(headers),
      ...(!isEmpty && {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' }, example } },
      }),
    }
  }
}
