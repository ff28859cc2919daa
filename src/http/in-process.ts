import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { Server } from './typed-server.ts'

/** A call of our own service, made in process: the same checks, limits and answers as over the network. */
export type InProcessCall = (request: {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string | string[]>
  payload?: string | Buffer
  remoteAddress: string
  /** Ends it as a caller does who hangs up. */
  signal?: AbortSignal
}) => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string; rawPayload: Buffer }>

const within = new WeakSet<IncomingMessage>()

/** Whether a request was made in process, for another one that is under way. */
export const isInProcess = (raw: IncomingMessage): boolean => within.has(raw)

/** Not server.inject, which refuses as soon as the service closes: what is under way is still answered. */
export function callInProcess(server: Server): InProcessCall {
  const dispatch = (incoming: IncomingMessage, answer: Parameters<Server['routing']>[1]) => {
    within.add(incoming)
    server.routing(incoming, answer)
  }
  return (request) => inject(dispatch, request)
}

/** Whose request such a call is made for: what the caller itself came with decides limits and logs as if it called. */
export type RequestSource = Readonly<{
  requestId: string
  remoteAddress: string
  forwarded: Record<string, string>
  userAgent: string
}>

const origins = new WeakMap<FastifyRequest, RequestSource>()

/** To be noted as soon as a request comes: who hangs up has no address any more, and must not pass for another. */
export function rememberSource(request: FastifyRequest): void {
  origins.set(request, sourceOf(request))
}

export function sourceOf(request: FastifyRequest): RequestSource {
  const known = origins.get(request)
  if (known) return known
  const { headers } = request
  const forwarded: Record<string, string> = {}
  for (const name of ['x-forwarded-for', 'forwarded'])
    if (headers[name] !== undefined) forwarded[name] = String(headers[name])
  return {
    requestId: request.id,
    // Unknown is nobody's, and never loopback.
    remoteAddress: request.socket.remoteAddress ?? '0.0.0.0',
    forwarded,
    userAgent: headers['user-agent'] ?? '',
  }
}
