import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { randomRequestId } from '../core/crypto/keys.ts'
import { reasonPhrases } from '../core/network/node-http.ts'
import { type ConnectionLimits, limits } from './limits/buckets.ts'
import { type NodeFacts, strictTransport } from './output/correlation.ts'

type ConnectionError = Error & { code?: string }
type Limits = Pick<ConnectionLimits, 'headersTimeoutMs' | 'requestTimeoutMs' | 'lingerMs'>
type Options = Readonly<{ node: NodeFacts; limits: Limits; log: FastifyBaseLogger; pending: PendingResponses }>

const lineEnds = 'A line or a chunk does not end with CR LF. Send CR LF.'

/** What was wrong and what to send instead, by the code of the parser. */
const invalidTexts: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: 'The request does not begin with an HTTP method. Send a line such as: GET /path HTTP/1.1',
  HPE_INVALID_URL:
    'The address is not valid. Send a path that begins with / and percent-encode everything that is not ASCII.',
  HPE_INVALID_CONSTANT: 'The address is not followed by an HTTP version. Send HTTP/1.1 there, and %20 for each space.',
  HPE_INVALID_VERSION: 'The first line does not end with an HTTP version and CR LF. Send HTTP/1.1 and CR LF.',
  HPE_PAUSED_H2_UPGRADE: 'HTTP/2 is not supported here. Send HTTP/1.1.',
  HPE_INVALID_HEADER_TOKEN:
    'A header is not valid. Send Name: value, without spaces in the name or control characters in the value.',
  HPE_UNEXPECTED_SPACE: 'A header begins with a space. Send each header in one line that begins with its name.',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is not valid. Send the length of the body in bytes, with digits only.',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'The length of the body is sent in two ways. Send one Content-Length.',
  HPE_INVALID_TRANSFER_ENCODING:
    'Transfer-Encoding is not valid. Send it with the value chunked and without Content-Length, or only Content-Length.',
  HPE_INVALID_CHUNK_SIZE: 'The size of a chunk is not valid. Send it in hexadecimal digits, or send Content-Length.',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'The extensions of the chunks are too large. Send chunks without extensions.',
  HPE_STRICT: lineEnds,
  HPE_CR_EXPECTED: lineEnds,
  HPE_LF_EXPECTED: lineEnds,
  HPE_CLOSED_CONNECTION: 'More follows a request with Connection: close. Send it on another connection.',
  HPE_INVALID_EOF_STATE: 'The connection was closed within a request. Send the whole request.',
}

function describeError({ code = '' }: ConnectionError, bounds: Limits): readonly [number, string] {
  const [headers, whole] = [bounds.headersTimeoutMs / 1_000, bounds.requestTimeoutMs / 1_000]
  if (code === 'HPE_HEADER_OVERFLOW')
    return [
      431,
      `The headers are too large, or there are too many. Send fewer, and at most ${limits.headerBytes / 1_024} KiB with the address.`,
    ]
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return [
      408,
      `The request took too long to arrive. Send its headers within ${headers} s and all of it within ${whole} s.`,
    ]
  return [400, invalidTexts[code] ?? 'This is not a valid HTTP request. Send an HTTP/1.1 request.']
}

type Described = Readonly<{ status: number; message: string; requestId: string }>

function responseText({ status, message, requestId }: Described, { nodeName, isHttpsOnly }: NodeFacts): string {
  const body = JSON.stringify({ ErrorCode: 'InvalidRequest', Message: message })
  const head = [
    `HTTP/1.1 ${status} ${reasonPhrases[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    `X-Correlation: ##${requestId}#${nodeName}`,
    ...(isHttpsOnly ? [`Strict-Transport-Security: ${strictTransport}`] : []),
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Whether a request that has arrived whole waits for its response: the error is in what follows it. */
const hasWholeRequest = ({ req, closed }: ServerResponse): boolean => req.complete && !closed

/** Responds to what Node cannot parse or waited for too long, in the same form as every other error, and ends the
 *  connection: what the caller still sends, or does not read, must not keep it open. */
export class ClientErrors {
  /** How many were answered, by status. */
  readonly counts = new Map<number, number>()
  readonly #options: Options
  readonly #ending = new WeakSet<Socket>()
  readonly #answered = new WeakSet<Socket>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Whether the connection ends with an error, after the responses to the requests before it. Later requests must not be executed. */
  isEnding(socket: Socket): boolean {
    return this.#ending.has(socket)
  }

  /** Whether the error was sent. A request whose body arrives afterwards must not be executed. */
  isAnswered(socket: Socket): boolean {
    return this.#answered.has(socket)
  }

  readonly handle = (error: ConnectionError, socket: Socket): void => {
    if (this.#ending.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    this.#ending.add(socket)
    this.#answerNext(error, socket)
  }

  /** After the responses to the requests before, which may have changed something. */
  #answerNext(error: ConnectionError, socket: Socket): void {
    const response = this.#options.pending.first(socket)
    // A response that is still being made cannot be followed by an error, and may never end.
    if (response?.headersSent && !response.writableEnded) socket.destroy()
    else if (response && hasWholeRequest(response)) response.once('close', () => this.#answerNext(error, socket))
    // Otherwise the last response has ended the connection.
    else if (socket.writable) this.#answer(error, socket)
  }

  #answer(error: ConnectionError, socket: Socket): void {
    const { node, limits: bounds, log } = this.#options
    const [status, message] = describeError(error, bounds)
    const requestId = randomRequestId()
    this.#answered.add(socket)
    socket.end(responseText({ status, message, requestId }, node))
    setTimeout(() => socket.destroy(), bounds.lingerMs).unref()
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1)
    // A line per connection, at the level of the line that every response has. Never bytes of the request, which may be secrets.
    log.info({ reqId: requestId, status, code: error.code, address: socket.remoteAddress }, 'request not readable')
  }
}

/** The responses that each connection still waits for. A caller that pipelines requests waits for several. */
export class PendingResponses {
  readonly #bySocket = new WeakMap<Socket, ServerResponse[]>()

  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const pending = this.#bySocket.getOrInsertComputed(socket, () => [])
    pending.push(response)
    response.once('close', () => void pending.splice(pending.indexOf(response), 1))
  }

  /** The response that is made or sent now. */
  first(socket: Socket): ServerResponse | undefined {
    return this.#bySocket.get(socket)?.[0]
  }
}
