import { batchRoutes } from '../../../src/http/batch/routes.ts'
import { callInProcess } from '../../../src/http/in-process.ts'
import { rateLimitBuckets } from '../../../src/http/limits/buckets.ts'
import { RateLimiter } from '../../../src/http/limits/rate-limiter.ts'
import { countRates, limitRates } from '../../../src/http/limits/rate-limits.ts'
import { addSteps } from '../../../src/http/pipeline.ts'
import type { ServerOptions } from '../../../src/http/server.ts'
import { testCaller, testServer } from '../http-server.ts'
import type { Request } from './batch.ts'

const publicUrl = 'https://refdesk.example'

/** A server with batches for two groups: `a`, whose `held` requests wait until `release` is called, and `b`. */
export function batchServer(options: Partial<ServerOptions> = {}, sessionLimit = 120) {
  const { server, lines } = testServer(options)
  const asked: string[] = []
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const limits = { ...rateLimitBuckets, Session: { limit: sessionLimit, windowSeconds: 60 } }
  const limiter = new RateLimiter({ now: () => 600_000_000 })
  const count = countRates({ limiter, mode: 'on', basePath: '/base', limits })
  const limit = limitRates(count)
  addSteps(server, {
    admit(request, reply) {
      request.caller = testCaller
      return limit(request, reply)
    },
  })
  server.all('/base/a/echo/:Name', async (request) => {
    const { ip, method, url, body, headers } = request
    return { ip, method, url, body, headers }
  })
  server.get('/base/a/held/:Name', async (request) => {
    asked.push(request.url)
    begun.resolve()
    await held.promise
    return {}
  })
  const large = Buffer.alloc(5 * 1024 * 1024, ' ')
  server.get('/base/a/large/:Name', async (request, reply) => {
    asked.push(request.url)
    return reply.type('text/plain').send(large)
  })
  server.get('/base/a/cut', async (request, reply) => {
    reply.hijack()
    request.raw.destroy()
  })
  const dependencies = { publicUrl, basePath: '/base', nodeName: 'n1', call: callInProcess(server), count }
  server.register(async (api: typeof server) => batchRoutes(api, ['a', 'b'], dependencies), { prefix: '/base' })
  return { server, lines, asked, begun: begun.promise, release: held.resolve }
}

/** A batch for group `a`. */
export const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST' as const,
  url: '/base/a/batch',
  headers: { 'content-type': 'multipart/mixed; boundary="+"', ...headers },
  body,
})

export const echo = (more: Omit<Request, 'url'> = {}): Request => ({ url: '/base/a/echo/x', ...more })
