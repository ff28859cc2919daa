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

/** Listens on an address; on `localhost`, on both loopback addresses. Fastify would do the latter only for a server that it
 *  has made itself. */
export async function listen(server: Server, address: Address): Promise<void> {
  await server.listen(address)
  if (address.host !== 'localhost') return
  const main = server.server
  const bound = main.address() as AddressInfo
  const found = await lookup(address.host, { all: true }).catch(() => [])
  for (const { address: host } of found)
    if (host !== bound.address) await listenToo(main, { ...address, ...{ host, port: bound.port } })
}

async function listenToo(main: HttpServer, address: Address): Promise<void> {
  const other = httpServer((raw, response) => void main.emit('request', raw, response))
  other.on('clientError', (error, socket) => void main.emit('clientError', error, socket))
  main.once('close', () => other.close())
  other.listen(address)
  // Taken or not offered: the first address is enough.
  await once(other, 'listening').catch(() => undefined)
}
