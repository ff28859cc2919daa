import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ApiDocument, mediaTypeOf } from '../../support/openapi/api-document.ts'
import type { Document } from '../requests/draft.ts'
import type { FuzzRequest } from '../requests/generate.ts'
import { headerMark, scriptMark } from '../requests/hostile.ts'
import type { Target } from '../requests/targets.ts'
import { type RequestHead, readHead } from './request-line.ts'
import type { Response } from './response.ts'

/** What no error may show: an implementation, or a value that was never meant to be text, unless it was sent. */
const leaks =
  /\b(TypeError|RangeError|ReferenceError|SyntaxError|ECONN\w+|node_modules|SQLSTATE|relation "|syntax error at or near|at \S+ \(\S+:\d+:\d+\))|\[object Object\]|\bundefined\b|\bNaN\b/

/** Statuses of a request that reached no operation. 408 and 417 are about the connection, not about the request. */
const withoutOperation = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 429, 431, 503])

type Route = Readonly<{ id: string; method: string; pattern: RegExp; fixed: number; isPage: boolean }>

/** Compares responses with the document, and with what holds for all of them. */
export class Checker {
  readonly #document: ApiDocument
  readonly #routes: readonly Route[]
  readonly #basePath: string

  constructor(document: Document, targets: readonly Target[], basePath: string) {
    this.#document = new ApiDocument(document)
    this.#basePath = basePath
    this.#routes = targets.map(({ id, method, path, isPage }) => {
      const words = path.split('/')
      const source = words.map((word) => (word.startsWith('{') ? '[^/]+' : RegExp.escape(word))).join('/')
      const fixed = words.filter((word) => !word.startsWith('{')).length
      return { id, method, pattern: new RegExp(`^${source}/?$`, 'i'), fixed, isPage }
    })
  }

  /** What is wrong with a response, if anything. */
  problemOf({ kind }: FuzzRequest, bytes: Buffer, response: Response): string | undefined {
    const { status } = response
    if (status >= 500 && status !== 503) return `status ${status}`
    const text = textOf(response)
    const common = commonProblem(bytes, response, text)
    if (common !== undefined) return common
    const head = readHead(bytes)
    // Whatever its frame does to a request, only these rules apply.
    if (kind === 'frame' || !head) return undefined
    const route = this.#routeOf(head)
    if (!route || head.method === 'HEAD')
      return head.method === 'HEAD' ? undefined : this.#unroutedProblem(head, response, text)
    if (route.isPage) return undefined
    // Before the path is known, so its body is that of a REST error everywhere.
    if (status === 431) return this.#unroutedProblem({ ...head, path: `${this.#basePath}/` }, response, text)
    const header = (name: string) => response.headers.get(name.toLowerCase())
    const body = response.body.length === 0 ? null : text
    const problem = this.#document.responseError({ operationId: route.id, status, header, body })
    return problem === undefined ? undefined : `${route.id} ${status}: ${problem}`
  }

  /** Everything that no operation answers has a status of its own kind and, below the base path, an error body. */
  #unroutedProblem(head: RequestHead, response: Response, text: string): string | undefined {
    const { status, headers } = response
    const isRest = head.path.toLowerCase().startsWith(`${this.#basePath}/`)
    if (!isRest || (head.method === 'OPTIONS' && status === 204)) return undefined
    if (!withoutOperation.has(status)) return `no operation, and status ${status}`
    if (mediaTypeOf(headers.get('content-type')) !== 'application/json')
      return `no operation, ${status} without an error body`
    const { ErrorCode, Message } = JSON.parse(text) as { ErrorCode?: unknown; Message?: unknown }
    return typeof ErrorCode === 'string' && typeof Message === 'string'
      ? undefined
      : 'an error without ErrorCode and Message'
  }

  #routeOf({ method, path }: RequestHead): Route | undefined {
    const found = this.#routes.filter((route) => route.method === method && route.pattern.test(path))
    return found.toSorted((a, b) => b.fixed - a.fixed)[0]
  }
}

function commonProblem(request: Buffer, { status, headers, body }: Response, text: string): string | undefined {
  if (!headers.has('x-correlation')) return `${status} without X-Correlation`
  if (headers.has(headerMark.toLowerCase())) return 'a value became a header'
  if (status === 503 && !headers.has('retry-after') && !text.includes('may or may not'))
    return '503 without Retry-After'
  if (status === 429 && !headers.has('retry-after')) return '429 without Retry-After'
  const type = mediaTypeOf(headers.get('content-type'))
  if (body.length > 0 && type === '') return `${status} with a body and no Content-Type`
  if (type === 'text/html' && text.includes(scriptMark)) return 'a page with text that is not escaped'
  if (type === 'text/html' && !headers.has('content-security-policy')) return 'a page without a content security policy'
  if (status >= 400 && type === 'application/json' && text !== '') return errorProblem(request, text)
  return undefined
}

/** The names of fields come from the request, and sentences may quote it. */
function errorProblem(request: Buffer, text: string): string | undefined {
  const body = JSON.parse(text) as {
    Message?: string
    error_description?: string
    ModelState?: Record<string, string[]>
  }
  const sentences = [body.Message, body.error_description, ...Object.values(body.ModelState ?? {}).flat()]
  const found = sentences.flatMap((each) => leaks.exec(each ?? '')?.[0] ?? [])[0]
  if (found === undefined || request.includes(found) || request.includes(encodeURIComponent(found))) return undefined
  return `an error that says ${found}`
}

export function textOf({ headers, body }: Response): string {
  const coding = headers.get('content-encoding')
  if (body.length === 0) return ''
  if (coding === 'br') return brotliDecompressSync(body).toString()
  return (coding === 'gzip' ? gunzipSync(body) : body).toString()
}

/** Different with every response. */
const varying = new Set(['date', 'x-correlation', 'x-request-id', 'content-length'])

/** How the responses to a foreign and to an unknown id differ, if they do. Each repeats its own id; the lengths of bodies are
 *  compared with the bodies. */
export function differenceOf(foreign: Response, unknown: Response, ids: readonly [string, string]): string | undefined {
  if (foreign.status !== unknown.status) return `the statuses are ${foreign.status} and ${unknown.status}`
  const names = (response: Response) => [...response.headers.keys()].filter((name) => !isVarying(name)).sort()
  if (names(foreign).join() !== names(unknown).join())
    return `the headers are ${names(foreign).join(', ')} and ${names(unknown).join(', ')}`
  for (const name of names(foreign)) {
    // The link to the explanation has the request, encoded.
    const valueOf = ({ headers }: Response) =>
      name === 'link' ? decodeURIComponent(headers.get(name) ?? '') : headers.get(name)
    const [one, two] = [valueOf(foreign), valueOf(unknown)]
    if (one !== two && masked(one ?? '', ids[0]) !== masked(two ?? '', ids[1]))
      return `the header ${name} is ${one} and ${two}`
  }
  const [one, two] = [masked(textOf(foreign), ids[0]), masked(textOf(unknown), ids[1])]
  return one === two ? undefined : `the bodies are ${one.slice(0, 300)} and ${two.slice(0, 300)}`
}

const isVarying = (name: string): boolean =>
  varying.has(name) || name.startsWith('x-ratelimit-') || name === 'retry-after'

/** A number is masked only where it stands alone. */
function masked(text: string, id: string): string {
  if (id === '') return text
  if (/^\d+$/.test(id)) return text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '(id)')
  return text.replaceAll(id, '(id)').replaceAll(encodeURIComponent(id), '(id)')
}
