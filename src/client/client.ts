import { addressOf, originOf, serviceAddress, type Values } from './address.ts'
import { bodyOf, errorOf, jsonType, type RawAnswer, RefdeskError } from './errors.ts'
import { exchange, untilAborted } from './exchange.ts'
import type { TokenSource } from './tokens.ts'
import type { AnswerOf, CallOptions, FeedPath, InitArgs, Method, PathOf, RowOf } from './types.ts'

export interface ClientOptions {
  /** {base_url}: where the REST interface is, such as `http://localhost:4700/sim/openapi`. */
  baseUrl: string
  /** An access token, or where one comes from: a function of yours, or `refreshingTokens`. */
  token?: string | TokenSource | undefined
  /** How long one try may take, in milliseconds, its answer included: 30,000 unless told. */
  timeoutMs?: number | undefined
  /** How often a call is sent again after a 429 or 503 with Retry-After, which says that nothing was done; and where it
   *  changes nothing also after any other 429 or 503 and after a lost connection: 3. */
  retries?: number | undefined
  /** How many seconds a call may wait between its tries, all in all: 60. A call that the service asks to wait longer
   *  rejects at once; `retryAfterSeconds` of the error says how long. */
  maxWaitSeconds?: number | undefined
  /** Instead of the global one. */
  fetch?: typeof fetch | undefined
}

/** An answer with what came around it. */
export interface Answer<Body> {
  status: number
  /** Such as `ETag`, `Location` and the state of the rate limits. */
  headers: Headers
  body: Body
}

type Call<M extends Method> = <P extends PathOf<M>>(path: P, ...init: InitArgs<P, M>) => Promise<AnswerOf<P, M>>

/**
 * Calls of the REST interface, typed by its API document. They reject with a `RefdeskError`; but with the signal's reason
 * when you give up, with what your own token function throws, and with a `TypeError` when a call cannot be made at all,
 * such as one without a value of its path.
 */
export interface Client {
  /** Reads; gives the body of the answer. */
  get: Call<'get'>
  /** Makes something new. */
  post: Call<'post'>
  /** Puts something in its place. */
  put: Call<'put'>
  /** Changes what is given of something. */
  patch: Call<'patch'>
  /** Removes something. */
  delete: Call<'delete'>
  /** The same for any method, with the status and the headers of the answer. */
  request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...init: InitArgs<P, M>
  ): Promise<Answer<AnswerOf<P, M>>>
  /**
   * All rows of a path that answers page by page, each page asked for when its first row is needed. `break` ends it;
   * `$top` is the size of a page.
   *
   * @example
   * for await (const event of client.rows('/ca/v2/events')) console.log(event.EventId)
   */
  rows<P extends FeedPath>(path: P, ...init: InitArgs<P, 'get'>): AsyncGenerator<RowOf<P>, void, undefined>
  /** The same page by page. */
  pages<P extends FeedPath>(path: P, ...init: InitArgs<P, 'get'>): AsyncGenerator<AnswerOf<P, 'get'>, void, undefined>
}

/** What a call is given, whatever its path. */
type Given = CallOptions & { path?: Values; query?: Values; body?: unknown }

type Page = { Data: unknown[]; __next?: string }

/**
 * A client of the service, for Node and for browsers.
 *
 * @example
 * const client = createClient({ baseUrl: 'http://localhost:4700/sim/openapi', token })
 * const { Data } = await client.get('/ref/v1/instruments', { query: { Keywords: 'apple', AssetTypes: ['Stock'] } })
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = serviceAddress('baseUrl', options.baseUrl, 'http://localhost:4700/sim/openapi')
  const { token, fetch = globalThis.fetch, timeoutMs = 30_000, retries = 3, maxWaitSeconds = 60 } = options
  const source = typeof token === 'string' ? () => token : token
  const patience = { fetch, timeoutMs, retries, maxWaitSeconds }

  async function send(method: Method, url: string, given: Given): Promise<Answer<unknown>> {
    const { body, signal, timeoutMs = patience.timeoutMs } = given
    const headers = headersOf(url, given)
    const init = { method: method.toUpperCase(), headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const attempt = { url, init, isRepeatable: method === 'get', patience: { ...patience, timeoutMs }, signal }
    const raw = await withToken(source, signal, (token) => {
      if (token !== undefined) headers.set('authorization', `Bearer ${checkedToken(token)}`)
      return exchange(attempt)
    })
    if (raw.status >= 300) throw errorOf(raw)
    return { status: raw.status, headers: raw.headers, body: bodyOf(raw, headers.get('accept')) }
  }

  const request = async (method: Method, path: string, given: Given = {}) =>
    send(method, addressOf(baseUrl, path, given.path, given.query), given)

  const call = (method: Method) => async (path: string, given?: Given) => (await request(method, path, given)).body

  async function* pages(path: string, given: Given = {}): AsyncGenerator<Page, void, undefined> {
    let url: string | undefined = addressOf(baseUrl, path, given.path, given.query)
    const seen = new Set<string>()
    while (url !== undefined) {
      seen.add(new URL(url).href)
      const { status, body } = await send('get', url, given)
      const page = body as Page | null
      if (!Array.isArray(page?.Data)) throw new RefdeskError(status, 'InvalidAnswer', 'The answer is no page: no Data.')
      yield page
      url = page.__next === undefined ? undefined : checkedNext(page.__next, baseUrl, seen)
    }
  }

  async function* rows(path: string, given?: Given): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages(path, given)) yield* page.Data
  }

  // The one place where what the API document says is taken for what the service does: its tests see to that.
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    request,
    rows,
    pages,
  } as unknown as Client
}

function headersOf(url: string, { body, headers: more, ifMatch }: Given): Headers {
  const headers = new Headers(more)
  // All of the interface is JSON but these.
  const accept = url.endsWith('/isalive') ? 'text/plain' : jsonType
  if (!headers.has('accept')) headers.set('accept', accept)
  if (ifMatch !== undefined) headers.set('if-match', ifMatch)
  if (body !== undefined) headers.set('content-type', jsonType)
  return headers
}

/** The error of the platform would show the token, in logs perhaps. */
function checkedToken(token: string): string {
  if (/^[\x20-\x7e]*$/.test(token.trim())) return token
  throw new TypeError('The token cannot be sent: it has a line break or another character that no token has.')
}

/** A token that the service refuses is exchanged for another one where there is one, once. */
async function withToken(
  source: TokenSource | undefined,
  signal: AbortSignal | undefined,
  send: (token: string | undefined) => Promise<RawAnswer>,
): Promise<RawAnswer> {
  if (!source) return send(undefined)
  // A refresh serves many calls, so one of them that gives up ends its own wait alone.
  const ask = (refused?: string) => untilAborted(Promise.resolve(source(refused)), signal)
  const token = await ask()
  const answer = await send(token)
  if (answer.status !== 401) return answer
  const other = await ask(token)
  return other === token ? answer : send(other)
}

/** The token goes along, so it must lead to the same service; and to a new page, or the walk would never end. */
function checkedNext(next: string, baseUrl: string, seen: ReadonlySet<string>): string {
  const refuse = (why: string) => new RefdeskError(200, 'InvalidAnswer', `The next page is at ${next}: ${why}`)
  const origin = originOf(next)
  if (origin === undefined) throw refuse('no whole address.')
  if (origin !== originOf(baseUrl))
    throw refuse(`another origin than ${originOf(baseUrl)}. Is baseUrl the service's PUBLIC_URL?`)
  if (seen.has(new URL(next).href)) throw refuse('where this walk has been before.')
  return next
}
