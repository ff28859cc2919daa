import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { Server as HttpServer, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../core/network/node-http.ts'
import { limits } from './limits/buckets.ts'
import type { Server } from './typed-server.ts'

export function httpServer(serve: RequestListener): HttpServer {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMilliseconds,
      requestTimeout: limits.requestTimeoutMilliseconds,
      keepAliveTimeout: limits.keepAliveMilliseconds,
      connectionsCheckingInterval: limits.timeoutCheckMilliseconds,
    },
    serve,
  )
  server.setTimeout(limits.connectionIdleMilliseconds)
  server.maxConnections = limits.connections
  return server
}

type Address = Readonly<{ port: number; host: string; reusePort?: boolean }>

declare module 'fastify' {
  interface FastifyInstance {
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

/** Listens on an address; on `localhost`, on both loopback addresses. Fastify would do the latter only for a server that it
 *  has made itself. */
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

const findAll = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address)

/** Undefined if the address is in use or not offered: the first one is enough. */
async function listenToo({ server: main, log }: Server, address: Address): Promise<HttpServer | undefined> {
  const other = httpServer((raw, response) => void main.emit('request', raw, response))
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
