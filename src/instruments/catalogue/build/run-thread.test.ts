import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import type { Segment } from '../segment.ts'
import { BuildThread } from './run-thread.ts'

/** A database that refuses connections. */
const noDatabase = { host: '127.0.0.1', port: 1 }
const data = { history: '', seq: 0, revision: 0 }

test('a thread that is ending is replaced by the next task, and a stopped one by none', async () => {
  const thread = new BuildThread(noDatabase, { warn: () => {} })
  const { worker } = thread.start()
  const ending = thread.end()
  const asked = assert.rejects(thread.ask({ kind: 'past', base: {} as Segment, data }), (error: Error) => {
    assert.doesNotMatch(error.message, /has ended/)
    return true
  })
  assert.notEqual(thread.start().worker, worker)
  await Promise.all([ending, asked])

  const stopping = thread.stop()
  await assert.rejects(thread.ask({ kind: 'past', base: {} as Segment, data }), /has ended/)
  await stopping
})

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
