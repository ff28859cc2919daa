import {
  appInactive,
  cursorExpired,
  invalid,
  invalidToken,
  notFound,
  type Problem,
  type ProblemCode,
  preconditionFailed,
  problemStatuses,
  rateLimitExceeded,
  readOnlyToken,
  unavailable,
  wireCodes,
} from '../../core/problem.ts'
import type { WireProfile } from '../../core/wire-profile.ts'
import { errorBody, toProblem } from '../errors.ts'
import type { ComponentHeaders, HeaderName } from './headers.ts'
import type { Node } from './schemas.ts'

const codeTexts: Record<ProblemCode, string> = {
  InvalidModelState: 'Parameters or fields of the body are invalid; ModelState explains each.',
  InvalidRequest: 'The request cannot be read: it is not JSON, or an address or header is too long.',
  InvalidMediaTypeHeader: 'The body has a type that the operation does not accept.',
  Unauthorized: 'The token is missing, expired, revoked or from another environment.',
  RequestNotAllowed: 'The token is read-only, or the path does not support the method.',
  NoResultFound: 'It does not exist, or the caller may not see it.',
  NotOffered: 'refdesk does not have this part of the interface, such as prices, orders, positions and streaming.',
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
  NoDemoData: 'The service runs without demo data, or its database has other data.',
  NotElectable: 'The event takes no such election now: see Message.',
  ElectionChanged: 'Another election of the holding was made at the same time; Holding shows it.',
  ImportNotReady: 'The files are in another state than the request needs: see Message.',
  ImportRunning: 'Another import is running. Try again when it has ended.',
  ImportedData: 'Data was imported into the database.',
  CursorExpired: 'The changes after the cursor are no longer kept, or it is of another history. Make a new copy.',
  MomentExpired: 'The data of the moment in AsOf is no longer known: Message says from when on it is.',
  OtherVersion: 'Another version of refdesk saved the snapshot.',
  ScenarioLoaded: 'The scenario is loaded already.',
  ScenarioConflict: 'A record exists already, or is still used. The message names it.',
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
      Holding: { type: 'object', description: 'With ElectionChanged: the holding and its elections now.' },
    },
  },
}

type ErrorResponse = readonly [name: string, description: string, example: Problem]

const frameworkProblem = (code: string): Problem => toProblem(Object.assign(new Error(), { code }))

const unavailableText =
  'The service is temporarily unavailable. With Retry-After, nothing was changed: wait, then retry. Without it, it is ' +
  'unknown whether a change was saved: check first.'
const otherText =
  'Errors that any request may cause: 413, 414 and 431 if something is too long, 415 for a body where none is expected, 500 for ' +
  'an internal error.'

/** The shared error responses by status. Each example is a problem as the service sends it. */
const errorResponses: Record<string, ErrorResponse> = {
  400: ['BadRequest', 'The request is invalid.', invalid({ $top: ['Must be a whole number from 0 to 1000.'] })],
  401: ['Unauthorized', 'The token is missing or no longer valid.', invalidToken()],
  403: ['ReadOnlyToken', 'The token is read-only.', readOnlyToken()],
  404: ['NotFound', 'It does not exist, or the caller may not see it.', notFound('The event')],
  409: ['Conflict', 'The request conflicts with the current state. Nothing was changed.', appInactive()],
  410: ['Gone', 'The history does not go on from the cursor.', cursorExpired()],
  412: [
    'PreconditionFailed',
    'A newer version exists than the one that was read. Nothing was changed.',
    preconditionFailed(),
  ],
  413: ['TooLarge', 'The body is too large.', frameworkProblem('FST_ERR_CTP_BODY_TOO_LARGE')],
  415: [
    'UnsupportedMediaType',
    'The operation does not accept this type of body.',
    frameworkProblem('FST_ERR_CTP_INVALID_MEDIA_TYPE'),
  ],
  429: ['TooManyRequests', 'Too many requests. Nothing was done; wait, then retry.', rateLimitExceeded(1)],
  503: ['Unavailable', unavailableText, unavailable()],
  default: ['OtherRefusal', otherText, toProblem(undefined)],
}

const documentedHeaders: readonly HeaderName[] = ['WWW-Authenticate', 'Retry-After']

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
    const [name] = response
    this.responses[name] ??= this.#define(status, response)
    const description = listed.map((code) => `\`${onWire(code)}\`: ${codeTexts[code]}`).join('\n\n')
    return { $ref: `#/components/responses/${name}`, ...(description && { description }) }
  }

  #define(status: string, [, description, example]: ErrorResponse): Node {
    const headers = documentedHeaders.filter((name) => name.toLowerCase() in example.headers)
    const isEmpty = status === '401' && !this.#profile.restUnauthorizedBody
    const schema = { $ref: '#/components/schemas/ErrorResponse' }
    return {
      description,
      ...this.#headers.refer(headers),
      ...(!isEmpty && { content: { 'application/json': { schema, example: errorBody(example) } } }),
    }
  }
}
