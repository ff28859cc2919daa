import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import inject, { type Response } from 'light-my-request'
import type { Caller } from '../core/caller.ts'
import { isForwardingHeader } from '../core/network/forwarded.ts'
import { noteFacts } from './request-log/facts.ts'
import type { Server } from './typed-server.ts'

type InProcessRequest = Readonly<{
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string | string[]>
  payload?: string | Buffer
  remoteAddress: string
  /** Ends the request as if the caller had disconnected. */
  signal?: AbortSignal
  /** Keeps it out of the request log. */
  isUnlogged?: boolean
  /** The caller, if the token was checked before; instead of an Authorization header. */
  caller?: Caller
}>

/** Calls our own service in process, with the same checks, limits and responses as over the network. */
export type InProcessCall = (request: InProcessRequest) => Promise<Response>

/** No request from the network is in it. */
const calls = new WeakMap<IncomingMessage, { caller: Caller | undefined }>()

export const isInProcess = (raw: IncomingMessage): boolean => calls.has(raw)

/** The caller that a call in process was made for. */
export const givenCaller = (raw: IncomingMessage): Caller | undefined => calls.get(raw)?.caller

/** Unlike server.inject, still accepts calls while the service closes, so that requests in progress can finish. */
export function callInProcess(server: Server): InProcessCall {
  return async ({ isUnlogged, caller, ...request }) =>
    inject((raw, response) => {
      calls.set(raw, { caller })
      if (isUnlogged) noteFacts({ raw }, { isUnlogged })
      server.routing(raw, response)
    }, request)
}

/** Where the original request came from. Limits and logs of in-process calls apply to it. */
export type RequestSource = Readonly<{
  requestId: string
  remoteAddress: string
  /** The headers that decide whether the request is local: its Host, and what proxies add. */
  forwarded: Record<string, string>
  userAgent: string
}>

export function sourceOf(request: FastifyRequest): RequestSource {
  const { headers } = request
  // An unknown host or address must not pass as this machine.
  const forwarded: Record<string, string> = { host: headers.host ?? 'unknown' }
  for (const name in headers) if (isForwardingHeader(name)) forwarded[name] = String(headers[name])
  return {
    requestId: request.id,
    remoteAddress: request.socket.remoteAddress ?? '0.0.0.0',
    forwarded,
    userAgent: headers['user-agent'] ?? '',
  }
}
