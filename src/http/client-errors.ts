import type { Socket } from 'node:net'
import { randomRequestId } from '../core/crypto/keys.ts'
import { reasonPhrases } from '../core/network/node-http.ts'

type ConnectionError = Error & { code?: string }

function describeError(error: ConnectionError): readonly [number, string] {
  if (error.code === 'HPE_HEADER_OVERFLOW') return [431, 'The headers are too large.']
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return [408, 'The request took too long to arrive.']
  return [400, 'This is not a valid HTTP request.']
}

/** Responds to what Node cannot parse, which no route ever sees, in the same form as every other error. */
export function handleClientErrors(nodeName: string): (error: ConnectionError, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
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
      'Connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}
