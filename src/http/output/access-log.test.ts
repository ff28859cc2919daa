import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'
import { noteFacts } from '../request-log/facts.ts'
import { accessLog } from './access-log.ts'

function recorded(makeLog: (sink: { write(line: string): void }) => Logger) {
  const lines: string[] = []
  return { log: makeLog({ write: (line) => void lines.push(line) }), lines }
}

test('a response has one line with these members, whatever its caller sends', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('127.0.0.1', '/a/:id/*', '"', '\\', '\u2028'))
  fc.assert(
    fc.property(text, text, fc.option(fc.record({ sessionId: text, appKey: text })), (id, url, caller) => {
      const { log, lines } = recorded((sink) => pino({ base: null, timestamp: false }, sink))
      const request = { id, method: 'GET', ip: '::1', caller, is404: false, routeOptions: { url } }
      const reply = { statusCode: 200, isCut: true }

      accessLog(log)(request as unknown as FastifyRequest, reply as unknown as FastifyReply, 12.34)

      const [session, app] = [caller?.sessionId, caller?.appKey]
      const members = { reqId: id, method: 'GET', route: url, status: 200, ms: 12.3, session, app, address: '::1' }
      const line = { level: 30, ...members, cut: true, msg: 'answered' }
      assert.deepEqual(JSON.parse(lines.join('')), JSON.parse(JSON.stringify(line)))
    }),
  )
})

test('LOG_LEVEL=warn has no lines for responses', () => {
  const { log, lines } = recorded((sink) => pino({ level: 'warn' }, sink))
  accessLog(log)({} as FastifyRequest, {} as FastifyReply, 0)
  assert.deepEqual(lines, [])
})

test('a line for a reader has app, user, fault and reason, and no secret', () => {
  const { log, lines } = recorded((sink) => pino({}, sink))
  const secret = '0123456789abcdef0123456789abcdef'
  const request = { id: 'r', method: 'POST', raw: {}, url: `/${secret}`, is404: true } as FastifyRequest
  const reply = { statusCode: 401, getHeader: () => 'unavailable' } as unknown as FastifyReply
  noteFacts(request, { app: 'app1', user: 'user1', reason: { code: 'invalid_client', message: `Not ${secret}.` } })
  const show = (target: string, route: string | undefined) => `${route} ${target.replace(secret, 'x')}`
  const names = { ofApp: (key: string) => `App ${key}`, ofUser: (_: string, key: string) => `User ${key}` }
  const showReason = ({ message }: { message: string }) => message.replace(secret, '[redacted]')
  accessLog(log, { routes: { show, showReason }, names })(request, reply, 1)
  accessLog(log)(request, reply, 1)
  const [pretty, json] = lines.map((line) => JSON.parse(line))
  const { app, appName, user, fault, reason, path } = pretty
  assert.deepEqual([app, appName, user, fault, reason], ['app1', 'App app1', 'user1', 'unavailable', 'Not [redacted].'])
  assert.equal(path, 'undefined /x')
  assert.ok(!lines.join('').includes(secret))
  assert.ok(!('user' in json) && !('reason' in json) && !('path' in json) && !('appName' in json))
})
