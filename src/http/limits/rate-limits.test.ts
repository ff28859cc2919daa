import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCaller, testServer } from '../../../test/support/http-server.ts'
import { addSteps } from '../pipeline.ts'
import { rateLimitBuckets } from './buckets.ts'
import { RateLimiter } from './rate-limiter.ts'
import { countRates, isLocal, limitRates, type RateLimitMode } from './rate-limits.ts'

function limitedServer(mode: RateLimitMode = 'on', appDay: number = rateLimitBuckets.AppDay.limit) {
  const { server } = testServer()
  const limits = { ...rateLimitBuckets, AppDay: { limit: appDay, windowSeconds: 86_400 } }
  const limiter = new RateLimiter({ now: () => 600_000_000 })
  const limit = limitRates(countRates({ limiter, mode, basePath: '/sim/openapi', limits }))
  addSteps(server, {
    admit(request, reply) {
      const { authorization: session, user = testCaller.UserKey, app = testCaller.appKey } = request.headers
      if (session) request.caller = { ...testCaller, sessionId: session, UserKey: String(user), appKey: String(app) }
      return limit(request, reply)
    },
  })
  server.get('/sim/openapi/ref/v1/exchanges', async () => 'x')
  server.get('/sim/openapi/ref/v1/instruments', { config: { rateLimit: 'RefDataInstrumentsMinute' } }, async () => 'x')
  server.get('/sim/openapi/ca/v2/events/:Id', async () => 'x')
  const ask = async (path: string, headers: Record<string, string> = {}, times = 1) => {
    const send = () => server.inject({ url: `/sim/openapi${path}`, headers: { authorization: 's1', ...headers } })
    for (let more = times; more > 1; more -= 1) await send()
    return send()
  }
  return { ask, server }
}

test('a session has 120 requests a minute in each service group, as the headers say', async () => {
  const { ask } = limitedServer()
  const first = await ask('/ref/v1/exchanges')
  assert.equal(first.headers['x-ratelimit-session-limit'], '120')
  assert.equal(first.headers['x-ratelimit-session-remaining'], '119')
  assert.equal(first.headers['x-ratelimit-session-reset'], '60')
  assert.equal(first.headers['x-ratelimit-appday-limit'], '10000000')
  assert.equal(first.headers['x-ratelimit-appday-remaining'], '9999999')
  assert.equal((await ask('/REF/v1/Exchanges/', {}, 119)).statusCode, 200)
  const over = await ask('/ref/v1/exchanges')
  assert.equal(over.statusCode, 429)
  assert.equal(over.json().ErrorCode, 'RateLimitExceeded')
  assert.equal(over.headers['retry-after'], '60')
  assert.equal(over.headers['x-ratelimit-session-remaining'], '0')
  assert.equal((await ask('/ca/v2/events/1')).statusCode, 200, 'another group')
  assert.equal((await ask('/ref/v1/exchanges', { authorization: 's2' })).statusCode, 200, 'another session')
})

test('a user with one app has the requests of five sessions in each group, whatever sessions make them', async () => {
  const { ask } = limitedServer()
  const inSessions = async (path: string, each: number) => {
    const answers = []
    for (let session = 1; session <= 6; session++) answers.push(await ask(path, { authorization: `s${session}` }, each))
    return answers
  }
  const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

  const answers = await inSessions('/ref/v1/exchanges', 120)
  assert.deepEqual(statuses(answers), [200, 200, 200, 200, 200, 429])
  assert.equal(answers[5]?.headers['x-ratelimit-session-remaining'], '120')
  assert.equal(answers[5]?.headers['retry-after'], '60')
  assert.match(answers[5]?.json().Message, /by this user with this app, in all sessions together/)
  assert.deepEqual(statuses(await inSessions('/ref/v1/instruments', 60)), [200, 200, 200, 200, 200, 429])
  assert.equal((await ask('/ca/v2/events/1', { authorization: 's6' })).statusCode, 200, 'another group')
  assert.equal((await ask('/ref/v1/exchanges', { authorization: 's7', user: 'another' })).statusCode, 200)
  assert.equal((await ask('/ref/v1/exchanges', { authorization: 's8', app: 'another' })).statusCode, 200)
})

test('a route with its own bucket counts there instead, at 60 a minute', async () => {
  const { ask } = limitedServer()
  const last = await ask('/ref/v1/instruments', {}, 60)
  assert.equal(last.statusCode, 200)
  assert.equal(last.headers['x-ratelimit-refdatainstrumentsminute-limit'], '60')
  assert.equal(last.headers['x-ratelimit-refdatainstrumentsminute-remaining'], '0')
  assert.equal(last.headers['x-ratelimit-refdatainstrumentsminute-reset'], '60')
  assert.equal(last.headers['x-ratelimit-session-limit'], undefined)
  assert.equal((await ask('/ref/v1/instruments')).statusCode, 429)
  assert.equal((await ask('/ref/v1/exchanges')).headers['x-ratelimit-session-remaining'], '119')
})

test('an app has a limit a day over all its sessions', async () => {
  const { ask } = limitedServer('on', 2)
  await ask('/ref/v1/exchanges', { authorization: 's1' })
  await ask('/ca/v2/events/1', { authorization: 's2' })
  const over = await ask('/ref/v1/exchanges', { authorization: 's3' })
  assert.equal(over.statusCode, 429)
  assert.equal(over.headers['retry-after'], over.headers['x-ratelimit-appday-reset'])
  assert.equal(over.headers['x-ratelimit-session-remaining'], '120')
})

test('without a caller, or switched off, nothing is counted', async () => {
  const { server } = limitedServer()
  const answer = await server.inject('/sim/openapi/ref/v1/exchanges')
  assert.equal(answer.headers['x-ratelimit-session-limit'], undefined)
  assert.equal((await limitedServer('off').ask('/ref/v1/exchanges')).headers['x-ratelimit-session-limit'], undefined)
})

test('loopback-off does not count this machine, but counts forwarded requests', async () => {
  const { ask } = limitedServer('loopback-off')
  assert.equal((await ask('/ref/v1/exchanges')).headers['x-ratelimit-session-limit'], undefined)
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    assert.equal(
      (await ask('/ref/v1/exchanges', { [header]: 'for=127.0.0.1' })).headers['x-ratelimit-session-limit'],
      '120',
    )
})

test('a request is local if it comes from a loopback address, names a loopback host and came through no proxy', async () => {
  const { server } = testServer({ trustProxy: ['127.0.0.1'] })
  server.get('/x', async (request) => isLocal(request))
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await server.inject({ url: '/x', remoteAddress, headers })).body
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
    assert.equal(await ask(address), 'true', address)
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '::2', '1.127.0.0'])
    assert.equal(await ask(address), 'false', address)
  for (const host of [
    'localhost',
    'LOCALHOST:4700',
    '127.0.0.1:4700',
    '[::1]:4700',
    '[::1]',
    '[::ffff:127.0.0.1]:4700',
  ])
    assert.equal(await ask('::1', { host }), 'true', host)
  for (const host of ['rebound.example', 'rebound.example:4700', 'localhost.rebound.example', '::1', 'localhost:x'])
    assert.equal(await ask('127.0.0.1', { host }), 'false', host)
  assert.equal(await ask('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }), 'false')
})

test('loopback-off counts a request whose Host is not of this machine: a page of another site may have sent it', async () => {
  const { ask } = limitedServer('loopback-off')
  const limitOf = async (host: string) =>
    (await ask('/ref/v1/exchanges', { host })).headers['x-ratelimit-session-limit']
  assert.equal(await limitOf('localhost:4700'), undefined)
  assert.equal(await limitOf('rebound.example:4700'), '120')
})
