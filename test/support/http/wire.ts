import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { Problem } from '../../../src/core/problem.ts'
import type { RestReply, RestRequest } from '../../../src/http/exchange.ts'
import type { ConnectionLimits } from '../../../src/http/limits/buckets.ts'
import { RateLimiter } from '../../../src/http/limits/rate-limiter.ts'
import { countRates, limitRates } from '../../../src/http/limits/rate-limits.ts'
import { addDirectOperation } from '../../../src/http/operation.ts'
import { bodyMemory } from '../../../src/http/output/body-memory.ts'
import { addSteps } from '../../../src/http/pipeline.ts'
import { WireRequest } from '../../../src/http/wire/wire-request.ts'
import { eventually } from '../eventually.ts'
import { testCaller, testServer } from '../http-server.ts'
import { listenAnywhere, openClient } from './slow-client.ts'

export const large = Buffer.alloc(32 * 1024 * 1024, 'x')
const text = Buffer.from(JSON.stringify('x'.repeat(5_000)))

/** The bodies of `/made/a` and so on are made for each response. */
export const madeLetters = ['a', 'b', 'c'] as const
export const madeBytes = 12_000
export const madeBody = (letter: string): Buffer => Buffer.alloc(madeBytes, letter)

/** Serves `/small`, `/text`, `/large` and some others directly, and everything else by the framework. */
export async function wireServer(t: TestContext, limits: Partial<ConnectionLimits> = {}) {
  const { server, lines } = testServer({ limits })
  t.after(() => server.close())
  const made: Buffer[] = []
  const count = countRates({ limiter: new RateLimiter({ now: () => 600_000_000 }), mode: 'on', basePath: '' })
  const limit = limitRates(count)
  const admitKnown = (request: RestRequest) => {
    request.caller = testCaller
    return true
  }
  server.post('/sent', async () => 'read')
  server.post('/echo', { onRequest: () => immediate() }, async ({ body }) => body)
  server.get('/plain', (_request, reply) => void reply.send(large))
  server.register(async (scope: typeof server) => {
    addSteps(scope, {
      admitKnown,
      count,
      admit(request, reply) {
        request.caller = testCaller
        return limit(request, reply)
      },
    })
    const serve = (path: string, handle: (request: RestRequest, reply: RestReply) => Buffer | RestReply) =>
      addDirectOperation(
        scope,
        { method: 'GET', path, operationId: path, summary: '', description: '' },
        (request, reply) => {
          reply.header('content-type', 'application/json')
          return handle(request, reply)
        },
      )
    serve('/small', () => Buffer.from('{}'))
    serve('/text', () => text)
    serve('/large', () => large)
    for (const letter of madeLetters)
      serve(`/made/${letter}`, () => {
        const body = bodyMemory.copy(madeBody(letter), madeBytes)
        made.push(body)
        return body
      })
    serve('/wrong', () => {
      throw new Problem('NoResultFound', 'Nothing.')
    })
    serve('/nothing', (_request, reply) => reply)
    serve('/unsafe', (_request, reply) => {
      reply.header('x-unsafe', 'a\r\nb')
      return Buffer.from('{}')
    })
  })
  /** How each request was read, in the order of the responses. */
  const readBy: string[] = []
  server.observeResponses(({ raw, url }) => readBy.push(`${url} ${raw instanceof WireRequest ? 'wire' : 'node'}`))
  const sockets: Socket[] = []
  server.server.on('connection', (socket: Socket) => sockets.push(socket))
  await listenAnywhere(server)
  return { server, lines, readBy, sockets, made }
}

export const get = (path: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n')
const pattern = /HTTP\/1\.1 \d{3} (?:[^\r]*\r\n)+?\r\n/g

/** A connection on which one response is waited for after the other. */
export async function connected(server: Awaited<ReturnType<typeof wireServer>>['server']) {
  const client = await openClient(server, '')
  let seen = 0
  /** The next response, with its body. */
  const next = (length: number) =>
    eventually(async () => {
      const rest = client.received().slice(seen)
      const head = rest.match(pattern)?.[0]
      if (!head || rest.length < head.length + length) return undefined
      seen += head.length + length
      return rest.slice(0, head.length + length)
    }, 'the next response')
  const send = async (request: string, length = 2) => {
    client.socket.write(request)
    return next(length)
  }
  return { ...client, send, next }
}

/** Without what differs from response to response. */
export const common = (response: string) =>
  response.replace(/^(date|x-correlation|x-ratelimit-\w+-remaining): .*\r\n/gim, '')
