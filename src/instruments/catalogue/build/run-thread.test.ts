import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { BuildThread } from './run-thread.ts'

test('when the thread ends, so does the process that it has started', async () => {
  // A database that never answers.
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const thread = new BuildThread(connection, { warn: () => {} })
  const building = thread.runProcess({ kind: 'whole', connection, folder: tmpdir(), isUrgent: true })
  const failed = assert.rejects(building, /The process has ended/)
  const [socket] = (await once(server, 'connection')) as [Socket]
  socket.on('error', () => {})
  const closed = once(socket.resume(), 'close')

  await thread.end()

  await failed
  await closed
  server.close()
})
