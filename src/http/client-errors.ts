import type { Socket } from 'node:net'
import { randomRequestId } from '../core/crypto/keys.ts'
import { reasonPhrases, responseOn } from '../core/network/node-http.ts'
import { type NodeFacts, strictTransport } from './output/correlation.ts'

type ConnectionError = Error & { code?: string }

function describeError(error: ConnectionError): readonly [number, string] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, 'The headers are too large.']
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to arrive.']
  return [400, 'This is not a valid HTTP request.']
}

function answerTo(error: ConnectionError, { nodeName, isHttpsOnly }: NodeFacts): string {
  const [status, message] = describeError(error)
  const body = JSON.stringify({ ErrorCode: 'InvalidRequest', Message: message })
  const head = [
    `HTTP/1.1 ${status} ${reasonPhrases[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Referrer-Policy: no-referrer',
    `X-Correlation: ##${randomRequestId()}#${nodeName}`,
    ...(isHttpsOnly ? [`Strict-Transport-Security: ${strictTransport}`] : []),
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const ignore = () => {}

/** Responds to what Node cannot parse or waited for too long, in the same form as every other error, and ends the
 *  connection: what the caller still sends, or does not read, must not keep it open. */
export function handleClientErrors(
  node: NodeFacts,
  lingerMs: number,
): (error: ConnectionError, socket: Socket) => void {
  const ending = new WeakSet<Socket>()
  return (error, socket) => {
    if (ending.has(socket)) return
    // A response that has begun cannot be followed by an error.
    if (error.code === 'ECONNRESET' || !socket.writable || responseOn(socket)?.headersSent) {
      socket.destroy()
      return
    }
    ending.add(socket)
    // Closed with something unread, the connection would be reset, and the caller could lose the response.
    socket.removeAllListeners('data').on('data', ignore)
    socket.end(answerTo(error, node))
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}
