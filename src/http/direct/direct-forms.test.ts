import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { sendRaw, testServer } from '../../../test/support/http-server.ts'
import { unavailable } from '../../core/problem.ts'
import { rethrowDirectError } from './direct-forms.ts'
import type { FormRoute } from './direct-routes.ts'

const formType = 'application/x-www-form-urlencoded'
const formHead = `content-type: ${formType}\r\ncontent-length: 3`

/** Serves the form `/x` on the direct path by `answer`, and on the usual one with what was sent. */
async function formServer(answer: FormRoute['answer']) {
  const { server, lines } = testServer()
  server.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.post('/x', (request, reply) => {
    rethrowDirectError(request.raw)
    return reply.send({ usual: String(request.body) })
  })
  server.directRoutes.addForm({ url: '/x', config: {}, schema: { operationId: 'x' }, scope: server, answer })
  await server.ready()
  const headers = ['host: x', `content-type: ${formType}`, 'content-length: 3', 'connection: close']
  const post = async () => {
    const response = await sendRaw(server, `POST /x HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\na=1`)
    return [Number(response.split(' ')[1]), response.split('\r\n\r\n')[1]]
  }
  return { server, lines, post, [Symbol.asyncDispose]: () => server.close() }
}

test('a form is served directly, with its whole body', async () => {
  await using direct = await formServer(async (_request, reply, body) => {
    reply.code(201)
    return `direct ${body}`
  })

  assert.deepEqual(await direct.post(), [201, 'direct a=1'])
  assert.deepEqual(await direct.post(), [201, 'direct a=1'])
})

test('a form that cannot be served directly reaches the framework whole, at any time', async () => {
  const answers: FormRoute['answer'][] = [() => undefined, async () => undefined]
  for (const answer of answers) {
    await using direct = await formServer(answer)
    assert.deepEqual(await direct.post(), [200, '{"usual":"a=1"}'])
  }
})

test('an error on the direct path is sent by the framework, without another attempt', async () => {
  let attempts = 0
  await using direct = await formServer(() => {
    attempts += 1
    return Promise.reject(unavailable())
  })

  assert.equal((await direct.post())[0], 503)
  assert.equal(attempts, 1)
})

test('a bug on the direct path is logged, and the framework answers', async () => {
  const bugs: FormRoute['answer'][] = [
    () => {
      throw new Error('a bug')
    },
    async (_request, reply) => {
      reply.header('x-bug', 'not\nallowed')
      return 'x'
    },
  ]
  for (const answer of bugs) {
    await using direct = await formServer(answer)
    assert.deepEqual(await direct.post(), [200, '{"usual":"a=1"}'])
    const logged = direct.lines.filter(({ msg }) => /unexpected error|could not be sent/.test(String(msg)))
    assert.equal(logged.length, 1)
  }
})

test('a form whose client has left is not served', async () => {
  let served = 0
  await using direct = await formServer(async () => {
    served += 1
    return 'x'
  })
  const headers = { host: 'x', 'content-type': formType, 'content-length': '3' }
  const left = { method: 'POST', url: '/x', headers, destroyed: true } as unknown as IncomingMessage
  direct.server.server.emit('request', left, {} as ServerResponse)

  assert.deepEqual(await direct.post(), [200, 'x'])
  assert.equal(served, 1)
})

test('a form in progress is counted once, and until it is answered', async () => {
  const seen: number[] = []
  await using direct = await formServer(async () => {
    await Promise.resolve()
    seen.push(direct.server.requestsInFlight)
    return undefined
  })
  direct.server.observeResponses(() => void seen.push(direct.server.requestsInFlight))

  await direct.post()
  await eventually(async () => direct.server.requestsInFlight === 0 || undefined, 'the end of the request')
  assert.deepEqual(seen, [1, 1])
})

test('a form whose client leaves while it is answered is logged if it was answered, and no longer counted', async () => {
  const outcomes: [() => Promise<string | undefined>, logged: number][] = [
    [async () => 'x'.repeat(5_000), 1],
    [async () => undefined, 0],
    [() => Promise.reject(unavailable()), 0],
  ]
  for (const [outcome, logged] of outcomes) {
    const left = Promise.withResolvers<void>()
    let hasArrived = false
    await using direct = await formServer(async () => {
      hasArrived = true
      await left.promise
      return outcome()
    })
    let seen = 0
    direct.server.observeResponses(() => void seen++)
    await direct.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = direct.server.server.address() as AddressInfo
    const client = connect(port, '127.0.0.1')
    client.write(`POST /x HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n${formHead}\r\n\r\na=1`)
    await eventually(async () => hasArrived || undefined, 'the request')
    client.destroy()
    await eventually(async () => direct.server.requestsInFlight === 0 || undefined, 'the end of the connection')
    left.resolve()
    assert.equal((await fetch(`http://127.0.0.1:${port}/none`)).status, 404)
    await eventually(async () => seen === logged + 1 || undefined, 'the observations')
    await eventually(async () => direct.server.requestsInFlight === 0 || undefined, 'the end of the request')
  }
})
