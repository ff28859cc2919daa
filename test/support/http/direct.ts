import type { IncomingMessage, ServerResponse } from 'node:http'
import inject, { type InjectOptions } from 'light-my-request'
import { DirectReply } from '../../../src/http/direct/direct-reply.ts'
import type { Server } from '../../../src/http/typed-server.ts'

/** Sends a request as a connection would: it takes the direct path if it may. `server.inject` takes the usual one. */
export const ask = (server: Server, request: InjectOptions) =>
  inject((raw, response) => {
    server.server.emit('request', raw as unknown as IncomingMessage, response as unknown as ServerResponse)
  }, request)

/** Notes which path every response took. Call it before the server is ready. */
export function notePaths(server: Server): ('direct' | 'usual')[] {
  const paths: ('direct' | 'usual')[] = []
  server.observeResponses((_request, reply) => paths.push(reply instanceof DirectReply ? 'direct' : 'usual'))
  return paths
}
