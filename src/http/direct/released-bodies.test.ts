import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { connected, get, madeBody, madeBytes, madeLetters, wireServer } from '../../../test/support/http/wire.ts'
import { callInProcess } from '../in-process.ts'
import type { DirectReply } from './direct-reply.ts'

const withLetters = async (send: (letter: string) => Promise<void>): Promise<void> => {
  for (let round = 0; round < 8; round++) for (const letter of madeLetters) await send(letter)
}

/** Its first request is read by node:http. */
async function onWire(server: Awaited<ReturnType<typeof wireServer>>['server']) {
  const { send } = await connected(server)
  await send(get('/small'))
  return async (letter: string) => {
    const response = await send(get(`/made/${letter}`), madeBytes)
    assert.ok(response.endsWith(String(madeBody(letter))), letter)
  }
}

test('the memory of a body that was sent is used again, after the observers have read it', async (t) => {
  const { server, made } = await wireServer(t)
  const observed: boolean[] = []
  server.observeResponses(({ url }, reply) => {
    const { payload } = reply as DirectReply
    if (url.startsWith('/made/')) observed.push((payload as Buffer).equals(madeBody(url.at(-1) as string)))
  })
  const send = await onWire(server)

  await withLetters(send)

  const places = new Set(made.map(({ byteOffset }) => byteOffset))
  assert.equal(places.size, 1)
  await eventually(async () => observed.length === made.length || undefined, 'all responses to be observed')
  assert.ok(observed.every((isRight) => isRight))
})

test('the memory of a body that was compressed is used again', async (t) => {
  const { server, made } = await wireServer(t)
  const { port } = server.server.address() as AddressInfo

  await withLetters(async (letter) => {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await fetch(`http://127.0.0.1:${port}/made/${letter}`, { headers })
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.equal(await response.text(), String(madeBody(letter)))
  })

  assert.equal(new Set(made.map(({ byteOffset }) => byteOffset)).size, 1)
})

test('bodies of requests in process stay as they are, whatever is sent meanwhile', async (t) => {
  const { server, made } = await wireServer(t)
  const send = await onWire(server)
  const call = callInProcess(server)
  const kept: [letter: string, body: Buffer][] = []

  await withLetters(async (letter) => {
    const { rawPayload } = await call({
      method: 'GET',
      url: `/made/${letter}`,
      headers: {},
      remoteAddress: '127.0.0.1',
    })
    assert.equal(rawPayload, made.at(-1))
    kept.push([letter, rawPayload])
    await send(letter)
    const other = await connected(server)
    assert.ok((await other.send(get(`/made/${letter}`), madeBytes)).endsWith(String(madeBody(letter))))
    other.socket.destroy()
  })

  for (const [letter, body] of kept) assert.ok(body.equals(madeBody(letter)), letter)
})
