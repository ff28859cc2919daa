import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimitAddress } from '../../core/network/address.ts'
import { type ConnectionLimits, shareOf } from './buckets.ts'
import { KeyCounts } from './key-counts.ts'

type Limits = Pick<ConnectionLimits, 'connections' | 'keepAliveMs' | 'crowdedKeepAliveMs'>

/** Limits the connections of a server: in all, by the address of the caller, and how long they wait for a request. */
export class Connections {
  readonly #limits: Limits
  readonly #isProxy: (address: string) => boolean
  readonly #servers: HttpServer[] = []
  readonly #byAddress = new KeyCounts()
  count = 0
  rejected = 0

  /** A trusted proxy has the connections of many callers, so only the limit for all applies to it. */
  constructor(limits: Limits, isProxy: (address: string) => boolean) {
    this.#limits = limits
    this.#isProxy = isProxy
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
    const isOver = this.#byAddress.of(address) >= shareOf(connections) && !this.#isProxy(remoteAddress)
    if (this.count >= connections || isOver) {
      this.#reject()
      socket.destroy()
      return
    }
    this.#add(address, 1)
    socket.once('close', () => this.#add(address, -1))
  }

  readonly #reject = (): void => {
    this.rejected += 1
  }

  /** With more than half of all connections open, the idle ones are closed sooner. */
  #add(address: string, more: 1 | -1): void {
    this.#byAddress.add(address, more)
    this.count += more
    const { connections, keepAliveMs, crowdedKeepAliveMs } = this.#limits
    const isCrowded = this.count > connections / 2
    for (const server of this.#servers) server.keepAliveTimeout = isCrowded ? crowdedKeepAliveMs : keepAliveMs
  }
}
