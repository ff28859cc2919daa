import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimitAddress } from '../../core/network/address.ts'
import { unavailable } from '../../core/problem.ts'
import { isInProcess } from '../in-process.ts'
import { type ConnectionLimits, shareOf } from './buckets.ts'

type Limits = Pick<ConnectionLimits, 'requestsInFlight' | 'exchangeMs'>

/** Counts the requests in progress, in all and by address, and sheds load with 503 instead of queueing it without limit. */
export class InFlight {
  readonly #max: number
  readonly #maxPerAddress: number
  readonly #exchangeMs: number
  readonly #addressOf: (raw: IncomingMessage) => string | undefined
  readonly #byAddress = new Map<string, number>()
  /** How many addresses have as many requests as they may have. */
  #fullAddresses = 0
  #count = 0
  /** When each request arrived, the oldest first. */
  readonly #since = new Map<IncomingMessage, number>()
  #isTimed = false

  constructor({ requestsInFlight, exchangeMs }: Limits, addressOf: (raw: IncomingMessage) => string | undefined) {
    this.#max = requestsInFlight
    this.#maxPerAddress = shareOf(requestsInFlight)
    this.#exchangeMs = exchangeMs
    this.#addressOf = addressOf
  }

  get count(): number {
    return this.#count
  }

  /** Whether there is no room for a request. Looks at its address only while some address has all that it may have. */
  isFullFor(raw: IncomingMessage): boolean {
    if (this.#count >= this.#max) return true
    return this.#fullAddresses > 0 && this.#isFull(this.#countedAddress(raw))
  }

  admit(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    if (request.routeOptions.config.alwaysAnswered) return
    // An in-process request was admitted with the request that makes it.
    if (isInProcess(raw)) {
      this.#count += 1
      reply.raw.once('close', this.#leave)
      return
    }
    // One that the direct path could not complete has entered before.
    if (this.#since.has(raw)) return
    if (this.isFullFor(raw)) throw unavailable()
    this.enter(raw, reply.raw)
  }

  /** Counts a request once, until its response is sent or its connection is closed. */
  enter(raw: IncomingMessage, response: ServerResponse): void {
    // After its end nothing would uncount it.
    if (this.#since.has(raw) || response.closed) return
    const address = this.#countedAddress(raw)
    this.#count += 1
    this.#add(address, 1)
    this.#since.set(raw, performance.now())
    this.#watch(this.#exchangeMs)
    response.once('close', () => {
      this.#leave()
      this.#add(address, -1)
      this.#since.delete(raw)
    })
  }

  readonly #leave = () => {
    this.#count -= 1
  }

  #countedAddress(raw: IncomingMessage): string {
    return rateLimitAddress(this.#addressOf(raw) ?? '')
  }

  #isFull(address: string): boolean {
    return (this.#byAddress.get(address) ?? 0) >= this.#maxPerAddress
  }

  #add(address: string, more: 1 | -1): void {
    const wasFull = this.#isFull(address)
    const count = (this.#byAddress.get(address) ?? 0) + more
    if (count === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, count)
    this.#fullAddresses += Number(this.#isFull(address)) - Number(wasFull)
  }

  /** Cuts requests that take too long, however slowly their callers send or read. */
  #watch(milliseconds: number): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      const now = performance.now()
      for (const [raw, since] of this.#since) {
        const left = since + this.#exchangeMs - now
        if (left > 0) return this.#watch(left)
        raw.socket.destroy()
      }
    }, milliseconds).unref()
  }
}
