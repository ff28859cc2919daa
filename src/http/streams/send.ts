import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './event-stream.ts'

/** Sends a stream until it, the connection or the service ends. */
export function sendEventStream(
  request: Pick<FastifyRequest, 'raw' | 'server'>,
  reply: FastifyReply,
  live: EventStream,
): FastifyReply {
  reply.raw.once('close', () => live.destroy())
  // The head may have been sent before the service began to close, and so without `Connection: close`.
  reply.raw.once('finish', () => void (request.server.draining && request.raw.socket.end()))
  return reply
    .header('content-type', 'text/event-stream; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(live)
}

/** The id of the event that a reader received last. Browsers reset it with an empty one (HTML, server-sent events), so that is
 *  none. */
export function lastEventId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const id = headers['last-event-id']
  return id ? String(id) : undefined
}
