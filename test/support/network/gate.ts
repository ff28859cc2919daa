import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Gate {
  readonly host: string
  readonly port: number
  /** From now on, nothing of the open connections passes, in either direction, and no end notices. New ones work. */
  forgetConnections(): void
  close(): void
}

/** A TCP proxy in front of a server, for networks that lose connections without a word. */
export async function startGate({ host, port }: { host: string; port: number }): Promise<Gate> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    const far = connect(port, host)
    for (const end of [near, far]) end.on('error', () => undefined)
    near.pipe(far).pipe(near)
    pairs.add([near, far])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    forgetConnections: () => {
      for (const [near, far] of pairs) {
        near.unpipe().pause()
        far.unpipe().pause()
      }
    },
    close: () => {
      server.close()
      for (const pair of pairs) for (const end of pair) end.destroy()
    },
  }
}
