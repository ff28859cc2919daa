import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import {
  get,
  hasSecondAddress,
  listenAnywhere,
  listenOnBoth,
  openClient,
  secondAddress,
  untilConnections,
} from '../../../test/support/http/slow-client.ts'
import { testServer } from '../../../test/support/http-server.ts'

async function serverFor(t: TestContext, connections: number, trustProxy: string[] = []) {
  const { server } = testServer({ limits: { connections }, trustProxy })
  server.get('/x', async () => 'x')
  await (hasSecondAddress ? listenOnBoth(server) : listenAnywhere(server))
  const sockets: { destroy(): void }[] = []
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await server.close()
  })
  /** Undefined if the connection is not accepted. */
  const connect = async ({ text = get('/x'), ...options }: { text?: string; host?: string; from?: string } = {}) => {
    const client = await openClient(server, text, options)
    sockets.push(client.socket)
    if (text !== get('/x')) return client
    await Promise.race([once(client.socket, 'data'), client.ended])
    return client.received() === '' ? undefined : client
  }
  return { server, connect }
}

test('one address has at most a tenth of the connections, on all addresses that are listened on', async (t) => {
  const { server, connect } = await serverFor(t, 20)
  const [first] = [await connect(), await connect(hasSecondAddress ? { host: secondAddress } : {})]
  assert.equal(server.connections.count, 2)

  assert.equal(await connect(), undefined)
  assert.equal(server.connections.rejected, 1)
  if (hasSecondAddress) assert.ok(await connect({ from: secondAddress }))
  first?.socket.destroy()
  await untilConnections(server, hasSecondAddress ? 2 : 1)
  assert.ok(await connect())
})

test('a trusted proxy has the connections of many callers, up to the limit for all', async (t) => {
  const { server, connect } = await serverFor(t, 20, ['127.0.0.1'])
  const partOfHead = 'GET /x HTTP/1.1\r\n'
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect({ text: partOfHead })))
  await untilConnections(server, 20)
  assert.equal(server.connections.rejected, 0)

  assert.equal(await connect(), undefined)
  assert.equal(server.connections.rejected, 1)
  clients[0]?.socket.destroy()
  await untilConnections(server, 19)
  assert.ok(await connect())
})

test('while many connections are open, idle ones are closed sooner', async (t) => {
  const { server, connect } = await serverFor(t, 10, ['127.0.0.1'])
  const keepAlive = (client: Awaited<ReturnType<typeof connect>>) => /timeout=(\d+)/.exec(client?.received() ?? '')?.[1]
  const calm = []
  for (let index = 0; index < 5; index++) calm.push(await connect())
  for (const client of calm) assert.equal(keepAlive(client), '72')

  const crowded = await connect()

  assert.equal(keepAlive(crowded), '5')
  for (const client of calm.splice(0, 3)) client?.socket.destroy()
  await untilConnections(server, 3)
  assert.equal(keepAlive(await connect()), '72')
})
