import type { ServerResponse } from 'node:http'
import type { RestReply, RestRequest } from '../exchange.ts'
import type { BoundLog } from '../logging.ts'

/** Called for every response that was sent, with the time that it took, and whether it is the first of those that are reported
 *  together: the others need not read the clock again. */
export type Observer = (request: RestRequest, reply: RestReply, milliseconds: number, isFirst?: boolean) => void

type Served = Readonly<{ request: RestRequest; reply: RestReply; milliseconds: number }>

/** Instances with responses that observers have not received yet. */
const waiting = new Set<Observations>()
// Before the log writes its last lines.
process.prependOnceListener('exit', () => {
  for (const observations of waiting) observations.drain()
})

/** Notifies observers of responses. Nothing is lost when the process ends, and an observer that fails harms nothing else. */
export class Observations {
  readonly #observers: Observer[] = []
  readonly #log: BoundLog
  #served: Served[] = []

  constructor(log: BoundLog) {
    this.#log = log
  }

  addObserver(observer: Observer): void {
    this.#observers.push(observer)
  }

  /** Together with those that wait, if there are any, so that observers receive them in order. */
  add(request: RestRequest, reply: RestReply): void {
    if (this.#served.length > 0) this.addLater(request, reply)
    else this.#notify([{ request, reply, milliseconds: reply.elapsedTime }])
  }

  /** The same at the end of this turn of the event loop, together with others: code that runs repeatedly costs a fraction of the
   *  same code between two writes. */
  addLater(request: RestRequest, reply: RestReply): void {
    if (this.#served.push({ request, reply, milliseconds: reply.elapsedTime }) > 1) return
    waiting.add(this)
    setImmediate(this.drain)
  }

  readonly drain = (): void => {
    const served = this.#served
    this.#served = []
    waiting.delete(this)
    this.#notify(served)
  }

  #notify(served: readonly Served[]): void {
    for (const observe of this.#observers) {
      let isFirst = true
      for (const { request, reply, milliseconds } of served) {
        try {
          observe(request, reply, milliseconds, isFirst)
        } catch (error) {
          this.#log.error({ err: error, reqId: request.id }, 'an observer failed')
        }
        isFirst = false
      }
    }
    for (const { reply } of served) reply.releasePayload?.()
  }
}

/** A read that could not be sent is not observed: it has changed nothing, and may have stopped because its caller left. */
export const isRead = ({ method }: Pick<RestRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD'

/** Calls back if the connection is closed before a response has left. */
export function whenCut(response: ServerResponse, report: () => void): void {
  if (response.closed) {
    report()
    return
  }
  response.once('close', report)
  response.once('finish', () => response.off('close', report))
}
