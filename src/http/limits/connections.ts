import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimitAddress } from '../../core/network/address.ts'
import { type ConnectionLimits, shareOf } from './buckets.ts'

type Limits = Pick<ConnectionLimits, 'connections' | 'keepAliveMs' | 'crowdedKeepAliveMs'>

/** Limits the connections of a server, on all addresses that it listens on: in all, by the address of the caller, and how
 *  long they wait for a next request. */
export class Connections {
  readonly #limits: Limits
  readonly #isProxy: (address: string) => boolean
  readonly #servers: HttpServer[] = []
  readonly #byAddress = new Map<string, number>()
  #count = 0
  #rejected = 0

  /** A trusted proxy has the connections of many callers, so only the limit for all applies to it. */
  constructor(limits: Limits, isProxy: (address: string) => boolean) {
    this.#limits = limits
    this.#isProxy = isProxy
  }

  get count(): number {
    return this.#count
  }

  get rejected(): number {
    return this.#rejected
  }

  watch(server: HttpServer): void {
    this.#servers.push(server)
    server.maxConnections = this.#limits.connections
    server.on('drop', this.#reject)
    server.on('connection', this.#open)
  }

  readonly #open = (socket: Socket): void => {
    const { connections } = this.#limits
    // Once read, the connection keeps it, also for log lines that are written after it was closed.
    const { remoteAddress = '' } = socket
    const address = rateLimitAddress(remoteAddress)
    const ofAddress = this.#byAddress.get(address) ?? 0
    const isOver = ofAddress >= shareOf(connections) && !this.#isProxy(remoteAddress)
    if (this.#count >= connections || isOver) {
      this.#reject()
      socket.destroy()
      return
    }
    this.#byAddress.set(address, ofAddress + 1)
    this.#add(1)
    socket.once('close', () => this.#leave(address))
  }

  readonly #reject = (): void => {
    this.#rejected += 1
  }

  #leave(address: string): void {
    const left = (this.#byAddress.get(address) as number) - 1
    if (left === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, left)
    this.#add(-1)
  }

  /** With more than half of all connections open, the idle ones are closed sooner. */
  #add(more: 1 | -1): void {
    this.#count += more
    const { connections, keepAliveMs, crowdedKeepAliveMs } = this.#limits
    const isCrowded = this.#count > connections / 2
    for (const server of this.#servers) server.keepAliveTimeout = isCrowded ? crowdedKeepAliveMs : keepAliveMs
  }
}
