import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../../test/support/eventually.ts'
import { ask } from '../../../test/support/http/direct.ts'
import { testCaller, testServer } from '../../../test/support/http-server.ts'
import type { RestRequest } from '../exchange.ts'
import { RateLimiter } from '../limits/rate-limiter.ts'
import { countRates, limitRates } from '../limits/rate-limits.ts'
import { addDirectOperation } from '../operation.ts'
import { addSteps, type Steps } from '../pipeline.ts'
import type { ServerOptions } from '../server.ts'
import { DirectReply } from './direct-reply.ts'

/** Serves `/x` on the direct path. */
function directServer(steps: Steps = {}, options: Partial<ServerOptions> = {}) {
  const { server, lines } = testServer(options)
  const setCaller = (request: RestRequest) => {
    request.caller = testCaller
    return true
  }
  addSteps(server, { admitKnown: setCaller, ...steps })
  const declared = { method: 'GET', path: '/x', operationId: 'x', summary: '', description: '' } as const
  addDirectOperation(server, declared, () => Buffer.from('{}'))
  return { server, lines }
}

/** Steps that count requests, on both paths. */
function countingSteps(): Steps {
  const count = countRates({ limiter: new RateLimiter({ now: () => 600_000_000 }), mode: 'on', basePath: '' })
  const limit = limitRates(count)
  return {
    count,
    admit(request, reply) {
      request.caller = testCaller
      return limit(request, reply)
    },
  }
}

test('a request that meets a bug of the direct path counts once', async () => {
  let bugs = 1
  const { server, lines } = directServer({
    ...countingSteps(),
    remember() {
      bugs -= 1
      if (bugs >= 0) throw new Error('a bug')
    },
  })
  await server.ready()

  const remaining = []
  for (const _ of [1, 2]) {
    const { statusCode, headers } = await ask(server, { url: '/x' })
    remaining.push([statusCode, headers['x-ratelimit-session-remaining']])
  }

  assert.deepEqual(remaining, [
    [200, '119'],
    [200, '118'],
  ])
  assert.equal(lines.filter(({ msg }) => msg === 'unexpected error').length, 1)
})

test('a response that cannot be written is made by the framework instead, and counts once', async () => {
  let bugs = 1
  const { server, lines } = directServer({
    ...countingSteps(),
    remember(_request, reply) {
      bugs -= 1
      if (bugs >= 0) reply.header('x-bug', 'not\nallowed')
    },
  })
  await server.ready()

  const { statusCode, headers } = await ask(server, { url: '/x' })

  assert.deepEqual([statusCode, headers['x-ratelimit-session-remaining']], [200, '119'])
  assert.equal(lines.filter(({ msg }) => msg === 'response could not be sent').length, 1)
})

test('a request whose client has left is not served', async () => {
  let admitted = 0
  const { server } = directServer({
    admitKnown(request) {
      admitted += 1
      request.caller = testCaller
      return true
    },
  })
  await server.ready()

  const left = { method: 'GET', url: '/x', headers: { host: 'x' }, destroyed: true } as unknown as IncomingMessage
  server.server.emit('request', left, {} as ServerResponse)
  const { statusCode } = await ask(server, { url: '/x' })

  assert.deepEqual([statusCode, admitted], [200, 1])
})

test('an observer that fails is logged, and the others are notified of every response', async () => {
  const { server, lines } = directServer()
  server.observeResponses(() => {
    throw new Error('an observer of tests')
  })
  const seen: string[] = []
  server.observeResponses((_request, reply) => void seen.push(reply instanceof DirectReply ? 'direct' : 'usual'))
  await server.ready()

  const answers = await Promise.all([ask(server, { url: '/x' }), ask(server, { url: '/x' }), server.inject('/x')])
  await eventually(async () => seen.length === 3 || undefined, 'three responses')

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 200],
  )
  assert.deepEqual(seen.sort(), ['direct', 'direct', 'usual'])
  assert.equal(lines.filter(({ msg }) => msg === 'an observer failed').length, 3)
})

test('a log that cannot be written harms no request', async () => {
  const broken = new Writable({ write: () => undefined })
  broken.write = () => {
    throw new Error('the log is broken')
  }
  const { server } = directServer({}, { log: pino({ level: 'debug' }, broken) })
  let seen = 0
  server.observeResponses(() => {
    seen += 1
  })
  await server.ready()

  assert.equal((await ask(server, { url: '/x' })).statusCode, 200)
  assert.equal((await server.inject('/x')).statusCode, 200)
  await eventually(async () => seen === 2 || undefined, 'two responses')
})
