import type { Socket } from 'node:net'
import { finished, Writable } from 'node:stream'
import type pg from 'pg'
import { noteFailedCommit } from '../../core/network/outage.ts'
import { PreparingClient } from '../preparing-client.ts'
import { isServerWritable } from './probe.ts'
import type { Server, Servers, TrackedClient } from './servers.ts'

export type ServerClientConfig = pg.ClientConfig & Readonly<{ servers: Servers }>

/** The server is no longer what the service needs: an outage (SQLSTATE 08001). */
class WrongServer extends Error {
  readonly code = '08001'
}

/** PostgreSQL has committed, but gave up waiting for the synchronous replica, and says so only in a warning. After a
 *  failover the transaction may be gone (SQLSTATE 40003: it is unknown whether the statement was completed). */
class UnconfirmedCommit extends Error {
  readonly code = '40003'

  constructor() {
    super('No replica has confirmed the commit.')
    noteFailedCommit(this)
  }
}

const readOnlyState = '25006'

/** A connection to the right one of several servers. It is dropped when it leads to a server that takes no writes, or to
 *  none any more. */
export class ServerClient extends PreparingClient implements TrackedClient {
  readonly #servers: Servers
  readonly openedAt = performance.now()
  server: Server | undefined
  waitingSince: number | undefined = performance.now()
  #pending = 0
  #isUnconfirmed = false

  constructor(config: ServerClientConfig) {
    super(config)
    this.#servers = config.servers
    // A lost connection fails its queries. Without a listener, it would also end the process.
    this.on('error', () => {})
    this.on('end', () => this.#servers.delete(this))
    this.on('notice', ({ routine }) => {
      this.#isUnconfirmed ||= routine === 'SyncRepWaitForLSN'
    })
  }

  get pid(): number | undefined {
    return (this as unknown as { processID: number | null }).processID ?? undefined
  }

  get bytesMoved(): number {
    const { bytesRead, bytesWritten, writableLength } = this.#socket
    return bytesRead + bytesWritten - writableLength
  }

  get isUnused(): boolean {
    const { readyForQuery } = this as unknown as { readyForQuery: boolean }
    return readyForQuery && this.#pending === 0 && this.getTransactionStatus() === 'I'
  }

  drop(): void {
    this.#socket.destroy()
  }

  get #socket(): Socket {
    return (this.connection as unknown as { stream: Socket }).stream
  }

  // `never` fits the results of all overloads.
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error | null) => void)?]
    const connected = this.#connect()
    if (!callback) return connected as never
    connected.then(() => callback(null), callback)
    return undefined as never
  }

  async #connect(): Promise<this> {
    const servers = this.#servers
    const server = await servers.find()
    this.server = server
    if (servers.isChosen) Object.assign(this, { host: server.host, port: server.port })
    servers.add(this)
    try {
      await super.connect()
      if (servers.isChosen && !servers.fits(await isServerWritable(this)))
        throw new WrongServer(`${server.host}:${server.port} is not what it was.`)
    } catch (error) {
      servers.forget(server)
      this.drop()
      throw error
    } finally {
      this.waitingSince = undefined
    }
    return this
  }

  override query(...args: unknown[]): never {
    const result = (super.query as (...args: unknown[]) => unknown).apply(this, args)
    if (result instanceof Promise) return this.#answerOf(result) as never
    if (result instanceof Writable) this.#noteCopy(result)
    return result as never
  }

  #noteCopy(copy: Writable): void {
    this.#beginWaiting()
    finished(copy, () => this.#endWaiting())
  }

  #beginWaiting(): void {
    if (this.#pending++ === 0) this.waitingSince = performance.now()
  }

  #endWaiting(): void {
    this.waitingSince = --this.#pending === 0 ? undefined : performance.now()
  }

  async #answerOf<Result>(result: Promise<Result>): Promise<Result> {
    this.#beginWaiting()
    try {
      const answer = await result
      if (!this.#isUnconfirmed) return answer
      this.#isUnconfirmed = false
      throw new UnconfirmedCommit()
    } catch (error) {
      this.#dropIfUseless(error as Error)
      throw error
    } finally {
      this.#endWaiting()
    }
  }

  /** PostgreSQL ends statements earlier than the driver does, so a driver that had to wait has lost its server. */
  #dropIfUseless(error: Error & { code?: string }): void {
    if (error.message === 'Query read timeout') this.drop()
    if (error.code !== readOnlyState) return
    this.drop()
    this.#servers.suspect()
  }
}
