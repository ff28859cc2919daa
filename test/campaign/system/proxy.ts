import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Address = Readonly<{ host: string; port: number }>

/** A TCP proxy in front of a server, which delays, holds back or cuts what passes. */
export class Proxy {
  readonly #target: () => Address
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #delayMs = 0
  #gate: PromiseWithResolvers<void> | undefined
  #isHolding: 'both' | 'answers' = 'both'

  private constructor(target: () => Address) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client))
  }

  static async start(target: () => Address): Promise<Proxy> {
    const proxy = new Proxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get address(): Address {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port }
  }

  /** Everything that is sent from now on arrives so much later. */
  delay(milliseconds: number): void {
    this.#delayMs = milliseconds
  }

  /** Nothing arrives until `resume`, or only no answers do; connections are accepted and stay open. */
  hold(what: 'both' | 'answers'): void {
    this.#isHolding = what
    this.#gate ??= Promise.withResolvers<void>()
  }

  /** What was held back arrives now. */
  resume(): void {
    this.#gate?.resolve()
    this.#gate = undefined
  }

  cut(): void {
    for (const pair of this.#pairs) for (const end of pair) end.destroy()
  }

  async stop(): Promise<void> {
    this.resume()
    this.cut()
    this.#server.close()
  }

  #join(client: Socket): void {
    const server = createConnection(this.#target())
    const pair = [client, server] as const
    this.#pairs.add(pair)
    const end = () => {
      this.#pairs.delete(pair)
      for (const each of pair) each.destroy()
    }
    for (const each of pair) each.setNoDelay(true).on('error', end).on('close', end)
    this.#forward(client, server, 'both')
    this.#forward(server, client, 'answers')
  }

  #forward(from: Socket, to: Socket, heldBy: 'both' | 'answers'): void {
    let before = Promise.resolve()
    from.on('data', (chunk) => {
      before = before.then(async () => {
        if (this.#gate && (heldBy === 'answers' || this.#isHolding === 'both')) await this.#gate.promise
        if (this.#delayMs > 0) await sleep(this.#delayMs)
        to.write(chunk)
      })
    })
  }
}
