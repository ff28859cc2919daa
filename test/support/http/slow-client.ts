import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { listen } from '../../../src/http/listening.ts'
import type { Server } from '../../../src/http/typed-server.ts'
import { eventually } from '../eventually.ts'

/** Another loopback address, which every Linux has; elsewhere there may be none. */
export const secondAddress = '127.0.0.2'
export const hasSecondAddress = process.platform === 'linux'

export const listenAnywhere = (server: Server): Promise<void> => listen(server, { port: 0, host: '127.0.0.1' })

/** Listens on two addresses, as with `localhost`. */
export const listenOnBoth = (server: Server): Promise<void> =>
  listen(server, { port: 0, host: 'localhost' }, async () => [secondAddress])

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
export const closingGet = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

type Client = Readonly<{ socket: Socket; ended: Promise<unknown>; closed: Promise<unknown>; received(): string }>

/** Connects and sends a text. It does not close the connection when the server has ended it, as a hostile caller would. */
export async function openClient(
  server: Server,
  text: string,
  { host = '127.0.0.1', from = '127.0.0.1' } = {},
): Promise<Client> {
  const { port } = server.server.address() as AddressInfo
  const socket = connect({ port, host, localAddress: from, allowHalfOpen: true })
  socket.on('error', () => {})
  const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  await once(socket, 'connect')
  socket.write(text)
  return { socket, ended, closed, received: () => received }
}

/** Sends a byte every few milliseconds, until the connection is closed. */
export function trickle({ socket, closed }: Client, byte = 'x'): void {
  const timer = setInterval(() => socket.writable && socket.write(byte), 10)
  closed.then(() => clearInterval(timer))
}

export const untilInFlight = (server: Server, wanted: number): Promise<true> =>
  eventually(async () => server.requestsInFlight === wanted || undefined, `${wanted} requests in flight`)

export const untilConnections = (server: Server, wanted: number): Promise<true> =>
  eventually(async () => server.connections.count === wanted || undefined, `${wanted} connections`)
