import type { RequestSource } from '../../http/in-process.ts'
import { formatQuery, type Query } from '../../http/input/query.ts'

/** One call of our own REST API, made in process. */
export type ApiCall = (request: {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  payload?: string
  remoteAddress: string
}) => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>

/** The API said no; its own words are what the page shows. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly modelState: Record<string, string[]>
  readonly retryAfter: string | undefined

  constructor(status: number, body: string, retryAfter?: string) {
    const told = parsed(body) as { ErrorCode?: string; Message?: string; ModelState?: Record<string, string[]> }
    super(told.Message ?? `The service answered ${status}.`)
    this.name = 'ApiRefusal'
    this.status = status
    this.code = told.ErrorCode ?? ''
    this.modelState = told.ModelState ?? {}
    this.retryAfter = retryAfter
  }

  /** All that is said against the fields, as sentences. */
  get sentences(): string[] {
    const fields = Object.entries(this.modelState).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`))
    return fields.length > 0 ? fields : [this.message]
  }
}

/** A call in process has its path put in order like any address: a part that says "up" would make it another call. */
function refuseDots(path: string): void {
  const [, ...parts] = (path.split('?', 1)[0] ?? '').split('/')
  if (parts.some((part) => /^(\.|%2e){0,2}$/i.test(part)))
    throw new ApiRefusal(404, '{"Message":"There is no such thing."}')
}

function parsed(body: string): object {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

type Given = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The path below {base_url} with its query; parameters without a value are left out. */
export function withQuery(path: string, parameters: Given = {}): string {
  const query: Query = {}
  for (const [name, value] of Object.entries(parameters)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') query[name] = [text]
  }
  const text = formatQuery(query)
  return text === '' ? path : `${path}?${text}`
}

/** The public operations, called with the token of the session: the console can show nothing that another app could not. */
export class Api {
  readonly #call: ApiCall
  readonly #basePath: string
  readonly #token: string
  readonly #origin: RequestSource

  constructor(call: ApiCall, basePath: string, token: string, origin: RequestSource) {
    this.#call = call
    this.#basePath = basePath
    this.#token = token
    this.#origin = origin
  }

  /** `path` is below {base_url}; parameters without a value are left out. */
  async get<Answer>(path: string, parameters: Given = {}): Promise<Answer> {
    return JSON.parse((await this.#send('GET', withQuery(path, parameters))).body) as Answer
  }

  /** The same for something that may not be there: undefined for 404. */
  async find<Answer>(path: string, parameters: Given = {}): Promise<Answer | undefined> {
    return this.get<Answer>(path, parameters).catch((error: unknown) => {
      if (error instanceof ApiRefusal && error.status === 404) return undefined
      throw error
    })
  }

  /** An answer as it is, for files that are handed on. */
  async text(path: string, parameters: Given, accept: string): Promise<string> {
    return (await this.#send('GET', withQuery(path, parameters), undefined, { accept })).body
  }

  /** The entity tag alone: whoever says that any version is known to them is answered 304, the tag and nothing else. */
  async tag(path: string): Promise<string> {
    return String((await this.#send('GET', path, undefined, { 'if-none-match': '*' })).headers.etag ?? '')
  }

  async send<Answer = undefined>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await this.#send(method, path, body, headers)
    return (answer.body === '' ? undefined : JSON.parse(answer.body)) as Answer
  }

  async #send(
    method: Sent['method'],
    path: string,
    body?: object,
    more: Record<string, string> = {},
  ): ReturnType<ApiCall> {
    refuseDots(path)
    const { requestId, remoteAddress, forwarded, userAgent } = this.#origin
    const answer = await this.#call({
      method,
      url: `${this.#basePath}${path}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'x-request-id': requestId,
        'user-agent': userAgent,
        ...forwarded,
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      remoteAddress,
      ...(body && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 400) {
      const retryAfter = answer.headers['retry-after']
      throw new ApiRefusal(answer.statusCode, answer.body, retryAfter === undefined ? undefined : String(retryAfter))
    }
    return answer
  }
}

type Sent = Parameters<ApiCall>[0]
