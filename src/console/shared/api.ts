import { LRUCache } from 'lru-cache'
import type { RequestSource } from '../../http/in-process.ts'
import { hasDotSegments } from '../../http/input/dot-segments.ts'
import { formatQuery, type Query } from '../../http/input/query.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type ApiCall = (request: {
  method: Method
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
  remoteAddress: string
  isUnlogged?: boolean
}) => Promise<ApiResponse>

type ApiResponse = {
  statusCode: number
  headers: Record<string, unknown>
  body: string
  source?: Buffer | string | undefined
}
type ErrorBody = Readonly<{ ErrorCode?: string; Message?: string; ModelState?: Record<string, string[]> }>

export class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly modelState: Record<string, string[]>
  readonly retryAfter: string | undefined

  constructor(status: number, message: string, { ErrorCode, ModelState = {} }: ErrorBody = {}, retryAfter?: unknown) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = ErrorCode
    this.modelState = ModelState
    this.retryAfter = retryAfter === undefined ? undefined : String(retryAfter)
  }

  static from({ statusCode, headers, body }: ApiResponse): ApiError {
    const error = parseError(body)
    const message = error.Message ?? `The service returned status ${statusCode}.`
    return new ApiError(statusCode, message, error, headers['retry-after'])
  }

  static unavailable(status: 429 | 503 = 503, retryAfter = '1'): ApiError {
    return new ApiError(status, 'Nothing was changed. Try again shortly.', {}, retryAfter)
  }

  /** The errors of all fields, or the message if no field is named. */
  get messages(): string[] {
    return this.messagesExcept([])
  }

  messagesExcept(fields: readonly string[]): string[] {
    const errors = Object.entries(this.modelState)
    if (errors.length === 0) return [this.message]
    const others = errors.filter(([field]) => !fields.includes(field))
    return others.flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`))
  }
}

export const isApiError = (error: unknown, ...statuses: number[]): error is ApiError =>
  error instanceof ApiError && statuses.includes(error.status)

/** For `catch`: returns the API error if it has one of these statuses, rethrows anything else. */
export const catchApiError =
  (...statuses: number[]) =>
  (error: unknown): ApiError => {
    if (isApiError(error, ...statuses)) return error
    throw error
  }

/** For `catch`: returns undefined for the API errors that match, rethrows anything else. */
export const undefinedIf =
  (matches: (error: ApiError) => boolean) =>
  (error: unknown): undefined => {
    if (!(error instanceof ApiError && matches(error))) throw error
  }

function parseError(body: string): ErrorBody {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

type QueryParameters = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The path with its query. Parameters without a value are omitted, lists are comma-separated. */
export function withQuery(path: string, parameters: QueryParameters = {}): string {
  const query: Query = {}
  for (const [name, value] of Object.entries(parameters)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') query[name] = [text]
  }
  const text = formatQuery(query)
  return text === '' ? path : `${path}?${text}`
}

type Sent = Readonly<{
  body?: object | undefined
  /** Sent instead of a body as JSON. */
  bytes?: Buffer
  more?: object
  isUnlogged?: boolean
}>

/** Sends requests with a token from where the page was requested. */
function sender(call: ApiCall, baseUrl: URL, token: string, source: RequestSource) {
  const { requestId, remoteAddress, forwarded, userAgent } = source
  const { pathname: basePath } = baseUrl
  const common = {
    authorization: `Bearer ${token}`,
    'x-request-id': requestId,
    'user-agent': userAgent,
    ...forwarded,
  }
  return async (method: Method, path: string, { body, bytes, more, isUnlogged = false }: Sent = {}) => {
    if (hasDotSegments(path)) throw new ApiError(404, 'Not found.')
    return call({
      method,
      url: `${basePath}${path}`,
      headers: body || more ? { ...common, ...(body && { 'content-type': 'application/json' }), ...more } : common,
      remoteAddress,
      ...(isUnlogged && { isUnlogged }),
      ...(body && { payload: JSON.stringify(body) }),
      ...(bytes && { payload: bytes }),
    })
  }
}

const maxShared = { texts: 32, characters: 200_000 }
const shared = new LRUCache<string, object>({ max: maxShared.texts })

/** The same value for the same body, parsed once. The bodies used last are kept, and no one may change the value. */
function parseShared({ body }: ApiResponse): object {
  const value: object = shared.get(body) ?? JSON.parse(body)
  if (body.length <= maxShared.characters) shared.set(body, value)
  return value
}

/** Calls public operations with the session's token: the console sees nothing that another app could not.
 *  Paths are relative to {base_url}. */
export function apiClient(...given: Parameters<typeof sender>) {
  const request = sender(...given)

  async function send(...sent: Parameters<typeof request>) {
    const response = await request(...sent)
    if (response.statusCode >= 400) throw ApiError.from(response)
    return response
  }

  const get = async <Body>(path: string, parameters: QueryParameters = {}): Promise<Body> =>
    JSON.parse((await send('GET', withQuery(path, parameters))).body)

  /** Like `get`, for what many pages read: an unchanged body is the same value, which no one may change. */
  const getShared = async <Body>(path: string): Promise<Body> => parseShared(await send('GET', path)) as Body

  return {
    get,
    getShared,
    /** Like `get`, but not in the request log. */
    getUnlogged: async <Body>(path: string, parameters: QueryParameters): Promise<Body> =>
      JSON.parse((await send('GET', withQuery(path, parameters), { isUnlogged: true })).body),
    /** Sends a GET request whose answer is read in the request log. */
    repeat: async (path: string): Promise<void> => void (await request('GET', path)),
    /** The body together with its entity tag, for If-Match. */
    getTagged: async <Body>(path: string, parameters: QueryParameters): Promise<{ body: Body; tag: string }> => {
      const { body, headers } = await send('GET', withQuery(path, parameters))
      return { body: JSON.parse(body), tag: String(headers.etag ?? '') }
    },
    /** Like `get`, but undefined for 404. */
    find: <Body>(path: string, parameters: QueryParameters = {}): Promise<Body | undefined> =>
      get<Body>(path, parameters).catch(undefinedIf(({ status }) => status === 404)),
    /** Like `getShared`, but undefined for 404. */
    findShared: <Body>(path: string): Promise<Body | undefined> =>
      getShared<Body>(path).catch(undefinedIf(({ status }) => status === 404)),
    text: async (path: string, parameters: QueryParameters, accept: string): Promise<string> =>
      (await send('GET', withQuery(path, parameters), { more: { accept } })).body,
    /** The entity tag alone: `If-None-Match: *` makes the API answer 304 without a body. */
    etag: async (path: string): Promise<string> =>
      String((await send('GET', path, { more: { 'if-none-match': '*' } })).headers.etag ?? ''),
    /** Sends a form with files. */
    sendForm: async <Body>(path: string, form: FormData): Promise<Body> => {
      const encoded = new Response(form)
      const more = { 'content-type': encoded.headers.get('content-type') ?? '' }
      const bytes = Buffer.from(await encoded.arrayBuffer())
      return JSON.parse((await send('POST', path, { bytes, more })).body)
    },
    send: async <Body = undefined>(
      method: Exclude<Method, 'GET'>,
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Body> => {
      const response = await send(method, path, { body, more: headers })
      return (response.body === '' ? undefined : JSON.parse(response.body)) as Body
    },
  }
}

export type ApiClient = ReturnType<typeof apiClient>
