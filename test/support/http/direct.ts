import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import inject, { type InjectOptions } from 'light-my-request'
import { DirectReply } from '../../../src/http/direct/direct-reply.ts'
import type { Server } from '../../../src/http/typed-server.ts'

export type Sent = Omit<InjectOptions, 'headers'> & { headers?: Record<string, string> }

/** Sends a request as a connection would: it takes the direct path if it may. `server.inject` takes the usual one. */
export const ask = async (server: Server, request: Sent) =>
  inject((raw, outgoing) => {
    server.server.emit('request', raw as unknown as IncomingMessage, outgoing as unknown as ServerResponse)
  }, request)

export const askUsual = (server: Server, request: Sent) => server.inject(request)

/** Sends one request after the other, with the path that each took. */
export function askAndNotePath(server: Server) {
  let url: unknown
  let path: 'direct' | 'usual' | undefined
  server.observeResponses((request, reply) => {
    if (request.raw.url === url) path = reply instanceof DirectReply ? 'direct' : 'usual'
  })
  return async (request: Sent, send = ask) => {
    url = request.url
    path = undefined
    const response = await send(server, request)
    // Observers are notified after the response.
    while (path === undefined) await setImmediate()
    return { response, path }
  }
}
