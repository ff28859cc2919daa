import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import { isForwardingHeader } from '../core/network/forwarded.ts'
import type { Server } from './typed-server.ts'

/** Calls our own service in process, with the same checks, limits and responses as over the network. */
export type InProcessCall = (request: {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string | string[]>
  payload?: string | Buffer
  remoteAddress: string
  /** Ends the request as if the caller had disconnected. */
  signal?: AbortSignal
}) => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string; rawPayload: Buffer }>

const inProcess = new WeakSet<IncomingMessage>()

export const isInProcess = (raw: IncomingMessage): boolean => inProcess.has(raw)

/** Unlike server.inject, still accepts calls while the service closes, so that requests in progress can finish. */
export function callInProcess(server: Server): InProcessCall {
  const dispatch = (incoming: IncomingMessage, response: Parameters<Server['routing']>[1]) => {
    inProcess.add(incoming)
    server.routing(incoming, response)
  }
  return (request) => inject(dispatch, request)
}

/** Where the original request came from. Limits and logs of in-process calls apply to it. */
export type RequestSource = Readonly<{
  requestId: string
  remoteAddress: string
  forwarded: Record<string, string>
  userAgent: string
}>

export function sourceOf(request: FastifyRequest): RequestSource {
  const { headers } = request
  const forwarded: Record<string, string> = {}
  for (const name in headers) if (isForwardingHeader(name)) forwarded[name] = String(headers[name])
  return {
    requestId: request.id,
    // An unknown address must not pass as loopback.
    remoteAddress: request.socket.remoteAddress ?? '0.0.0.0',
    forwarded,
    userAgent: headers['user-agent'] ?? '',
  }
}
