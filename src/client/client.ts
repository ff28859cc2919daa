import { addressOf, originOf, serviceAddress, type Values } from './address.ts'
import { type Change, type ChangesOptions, followChanges, lostConnection, type OpenStream } from './changes.ts'
import { bodyOf, errorOf, jsonType, RefdeskError } from './errors.ts'
import { exchange, untilAborted } from './exchange.ts'
import type { TokenSource } from './tokens.ts'
import type { AnswerOf, CallOptions, FeedPath, InitArgs, Method, PathOf, RowOf } from './types.ts'

export interface ClientOptions {
  /** {base_url}: the base URL of the REST API, such as `http://localhost:4700/sim/openapi`. */
  baseUrl: string
  /** An access token, or a function that returns one, such as `refreshingTokens`. */
  token?: string | TokenSource | undefined
  /** Timeout of one attempt in milliseconds, including the body. Default 30,000. */
  timeoutMs?: number | undefined
  /** Retries after a 429 or 503 with Retry-After, which means that nothing was done. GET is also retried after any other
   *  429 or 503 and after a lost connection. Default 3. */
  retries?: number | undefined
  /** Total seconds that a call may wait between attempts. Default 60. If the service asks for more, the call rejects
   *  immediately, with `retryAfterSeconds` in the error. */
  maxWaitSeconds?: number | undefined
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
}

/** A response with its status and headers. */
export interface Answer<Body> {
  status: number
  /** Such as `ETag`, `Location` and the rate limits. */
  headers: Headers
  body: Body
}

type Call<M extends Method> = <P extends PathOf<M>>(path: P, ...init: InitArgs<P, M>) => Promise<AnswerOf<P, M>>

/** Calls of the REST API, typed by its API document. They reject with a `RefdeskError`, with the signal's reason, with
 *  what your token function throws, or with a `TypeError` if a path parameter is missing. */
export interface Client {
  /** These return the body of the response. */
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  patch: Call<'patch'>
  delete: Call<'delete'>
  /** Any method; returns status and headers too. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: InitArgs<P, M>
  ): Promise<Answer<AnswerOf<P, M>>>
  /**
   * All rows of a paged list. A page is requested when its first row is needed; `$top` is the page size.
   *
   * @example
   * for await (const event of client.rows('/ca/v2/events')) console.log(event.EventId)
   */
  rows<P extends FeedPath>(path: P, ...init: InitArgs<P, 'get'>): AsyncGenerator<RowOf<P>, void, undefined>
  /** The same, page by page. */
  pages<P extends FeedPath>(path: P, ...init: InitArgs<P, 'get'>): AsyncGenerator<AnswerOf<P, 'get'>, void, undefined>
  /**
   * Changes of the data after a cursor, and then as they come, each once and in order. Connects again by itself. Store the `Cursor` of
   * the last change that you have applied.
   *
   * @example
   * for await (const change of client.changes({ since, kinds: ['instrument'] })) await apply(change)
   */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>
}

type UntypedInit = CallOptions & { path?: Values; query?: Values; body?: unknown }

type Page = { Data: unknown[]; __next?: string }

/**
 * Creates a client for Node or a browser.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:4700/sim/openapi', token })
 * const { Data } = await client.get('/ref/v1/instruments', { query: { Keywords: 'apple', AssetTypes: ['Stock'] } })
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = serviceAddress('baseUrl', options.baseUrl, 'http://localhost:4700/sim/openapi')
  const { token, fetch = globalThis.fetch, timeoutMs = 30_000, retries = 3, maxWaitSeconds = 60 } = options
  const tokenSource = typeof token === 'string' ? () => token : token
  const retryOptions = { fetch, timeoutMs, retries, maxWaitSeconds }

  async function send(method: Method, url: string, init: UntypedInit): Promise<Answer<unknown>> {
    const { body, signal, timeoutMs = retryOptions.timeoutMs } = init
    const headers = headersOf(url, init)
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = { method: method.toUpperCase(), headers, ...json }
    const options = { ...retryOptions, timeoutMs }
    const raw = await withToken(tokenSource, signal, (token) => {
      if (token !== undefined) headers.set('authorization', `Bearer ${checkedToken(token)}`)
      return exchange({ url, init: request, isRepeatable: method === 'get', options, signal })
    })
    if (raw.status >= 300) throw errorOf(raw)
    return { status: raw.status, headers: raw.headers, body: bodyOf(raw, headers.get('accept')) }
  }

  const request = async (method: Method, path: string, init: UntypedInit = {}) =>
    send(method, addressOf(baseUrl, path, init.path, init.query), init)

  const call = (method: Method) => async (path: string, init?: UntypedInit) => (await request(method, path, init)).body

  async function* pages(path: string, init: UntypedInit = {}): AsyncGenerator<Page, void, undefined> {
    let url: string | undefined = addressOf(baseUrl, path, init.path, init.query)
    const seen = new Set<string>()
    while (url !== undefined) {
      seen.add(new URL(url).href)
      const { status, body } = await send('get', url, init)
      const page = body as Page | null
      if (!Array.isArray(page?.Data))
        throw new RefdeskError(status, 'InvalidAnswer', 'The response is not a page: it has no Data.')
      yield page
      url = page.__next === undefined ? undefined : checkedNext(page.__next, baseUrl, seen)
    }
  }

  async function* rows(path: string, init?: UntypedInit): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(path, init)) yield* page.Data
  }

  // The service's tests check that its responses match the API document, so the types can be trusted.
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    request,
    rows,
    pages,
    changes: (options: ChangesOptions = {}) => followChanges(streamOpener(baseUrl, fetch, tokenSource), options),
  } as unknown as Client
}

/** Opens the stream of changes. */
const streamOpener =
  (baseUrl: string, send: typeof fetch, tokenSource: TokenSource | undefined): OpenStream =>
  (query, signal) =>
    withToken(tokenSource, signal, async (token) => {
      const headers = new Headers({ accept: 'text/event-stream' })
      if (token !== undefined) headers.set('authorization', `Bearer ${checkedToken(token)}`)
      const url = addressOf(baseUrl, '/x/v1/changes', {}, query)
      return send(url, { headers, signal }).catch((cause) => Promise.reject(lostConnection(cause)))
    })

function headersOf(url: string, { body, headers: more, ifMatch }: UntypedInit): Headers {
  const headers = new Headers(more)
  // Everything else is JSON.
  const accept = url.endsWith('/isalive') ? 'text/plain' : jsonType
  if (!headers.has('accept')) headers.set('accept', accept)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (body !== undefined) headers.set('content-type', jsonType)
  return headers
}

/** The platform's own error would show the token, perhaps in a log. */
function checkedToken(token: string): string {
  if (/^[\x20-\x7e]*$/.test(token.trim())) return token
  throw new TypeError('The token cannot be sent: it has a line break or another character that no token has.')
}

/** Retries once with another token after a 401, if there is one. */
async function withToken<Received extends { status: number }>(
  tokenSource: TokenSource | undefined,
  signal: AbortSignal | undefined,
  send: (token: string | undefined) => Promise<Received>,
): Promise<Received> {
  if (!tokenSource) return send(undefined)
  // Many calls share a refresh, so an aborted call ends only its own wait.
  const getToken = (rejected?: string) => untilAborted(Promise.resolve(tokenSource(rejected)), signal)
  const token = await getToken()
  const response = await send(token)
  if (response.status !== 401) return response
  const other = await getToken(token)
  return other === token ? response : send(other)
}

/** The next page gets the token too, so it must have the same origin. It must also be new, or paging would never end. */
function checkedNext(next: string, baseUrl: string, seen: ReadonlySet<string>): string {
  const invalid = (why: string) => new RefdeskError(200, 'InvalidAnswer', `The URL of the next page, ${next}, ${why}`)
  const origin = originOf(next)
  if (origin === undefined) throw invalid('is not absolute.')
  if (origin !== originOf(baseUrl))
    throw invalid(`is not on ${originOf(baseUrl)}. Is baseUrl the service's PUBLIC_URL?`)
  if (seen.has(new URL(next).href)) throw invalid('was already read.')
  return next
}
