import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server as HttpServer, RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { createServer } from '../core/network/node-http.ts'
import type { PendingResponses } from './client-errors.ts'
import { type ConnectionLimits, limits } from './limits/buckets.ts'
import type { Connections } from './limits/connections.ts'
import type { Server } from './typed-server.ts'

/** Creates the HTTP servers of a service: one for each address that it listens on. */
export type MakeHttpServer = (serve: RequestListener) => HttpServer

export function httpServers(
  bounds: ConnectionLimits,
  connections: Connections,
  pending: PendingResponses,
): MakeHttpServer {
  return (serve) => {
    const server = createServer(
      {
        maxHeaderSize: limits.headerBytes,
        headersTimeout: bounds.headersTimeoutMs,
        requestTimeout: bounds.requestTimeoutMs,
        keepAliveTimeout: bounds.keepAliveMs,
        connectionsCheckingInterval: bounds.timeoutCheckMs,
        // Node would answer without our headers and body; limits/guards.ts does it.
        requireHostHeader: false,
      },
      serve,
    )
    // An unknown expectation may be ignored (RFC 9110 §10.1.1). Node would answer 417, again without our headers and body.
    server.on('checkExpectation', serve)
    server.setTimeout(bounds.stallMs, (socket) => {
      // A response that is still being made is waited for (`InFlight` limits how long).
      if (pending.first(socket) && socket.writableLength === 0) socket.setTimeout(bounds.stallMs)
      // The connection is idle, or its caller does not read.
      else socket.destroy()
    })
    connections.watch(server)
    return server
  }
}

type Address = Readonly<{ port: number; host: string; reusePort?: boolean }>

declare module 'fastify' {
  interface FastifyInstance {
    makeHttpServer: MakeHttpServer
    /** What listens on other addresses for this server. */
    otherListeners: HttpServer[]
  }
}

/** Closes the other listeners with the server. They stop accepting connections when the server does. */
export function closeOtherListeners(server: Server): void {
  const others: HttpServer[] = []
  let closed: Promise<unknown> | undefined
  server.decorate('otherListeners', { getter: () => others })
  server.addHook('preClose', async () => {
    closed = Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))))
  })
  server.addHook('onClose', async () => void (await closed))
}

/** Listens on an address; on `localhost`, on both loopback addresses, as Fastify does without a `serverFactory`. */
export async function listen(server: Server, address: Address, find = findAll): Promise<void> {
  await server.listen(address)
  if (address.host !== 'localhost') return
  const bound = server.server.address() as AddressInfo
  for (const host of await find(address.host)) {
    if (host === bound.address) continue
    const other = await listenToo(server, { ...address, host, port: bound.port })
    if (other) server.otherListeners.push(other)
  }
}

/** Fails if an address is in use or not offered: before a start that takes long, not after it. */
export async function requireFreeAddress({ port, host }: Address): Promise<void> {
  if (port === 0) return
  const probe = createTcpServer().listen({ port, host })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

const findAll = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address)

/** Undefined if the address is in use or not offered: the first one is enough. */
async function listenToo(server: Server, address: Address): Promise<HttpServer | undefined> {
  const { server: main, log } = server
  const other = server.makeHttpServer((raw, response) => void main.emit('request', raw, response))
  other.on('clientError', (error, socket) => void main.emit('clientError', error, socket))
  other.listen(address)
  try {
    await once(other, 'listening')
    return other
  } catch (error) {
    log.warn({ host: address.host, port: address.port, code: (error as NodeJS.ErrnoException).code }, 'not listening')
    return undefined
  }
}
