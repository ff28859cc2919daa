import { type ProblemCode, problemStatuses, wireCodes } from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import type { ComponentHeaders, HeaderName } from './headers.ts'
import type { Node } from './schemas.ts'

/** When each refusal is answered. */
const codeTexts: Record<ProblemCode, string> = {
  InvalidModelState: 'Parameters or members of the body are not valid; ModelState has a sentence for each.',
  InvalidRequest: 'The request cannot be read: not JSON, an address or a header that is too long.',
  InvalidMediaTypeHeader: 'The body is not of the type that the operation takes.',
  Unauthorized: 'There is no token, or one that has ended or is of another environment.',
  RequestNotAllowed: 'The token may only read, or the path does not know the method.',
  NoResultFound: 'It does not exist, or the caller may not see it: both are told alike.',
  IllegalInstrumentId: 'No such Uic in this asset type, or none that the caller may see.',
  InvalidAssetType: 'There is no asset type of this name.',
  InvalidSearchCriteriaProvided: 'The criteria cannot be combined: tags go with Stock, Etf and Etc, one at a time.',
  ExpiryDatesMustBeSet: 'The segment SpecificDates needs ExpiryDates.',
  UnderlyingUICMustBeSet: 'The segment UnderlyingUic needs UnderlyingUic.',
  InvalidContinuousFuturesUic: 'The instrument is there, but is no continuous future.',
  MethodNotAllowed: 'The path does not know the method.',
  LimitReached: 'There are as many of these already as there may be.',
  AppInactive: 'The app is inactive: make it active first.',
  UnableToActivateApp: 'The app has no redirect URI, or waits for approval.',
  DuplicateRedirectUri: 'The app has this redirect URI already.',
  NoSecretsOfFlow: 'Only apps of the Code flow have secrets.',
  NoDemoData: 'The service runs without the demo data.',
  UnavailableSecretId: 'The app has no such secret.',
  PreconditionFailed: 'If-Match names another version than the present one. Read again, then repeat the change.',
  RequestTooLarge: 'The body is too large.',
  UriTooLong: 'The address is too long.',
  HeadersTooLarge: 'The headers are too large.',
  RateLimitExceeded: 'Too many requests.',
  ServiceUnavailable: 'The service cannot answer right now; with Retry-After, nothing was changed.',
  InternalError: 'Something went wrong here, and is logged under X-Correlation.',
}

const onWire = (code: ProblemCode): string => wireCodes[code] ?? code
const codes = Object.keys(problemStatuses) as ProblemCode[]
const ownCodes = codes.filter((code) => wireCodes[code] === undefined)

export const errorSchemas = {
  ErrorCode: {
    type: 'string',
    enum: ownCodes,
    description: ownCodes.map((code) => `- \`${code}\`: ${codeTexts[code]}`).join('\n'),
  },
  // Not Error, which the clients that are made of the document have already.
  ErrorResponse: {
    type: 'object',
    description: 'Why a request was refused.',
    required: ['ErrorCode', 'Message'],
    properties: {
      ErrorCode: { $ref: '#/components/schemas/ErrorCode' },
      Message: { type: 'string', description: 'What is wrong and what to do, for people.' },
      ModelState: {
        type: 'object',
        description: 'With InvalidModelState: sentences for each parameter or member that is not valid.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}

type Refusal = Readonly<{
  name: string
  description: string
  code: ProblemCode
  message: string
  more?: Node
  headers?: HeaderName[]
}>

/** The refusals that operations share, by status, each with what one is like. */
const refusals: Record<string, Refusal> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid.',
    code: 'InvalidModelState',
    message: 'These fields are not valid: $top. ModelState says why.',
    more: { ModelState: { $top: ['Must be a whole number from 0 to 1000.'] } },
  },
  401: {
    name: 'Unauthorized',
    description: 'There is no token, or one that is not valid any more.',
    code: 'Unauthorized',
    message: 'The access token is not valid: it has ended, was revoked, or is not of this service.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'ReadOnlyToken',
    description: 'The token may only read.',
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
    description: 'It does not go with the present state; nothing was changed.',
    code: 'AppInactive',
    message: 'The app is inactive. Set IsActive to true to change it.',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'There is a newer version than the one that was read; nothing was changed.',
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
    description: 'The body is of another type than the operation takes.',
    code: 'InvalidMediaTypeHeader',
    message: 'Send the body as Content-Type: application/json.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Nothing was done; wait, then try again.',
    code: 'RateLimitExceeded',
    message: 'Too many requests. Retry-After says in how many seconds to go on.',
    headers: ['Retry-After'],
  },
  503: {
    name: 'Unavailable',
    description:
      'The service cannot answer right now. With Retry-After nothing was changed: wait, then try again. Without it, it is ' +
      'not known whether a change was saved: look first.',
    code: 'ServiceUnavailable',
    message: 'The service cannot answer right now. Nothing was changed; try again shortly.',
    headers: ['Retry-After'],
  },
  default: {
    name: 'OtherRefusal',
    description: 'What any request may meet: 414 and 431 for what is too long, 500 for a fault of ours.',
    code: 'InternalError',
    message: 'Something went wrong on our side. The X-Correlation header names this request.',
  },
}

/** The shared refusals of the API document: those that are referred to. */
export class ComponentRefusals {
  readonly responses: Record<string, Node> = {}
  readonly #headers: ComponentHeaders
  readonly #profile: WireProfile

  constructor(headers: ComponentHeaders, profile: WireProfile) {
    this.#headers = headers
    this.#profile = profile
  }

  /** The refusals of an operation by status, from the codes that follow from its kind and those of its own. Which codes a
   *  status has is told where one of them is its own. */
  refer(common: readonly ProblemCode[], own: readonly ProblemCode[]): Node {
    const byStatus = Map.groupBy(new Set([...common, ...own]), (code) => String(problemStatuses[code]))
    const told = [...byStatus].map(([status, codes]) => {
      const isOwn = codes.some((code) => own.includes(code))
      return [status, this.#one(status, isOwn ? codes : [])]
    })
    return Object.fromEntries([...told, ['default', this.#one('default', [])]])
  }

  #one(status: string, told: readonly ProblemCode[]): Node {
    const refusal = refusals[status]
    if (!refusal) throw new Error(`The API document has no words for a refusal with ${status}.`)
    this.responses[refusal.name] ??= this.#spell(status, refusal)
    const description = told.map((code) => `\`${onWire(code)}\`: ${codeTexts[code]}`).join('\n\n')
    return { $ref: `#/components/responses/${refusal.name}`, ...(description && { description }) }
  }

  #spell(status: string, { description, code, message, more, headers = [] }: Refusal): Node {
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
