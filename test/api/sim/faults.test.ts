import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoApp, demoApps } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { serviceForFile, startService } from '../../support/service/service.ts'
import { obtainTokens } from '../../support/sign-in.ts'
import { auditLog, callWith, type Response } from './support.ts'

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
const outcomeOf = ({ status, headers }: Response<unknown>) => [status, headers.get('x-refdesk-fault')]

test('injected errors equal real ones, with a header that names the fault', async () => {
  const { status, body } = await put({ Kind: 'RateLimited' })
  assert.equal(status, 200)
  const { EndsAt, ...rest } = body
  assert.deepEqual(rest, { AppKey: demoApp.AppKey, AppName: 'Pocket Charts', Kind: 'RateLimited', Percent: 100 })
  assert.ok(Temporal.Instant.from(EndsAt).since(context.clock.real.now()).total('seconds') > 590)

  const limited = await ask()
  assert.deepEqual([...outcomeOf(limited), limited.body.ErrorCode], [429, 'RateLimited', 'RateLimitExceeded'])
  const reset = limited.headers.get('x-ratelimit-session-reset')
  assert.equal(limited.headers.get('retry-after'), reset)
  assert.ok(Number(reset) >= 1 && Number(reset) <= 60)
  assert.equal(limited.headers.get('x-ratelimit-session-remaining'), '0')
  assert.equal((await ask('/ref/v1/instruments')).headers.get('x-ratelimit-refdatainstrumentsminute-remaining'), '0')

  await put({ Kind: 'Unavailable' })
  const away = await ask()
  assert.deepEqual([...outcomeOf(away), away.body.ErrorCode], [503, 'Unavailable', 'ServiceUnavailable'])
  assert.ok(Number(away.headers.get('retry-after')) >= 1)

  await put({ Kind: 'expiredtoken' })
  const [expired, real] = [await ask(), await callWith(service, 'a.b.c')('GET', '/port/v1/users/me')]
  assert.deepEqual(outcomeOf(expired), [401, 'ExpiredToken'])
  assert.equal(expired.headers.get('www-authenticate'), real.headers.get('www-authenticate'))
  assert.deepEqual(expired.body, real.body)

  assert.deepEqual(
    (await call<Feed>('GET', '/x/v1/faults')).body.Data.map(({ Kind }) => Kind),
    ['ExpiredToken'],
  )
  assert.equal((await call('DELETE', fault)).status, 204)
  assert.deepEqual(outcomeOf(await ask()), [200, null])
})

test('drops connections on every node, only for the service group of the fault', async () => {
  await put({ Kind: 'Dropped', Group: 'port' })
  await assert.rejects(ask())
  assert.deepEqual(outcomeOf(await ask('/x/v1/revision')), [200, null])
  await eventually(async () => {
    const response = await callWith(other, token)('GET', '/port/v1/users/me').catch(() => 'dropped')
    return response === 'dropped' || undefined
  })
  await call('DELETE', fault)
  assert.equal((await ask()).status, 200)
})

test('delays responses until the caller disconnects or the server closes', {
  timeout: 40_000,
}, async () => {
  await put({ Kind: 'Slow', DelaySeconds: 0.1 })
  assert.deepEqual(outcomeOf(await ask()), [200, 'Slow'])
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
  assert.deepEqual(outcomeOf(await last), [200, 'Slow'])
  await call('DELETE', fault)
})

test('a fault ends in real time and does not affect other apps', async () => {
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

test('rejects apps of other clients and invalid faults', async () => {
  const cy = callWith(service, (await obtainTokens(service.url, { user: 'cy' })).access_token)
  const rejected = [
    cy('PUT', fault, { Kind: 'Dropped' }),
    cy('DELETE', fault),
    call('DELETE', `/x/v1/faults/${'0'.repeat(32)}`),
  ]
  for (const { status } of await Promise.all(rejected)) assert.equal(status, 404)
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
    const response = await call<{ ModelState: object }>('PUT', fault, body)
    assert.deepEqual(
      [response.status, Object.keys(response.body.ModelState).sort()],
      [400, fields],
      JSON.stringify(body),
    )
  }
  assert.equal((await call('DELETE', fault)).status, 204)
  assert.equal((await call('DELETE', fault)).status, 204, 'removing it again has no effect')
  const lines = (await auditLog(context.db)).filter(({ kind }) => kind === 'FaultChanged')
  assert.deepEqual(lines.at(-2)?.detail, { kind: 'Slow', percent: 100, group: 'ca', delaySeconds: 5 })
  assert.deepEqual([lines.at(-1)?.app, lines.at(-1)?.detail], [demoApp.AppKey, { removed: true }])
})

test('drops requests from within the process too, without hanging', async () => {
  await put({ Kind: 'Dropped', Group: 'port' })
  const inject = service.node.server.inject({
    url: '/sim/openapi/port/v1/users/me',
    headers: { authorization: `Bearer ${token}` },
  })
  const outcome = await Promise.race([
    inject.then(
      () => 'responded',
      () => 'dropped',
    ),
    sleep(5_000, 'hangs', { ref: false }),
  ])
  assert.equal(outcome, 'dropped')
  await call('DELETE', fault)
})
