import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimitAddress } from '../../core/network/address.ts'
import { unavailable } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { type ConnectionLimits, shareOf } from './buckets.ts'
import { KeyCounts } from './key-counts.ts'

type Limits = Pick<ConnectionLimits, 'requestsInFlight' | 'exchangeMs'>

/** Counts the requests in progress, in all and by address, and sheds load with 503 instead of queueing it without limit. */
export class InFlight {
  readonly #limits: Limits
  readonly #byAddress = new KeyCounts()
  count = 0
  /** When each request arrived, the oldest first. */
  readonly #since = new Map<IncomingMessage, number>()
  #isTimed = false

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts a request until its response is sent or its connection is closed. */
  admit(request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.config.alwaysAnswered) return
    const { raw } = request
    // An in-process request counts for the address of the request that makes it.
    const address = isInProcess(raw) ? undefined : rateLimitAddress(request.ip ?? '')
    if (address !== undefined) {
      const { requestsInFlight: max } = this.#limits
      if (this.count >= max || this.#byAddress.of(address) >= shareOf(max)) throw unavailable()
      this.#byAddress.add(address, 1)
      this.#since.set(raw, performance.now())
      this.#watch(this.#limits.exchangeMs)
    }
    this.count += 1
    reply.raw.once('close', () => {
      this.count -= 1
      if (address !== undefined) this.#byAddress.add(address, -1)
      this.#since.delete(raw)
    })
  }

  /** Cuts requests that take too long, however slowly their callers send or read. */
  #watch(milliseconds: number): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      const now = performance.now()
      for (const [raw, since] of this.#since) {
        const left = since + this.#limits.exchangeMs - now
        if (left > 0) return this.#watch(left)
        raw.socket.destroy()
      }
    }, milliseconds).unref()
  }
}
