import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { randomRequestId } from '../../core/crypto/keys.ts'
import { BoundLog } from '../logging.ts'
import type { Server } from '../typed-server.ts'

const sanePattern = /^[A-Za-z0-9._:-]{1,64}$/

/** The caller's own id where it is harmless in a header and in a log, else one of ours. */
export function requestIdOf(raw: IncomingMessage): string {
  const sent = raw.headers['x-request-id']
  return typeof sent === 'string' && sanePattern.test(sent) ? sent : randomRequestId()
}

export function correlationOf({ caller, id }: Pick<FastifyRequest, 'caller' | 'id'>, nodeName: string): string {
  return [caller?.sessionId ?? '', caller?.appKey ?? '', id, nodeName].join('#')
}

/** The headers of every answer, errors and unknown paths too. */
export function markAnswer(request: FastifyRequest, reply: FastifyReply, nodeName: string): void {
  reply.header('x-correlation', correlationOf(request, nodeName))
  if (request.headers['x-request-id'] === request.id) reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', reply.getHeader('referrer-policy') ?? 'no-referrer')
}

/** An error without the extra members that drivers hang on it: those hold rows, queries and bodies. */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : plainError(error.cause)
  return { type: error.name, message: error.message, stack: error.stack, code, cause }
}

/** Addresses, headers, queries and bodies can hold secrets; whoever logs a request or reply logs nothing of it. */
const serializers = { req: () => undefined, res: () => undefined, err: plainError }

export function secretFreeLog(log: FastifyBaseLogger): FastifyBaseLogger {
  return new BoundLog(log.child({}, { serializers }))
}

/** The one line of a request. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      // The pattern, never the address itself; an unknown path may be a secret pasted in the wrong place.
      route: request.is404 ? undefined : request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      session: request.caller?.sessionId,
      app: request.caller?.appKey,
      address: request.ip,
    },
    'answered',
  )
}

/** Gives every request its caller slot, its id on the wire and in the log, and its one line when it is done. */
export function correlate(server: Server, nodeName: string): void {
  server.decorateRequest('caller', null)
  // Hooks that every request passes call back: each promise costs, and there are a dozen of them.
  server.addHook('onSend', (request, reply, payload, done) => {
    markAnswer(request, reply, nodeName)
    done(null, payload)
  })
  server.addHook('onResponse', (request, reply, done) => {
    logAnswer(request, reply)
    done()
  })
}
