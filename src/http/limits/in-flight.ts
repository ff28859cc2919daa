import type { IncomingMessage } from 'node:http'
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
  readonly #byAddress = new Map<string, number>()
  /** How many addresses have as many requests as they may have. */
  #fullAddresses = 0
  #count = 0
  /** When each request arrived, the oldest first. */
  readonly #since = new Map<IncomingMessage, number>()
  #isTimed = false

  constructor({ requestsInFlight, exchangeMs }: Limits) {
    this.#max = requestsInFlight
    this.#maxPerAddress = shareOf(requestsInFlight)
    this.#exchangeMs = exchangeMs
  }

  get count(): number {
    return this.#count
  }

  /** Counts a request until its response is sent or its connection is closed. */
  admit(request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.config.alwaysAnswered) return
    const { raw } = request
    this.#requireRoom(request)
    this.#count += 1
    // An in-process request counts for the address of the request that makes it.
    if (isInProcess(raw)) {
      reply.raw.once('close', this.#leave)
      return
    }
    const address = rateLimitAddress(request.ip ?? '')
    this.#add(address, 1)
    this.#since.set(raw, performance.now())
    this.#watch(this.#exchangeMs)
    reply.raw.once('close', () => {
      this.#leave()
      this.#add(address, -1)
      this.#since.delete(raw)
    })
  }

  /** Looks at the address only while some address has its full share. */
  #requireRoom({ raw, ip }: FastifyRequest): void {
    if (isInProcess(raw)) return
    if (this.#count >= this.#max || (this.#fullAddresses > 0 && this.#isFull(rateLimitAddress(ip ?? ''))))
      throw unavailable()
  }

  readonly #leave = () => {
    this.#count -= 1
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
