import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/support/eventually.ts'
import { batchOf } from '../../../test/support/http/batch.ts'
import { batchServer, echo } from '../../../test/support/http/batch-server.ts'

function rawPost(body: string, encoding = 'identity'): string {
  const head = ['POST /base/a/batch HTTP/1.1', 'Host: x', `Accept-Encoding: ${encoding}`]
  const type = 'Content-Type: multipart/mixed; boundary="+"'
  return [...head, type, `Content-Length: ${body.length}`, '', body].join('\r\n')
}

async function open(server: ReturnType<typeof batchServer>['server'], text: string) {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  return socket
}

/** Waits until no request is in progress. A part starts at most a few turns after the one before it has ended. */
async function ended(server: ReturnType<typeof batchServer>['server']) {
  await eventually(async () => server.requestsInFlight === 0 || undefined)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

const twoHeld = batchOf([{ url: '/base/a/held/1' }, { url: '/base/a/held/2' }])

for (const encoding of ['identity', 'gzip'])
  test(`a disconnect prevents the parts that have not started (${encoding})`, async () => {
    const { server, asked, begun, release } = batchServer()
    const socket = await open(server, rawPost(twoHeld, encoding))
    await begun
    socket.destroy()
    while (server.requestsInFlight > 1) await sleep(5)
    release()
    await ended(server)
    assert.deepEqual(asked, ['/base/a/held/1'])
    await server.close()
  })

test('starts no part for a caller who has disconnected', async () => {
  const { server, asked } = batchServer()
  const connected = once(server.server, 'connection')
  server.get('/base/a/leave', async () => {
    const [outer] = await connected
    // Before the turn of the next part, which is asked for after this one.
    setImmediate(() => outer.destroy())
    return {}
  })
  const socket = await open(server, rawPost(batchOf([{ url: '/base/a/leave' }, { url: '/base/a/held/1' }])))
  await once(socket.resume(), 'close')
  await ended(server)
  assert.deepEqual(asked, [])
  await server.close()
})

test('other requests are served while a batch is answered from memory', async () => {
  const { server } = batchServer()
  const order: string[] = []
  server.get('/base/a/other', async () => void order.push('other'))
  // The first part makes the other one call, on a connection that is there already.
  server.get('/base/a/memory', async () => {
    if (order.push('part') === 1) other.write('GET /base/a/other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return {}
  })
  const other = await open(server, '')
  const { port } = server.server.address() as { port: number }
  const parts = batchOf(Array.from({ length: 100 }, () => ({ url: '/base/a/memory' })))
  const caller = connect(port, '127.0.0.1', () =>
    caller.write(rawPost(parts).replace('Host: x', '$&\r\nConnection: close')),
  )
  await Promise.all([caller, other].map((socket) => socket.resume() && once(socket, 'close')))
  assert.equal(order.filter((one) => one === 'part').length, 100)
  assert.equal(order.at(-1), 'part', `answered after ${order.indexOf('other')} parts`)
  await server.close()
})

test('a batch in progress is completed when the service closes or is full', async () => {
  const { server, begun, release } = batchServer({ limits: { requestsInFlight: 1 } })
  const socket = await open(server, rawPost(twoHeld))
  await begun
  const closed = server.close()
  release()
  let answer = ''
  for await (const chunk of socket) answer += chunk
  assert.equal(answer.match(/HTTP\/1\.1 200 OK\r\n/g)?.length, 3, answer)
  await closed
})

test('a dropped part drops the connection of the batch', async () => {
  const { server } = batchServer()
  const socket = await open(server, rawPost(batchOf([{ url: '/base/a/cut' }, echo()])))
  let answer = ''
  const ended = await new Promise<string>((resolve) => {
    socket
      .on('data', (chunk) => (answer += chunk))
      .on('error', () => resolve('cut'))
      .on('close', () => resolve('closed'))
  })
  assert.ok(ended === 'cut' || ended === 'closed')
  assert.equal(answer, '')
  await server.close()
})

test('a part starts when the connection has taken the ones before it', async () => {
  const { server } = batchServer()
  const connected = once(server.server, 'connection') as Promise<[Socket]>
  const started: boolean[] = []
  server.get('/base/a/small', async (_request, reply) => {
    started.push((await connected)[0].writableNeedDrain)
    return reply.type('text/plain').send('x'.repeat(90_000))
  })
  // More than any local socket takes.
  const folder = await mkdtemp(join(tmpdir(), 'refdesk-batch-'))
  const path = join(folder, 'socket')
  await server.listen({ path })

  const parts = batchOf(Array.from({ length: 100 }, () => ({ url: '/base/a/small' })))
  const request = rawPost(parts).replace('Host: x', '$&\r\nConnection: close')
  const socket = connect(path, () => socket.write(request))
  const [outer] = await connected
  while (!outer.writableNeedDrain && !outer.destroyed && started.length < 100) await nextTurn()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  assert.ok(started.length < 100)
  await once(socket.resume(), 'close')

  assert.deepEqual(started, new Array(100).fill(false))
  await server.close()
  await rm(folder, { recursive: true })
})
