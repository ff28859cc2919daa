import type { ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'

/** Called for every response that was sent, with the time that it took. */
export type Observer = (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void

/** Notifies observers of responses. An observer that fails harms nothing else. */
export class Observations {
  readonly #observers: Observer[] = []
  readonly #log: FastifyBaseLogger

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  addObserver(observer: Observer): void {
    this.#observers.push(observer)
  }

  add(request: FastifyRequest, reply: FastifyReply): void {
    const { elapsedTime } = reply
    for (const observe of this.#observers)
      try {
        observe(request, reply, elapsedTime)
      } catch (error) {
        this.#log.error({ err: error, reqId: request.id }, 'an observer failed')
      }
  }
}

/** A read that could not be sent is not observed: it has changed nothing, and may have stopped because its caller left. */
export const isRead = ({ method }: Pick<FastifyRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Calls back if the connection is closed before a response has left. */
export function whenCut(response: ServerResponse, report: () => void): void {
  if (response.closed) {
    report()
    return
  }
  response.once('close', report)
  response.once('finish', () => response.off('close', report))
}
