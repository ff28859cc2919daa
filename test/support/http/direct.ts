import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import inject, { type InjectOptions } from 'light-my-request'
import { DirectReply } from '../../../src/http/direct/direct-reply.ts'
import type { Server } from '../../../src/http/typed-server.ts'

/** Sends a request as a connection would: it takes the direct path if it may. `server.inject` takes the usual one. Observers
 *  have then been told about the response. */
export async function ask(server: Server, request: InjectOptions) {
  const response = await inject((raw, outgoing) => {
    server.server.emit('request', raw as unknown as IncomingMessage, outgoing as unknown as ServerResponse)
  }, request)
  await setImmediate()
  return response
}

/** Notes which path every response took. Call it before the server is ready. */
export function notePaths(server: Server): ('direct' | 'usual')[] {
  const paths: ('direct' | 'usual')[] = []
  server.observeResponses((_request, reply) => paths.push(reply instanceof DirectReply ? 'direct' : 'usual'))
  return paths
}
