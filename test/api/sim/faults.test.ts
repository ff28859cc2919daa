import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoApp, demoApps } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { serviceForFile, startService } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { type Answer, auditLog, callWith } from './support.ts'

type FaultView = { AppKey: string; AppName: string; Kind: string; Percent: number; Group?: string; EndsAt: string }
type Feed = { Data: FaultView[] }

const service = await serviceForFile()
const other = await serviceForFile({ besides: service })
const { context } = service.node
const { access_token: token } = await obtainTokens(service.url)
const call = callWith(service, token)
const fault = `/x/v1/faults/${demoApp.AppKey}`
const put = (body: object) => call<FaultView>('PUT', fault, body)
const ask = (path = '/port/v1/users/me') => call<{ ErrorCode?: string }>('GET', path)
const told = ({ status, headers }: Answer<unknown>) => [status, headers.get('x-refdesk-fault')]

test('calls are refused as a real limit, outage and end of a token refuse them, and the fault is named', async () => {
  const { status, body } = await put({ Kind: 'RateLimited' })
  assert.equal(status, 200)
  const { EndsAt, ...rest } = body
  assert.deepEqual(rest, { AppKey: demoApp.AppKey, AppName: 'Pocket Charts', Kind: 'RateLimited', Percent: 100 })
  assert.ok(Temporal.Instant.from(EndsAt).since(context.clock.real.now()).total('seconds') > 590)

  const limited = await ask()
  assert.deepEqual([...told(limited), limited.body.ErrorCode], [429, 'RateLimited', 'RateLimitExceeded'])
  const reset = limited.headers.get('x-ratelimit-session-reset')
  assert.equal(limited.headers.get('retry-after'), reset)
  assert.ok(Number(reset) >= 1 && Number(reset) <= 60)
  assert.equal(limited.headers.get('x-ratelimit-session-remaining'), '0')
  assert.equal((await ask('/ref/v1/instruments')).headers.get('x-ratelimit-refdatainstrumentsminute-remaining'), '0')

  await put({ Kind: 'Unavailable' })
  const away = await ask()
  assert.deepEqual([...told(away), away.body.ErrorCode], [503, 'Unavailable', 'ServiceUnavailable'])
  assert.ok(Number(away.headers.get('retry-after')) >= 1)

  await put({ Kind: 'expiredtoken' })
  const [expired, real] = [await ask(), await callWith(service, 'a.b.c')('GET', '/port/v1/users/me')]
  assert.deepEqual(told(expired), [401, 'ExpiredToken'])
  assert.equal(expired.headers.get('www-authenticate'), real.headers.get('www-authenticate'))
  assert.deepEqual(expired.body, real.body)

  assert.deepEqual(
    (await call<Feed>('GET', '/x/v1/faults')).body.Data.map(({ Kind }) => Kind),
    ['ExpiredToken'],
  )
  assert.equal((await call('DELETE', fault)).status, 204)
  assert.deepEqual(told(await ask()), [200, null])
})

test('a connection is cut without an answer, on every node, for the calls of the group alone', async () => {
  await put({ Kind: 'Dropped', Group: 'port' })
  await assert.rejects(ask())
  assert.deepEqual(told(await ask('/x/v1/revision')), [200, null])
  await eventually(async () => {
    const answer = await callWith(other, token)('GET', '/port/v1/users/me').catch(() => 'cut')
    return answer === 'cut' || undefined
  })
  await call('DELETE', fault)
  assert.equal((await ask()).status, 200)
})

test('an answer waits; who hangs up is let go, and a server that closes answers at once', {
  timeout: 40_000,
}, async () => {
  await put({ Kind: 'Slow', DelaySeconds: 0.1 })
  assert.deepEqual(told(await ask()), [200, 'Slow'])
  await put({ Kind: 'Slow', DelaySeconds: 60 })
  const url = `${service.baseUrl}/port/v1/users/me`
  const hangUp = new AbortController()
  const waiting = fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: hangUp.signal })
  const inFlight = () => service.node.server.requestsInFlight
  await eventually(async () => inFlight() === 1 || undefined)
  hangUp.abort()
  await assert.rejects(waiting)
  await eventually(async () => inFlight() === 0 || undefined)

  const closing = await startService({ besides: service })
  const last = callWith(closing, token)('GET', '/port/v1/users/me')
  try {
    await eventually(async () => closing.node.server.requestsInFlight === 1 || undefined)
  } finally {
    await closing.close()
  }
  assert.deepEqual(told(await last), [200, 'Slow'])
  await call('DELETE', fault)
})

test('a fault ends by itself in real time, and another app never meets it', async () => {
  await put({ Kind: 'Unavailable', ForSeconds: 1 })
  const another = demoApps[2]?.AppKey ?? ''
  await call('PUT', `/x/v1/faults/${another}`, { Kind: 'Unavailable', Percent: 50 })
  await eventually(async () => (await ask()).status === 200 || undefined)
  assert.deepEqual(
    (await call<Feed>('GET', '/x/v1/faults')).body.Data.map(({ AppKey }) => AppKey),
    [another],
  )
  await call('DELETE', `/x/v1/faults/${another}`)
})

test('only apps of one’s own client, and only what makes sense', async () => {
  const cy = callWith(service, (await obtainTokens(service.url, { user: 'cy' })).access_token)
  const refusals = [
    cy('PUT', fault, { Kind: 'Dropped' }),
    cy('DELETE', fault),
    call('DELETE', `/x/v1/faults/${'0'.repeat(32)}`),
  ]
  for (const { status } of await Promise.all(refusals)) assert.equal(status, 404)
  await put({ Kind: 'Slow', Group: 'ca' })
  assert.deepEqual((await cy<Feed>('GET', '/x/v1/faults')).body.Data, [])
  const wrong: [object, string[]][] = [
    [{}, ['Kind']],
    [{ Kind: 'Broken', Percent: 0, ForSeconds: 86_401, Group: 'auth' }, ['ForSeconds', 'Group', 'Kind', 'Percent']],
    [{ Kind: 'Slow', DelaySeconds: 61 }, ['DelaySeconds']],
    [{ Kind: 'Dropped', DelaySeconds: 1 }, ['DelaySeconds']],
    [{ Kind: 'Dropped', Until: 'noon' }, ['Until']],
  ]
  for (const [body, fields] of wrong) {
    const answer = await call<{ ModelState: object }>('PUT', fault, body)
    assert.deepEqual([answer.status, Object.keys(answer.body.ModelState).sort()], [400, fields], JSON.stringify(body))
  }
  assert.equal((await call('DELETE', fault)).status, 204)
  assert.equal((await call('DELETE', fault)).status, 204, 'nothing is left to take away')
  const lines = (await auditLog(context.db)).filter(({ kind }) => kind === 'FaultChanged')
  assert.deepEqual(lines.at(-2)?.detail, { kind: 'Slow', percent: 100, group: 'ca', delaySeconds: 5 })
  assert.deepEqual([lines.at(-1)?.app, lines.at(-1)?.detail], [demoApp.AppKey, { removed: true }])
})

test('a call from within the process meets a cut too, and nothing hangs', async () => {
  await put({ Kind: 'Dropped', Group: 'port' })
  const inject = service.node.server.inject({
    url: '/sim/openapi/port/v1/users/me',
    headers: { authorization: `Bearer ${token}` },
  })
  const outcome = await Promise.race([
    inject.then(
      () => 'answered',
      () => 'cut',
    ),
    sleep(5_000, 'hangs', { ref: false }),
  ])
  assert.equal(outcome, 'cut')
  await call('DELETE', fault)
})
