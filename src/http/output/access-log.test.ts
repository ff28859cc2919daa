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

const loggers: ((sink: { write(line: string): void }) => Logger)[] = [
  (sink) => pino({ base: null, timestamp: () => ',"time":"2026-03-01T12:00:00.123Z"' }, sink),
  (sink) => pino({ timestamp: false }, sink).child({ service: 'a"b' }),
]

test('a line is the one that log.info writes, whatever a caller sends', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('127.0.0.1', '::1', '/a/:id/*', '"', '\\', '\u2028'),
  )
  const parts = fc.record({
    ...{ id: text, method: text, ip: fc.option(text, { nil: undefined }), url: fc.option(text, { nil: undefined }) },
    ...{ status: fc.integer({ min: 100, max: 599 }), elapsed: fc.double({ min: 0, max: 1e5, noNaN: true }) },
    caller: fc.option(fc.record({ sessionId: text, appKey: text })),
    isCut: fc.boolean(),
  })
  for (const make of loggers)
    fc.assert(
      fc.property(parts, ({ id, method, ip, url, status, elapsed, caller, isCut }) => {
        const { log, lines } = recorded(make)
        const request = { id, method, ip, caller, is404: url === undefined, routeOptions: { url } }
        const ms = Math.round(elapsed * 10) / 10
        const [session, app] = [caller?.sessionId, caller?.appKey]

        const reply = { statusCode: status, isCut }
        const cut = isCut || undefined

        accessLog(log)(request as unknown as FastifyRequest, reply as unknown as FastifyReply, elapsed)
        log.info({ reqId: id, method, route: url, status, ms, session, app, address: ip, cut }, 'answered')

        assert.equal(lines[0], lines[1])
        assert.equal(lines.length, 2)
      }),
    )
})

test('consecutive lines are those that log.info writes, whatever changes between them', () => {
  const callers = ['a', 'b', 'a'].map((sessionId, at) => ({ sessionId, appKey: `app${at % 2}` }))
  const one = fc.record({
    ...{ caller: fc.constantFrom(undefined, ...callers), ip: fc.constantFrom('127.0.0.1', '::1', undefined) },
    ...{ method: fc.constantFrom('GET', 'POST'), url: fc.constantFrom('/a', '/b', undefined) },
    ...{
      status: fc.constantFrom(200, 304),
      isFirst: fc.boolean(),
      elapsed: fc.constantFrom(0.04, 99.94, 99.95, 1234.56),
    },
  })
  fc.assert(
    fc.property(fc.array(one), (sent) => {
      let now = 0
      let time = ''
      const timestamp = () => `,"time":${now}`
      const { log, lines } = recorded((sink) => pino({ base: null, timestamp }, sink))
      const expected = recorded((sink) => pino({ base: null, timestamp: () => time }, sink))
      const observe = accessLog(log)
      for (const [at, { caller, ip, method, url, status, elapsed, isFirst }] of sent.entries()) {
        now++
        const isRead = at === 0 || isFirst
        if (isRead) time = timestamp()
        const request = { id: `r${at}`, method, ip, caller, is404: url === undefined, routeOptions: { url } }
        const reply = { statusCode: status, isCut: false }
        observe(request as unknown as FastifyRequest, reply as unknown as FastifyReply, elapsed, isRead)
        const [ms, session, app] = [Math.round(elapsed * 10) / 10, caller?.sessionId, caller?.appKey]
        expected.log.info({ reqId: `r${at}`, method, route: url, status, ms, session, app, address: ip }, 'answered')
      }
      assert.deepEqual(lines, expected.lines)
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
  const showTarget = (target: string, route: string | undefined) => `${route} ${target.replace(secret, 'x')}`
  const names = { ofApp: (key: string) => `App ${key}`, ofUser: (_: string, key: string) => `User ${key}` }
  const showReason = ({ message }: { message: string }) => message.replace(secret, '[redacted]')
  accessLog(log, { showTarget, showReason, names })(request, reply, 1)
  accessLog(log)(request, reply, 1)
  const [pretty, json] = lines.map((line) => JSON.parse(line))
  const { app, appName, user, fault, reason, path } = pretty
  assert.deepEqual([app, appName, user, fault, reason], ['app1', 'App app1', 'user1', 'unavailable', 'Not [redacted].'])
  assert.equal(path, 'undefined /x')
  assert.ok(!lines.join('').includes(secret))
  assert.ok(!('user' in json) && !('reason' in json) && !('path' in json) && !('appName' in json))
})
