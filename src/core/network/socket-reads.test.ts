import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { ignoreReads, readInto } from './socket-reads.ts'

/** Both ends of a connection. */
async function connectionFor(t: TestContext): Promise<{ sender: Socket; accepted: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = connect((server.address() as { port: number }).port, '127.0.0.1')
  const [accepted] = (await once(server, 'connection')) as [Socket]
  t.after(() => {
    sender.destroy()
    accepted.destroy()
    server.close()
  })
  return { sender, accepted }
}

test('what arrives is read into the buffer, again and again, and no more of it while the connection is paused', async (t) => {
  const { sender, accepted } = await connectionFor(t)
  const buffer = Buffer.alloc(4)
  let text = ''
  const isRead = readInto(accepted, buffer, (length) => {
    text += buffer.toString('latin1', 0, length)
    if (text.length === 4) accepted.pause()
  })
  assert.equal(isRead, true)
  accepted.resume()

  sender.write('0123456789')
  await eventually(async () => text === '0123' || undefined, 'the first four bytes')
  accepted.resume()
  await eventually(async () => text === '0123456789' || undefined, 'the others')

  sender.end()
  await once(accepted, 'end')
})

test('no one receives what arrives once reads are ignored', async (t) => {
  const { sender, accepted } = await connectionFor(t)
  const buffer = Buffer.alloc(4)
  readInto(accepted, buffer, () => assert.fail())
  accepted.resume()
  ignoreReads(accepted)

  sender.end('0123456789')

  await once(accepted, 'end')
  assert.equal(buffer.toString('latin1'), '8967', 'it was read')
})

test('what is not a connection of the system is left as it is', () => {
  assert.equal(
    readInto(new Socket(), Buffer.alloc(4), () => assert.fail()),
    false,
  )
})
