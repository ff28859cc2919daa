import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const METRICS_TOKEN = 'a-token-for-metrics'
noteSecret('metrics token', METRICS_TOKEN)
const service = await serviceForFile({ env: { METRICS_TOKEN } })
const { url, baseUrl } = service
const ada = (await obtainTokens(url)).access_token

const metrics = async (): Promise<string> => {
  const response = await fetch(`${url}/metrics`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  return response.text()
}
const sample = (text: string, name: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}
const responses = (text: string, route: string, status: number): number =>
  sample(text, `refdesk_requests_total{method="GET",route="${route}",status="${status}"}`)
const measured = (text: string, operation: string, status: number): number =>
  sample(text, `refdesk_request_seconds_count{operation="${operation}",status="${status}"}`)
/** Over all labels. */
const sum = (text: string, name: string): number =>
  [...text.matchAll(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'gm'))].reduce((total, [, n]) => total + Number(n), 0)

/** Waits, because the server finishes a request a moment after the caller has the response. */
async function untilInFlight(wanted: number): Promise<void> {
  let seen = Number.NaN
  for (let attempt = 0; attempt < 500 && seen !== wanted; attempt++) {
    if (attempt > 0) await sleep(20)
    seen = sample(await metrics(), 'refdesk_requests_in_flight')
  }
  assert.equal(seen, wanted)
}

describe('requests in flight', () => {
  test('are the requests in progress, whatever the status of earlier ones', async () => {
    for (let index = 0; index < 5; index++) {
      assert.equal((await fetch(`${url}/nothing-here`)).status, 404)
      assert.equal((await fetch(`${url}/token`)).status, 405)
      assert.equal((await fetch(`${baseUrl}/port/v1/users/me`)).status, 401)
      assert.equal((await getRest(baseUrl, '/port/v1/users/me', ada)).status, 200)
      assert.equal((await fetch(`${url}/health/live`)).status, 200)
    }
    await untilInFlight(1)
  })

  test('do not include a caller who disconnected before the response', async () => {
    const { port } = new URL(url)
    const socket = connect(Number(port), 'localhost')
    const head = 'POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    socket.write(`${head}Content-Length: 100\r\n\r\ngrant_type=`)
    await untilInFlight(2)
    socket.destroy()
    await untilInFlight(1)
  })
})

test('counts responses by route and status, and measures them by operation; all unknown paths have one label', async () => {
  const before = await metrics()
  await getRest(baseUrl, '/port/v1/users/me', ada)
  await getRest(baseUrl, '/PORT/v1/users/me/', ada)
  await fetch(`${baseUrl}/port/v1/users/me`)
  await fetch(`${url}/some-secret-in-the-wrong-place`)
  await fetch(`${url}/another`)
  await fetch(`${url}/health/live`)
  const countsIn = (text: string) => [
    responses(text, '/sim/openapi/port/v1/users/me', 200),
    responses(text, '/sim/openapi/port/v1/users/me', 401),
    responses(text, 'unknown', 404),
    responses(text, '/health/live', 200),
    measured(text, 'getUser', 200),
    measured(text, 'unknown', 404),
  ]
  const wanted = countsIn(before).map((count, index) => count + ([2, 1, 2, 1, 2, 2][index] ?? 0))
  let after = await metrics()
  for (let attempt = 0; attempt < 500 && countsIn(after).join() !== wanted.join(); attempt++) {
    await sleep(20)
    after = await metrics()
  }
  assert.deepEqual(countsIn(after), wanted)
  assert.doesNotMatch(after, /some-secret/)
  assert.equal(sum(after, 'refdesk_request_seconds_count'), sum(after, 'refdesk_requests_total'))
  assert.ok(sum(after, 'refdesk_request_seconds_sum') > 0)
})

test('reports connections, the database pool, the catalogue revision, the event loop and the process', async () => {
  const text = await metrics()
  for (const name of [
    'refdesk_connections',
    'refdesk_connections_rejected_total',
    'refdesk_pool_connections',
    'refdesk_pool_idle_connections',
    'refdesk_pool_waiting_requests',
    'refdesk_catalogue_revision',
    'refdesk_event_loop_delay_seconds_max',
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
  ])
    assert.match(text, new RegExp(`^${name} \\d`, 'm'))
})

test('counts what is not readable as HTTP by status', async () => {
  const name = 'refdesk_unreadable_requests_total{status="400"}'
  const before = sample(await metrics(), name)
  const { port } = new URL(url)
  const socket = connect(Number(port), 'localhost', () => socket.write('HELLO\r\n\r\n'))
  let response = ''
  for await (const chunk of socket) response += chunk

  assert.match(response, /^HTTP\/1\.1 400 /)
  assert.equal(sample(await metrics(), name), before + 1)
})

test('counts the requests that were answered from memory, and the memory', async () => {
  const before = await metrics()
  for (let times = 0; times < 5; times++)
    assert.equal((await getRest(baseUrl, '/ref/v1/currencypairs', ada)).status, 200)
  const after = await metrics()
  const grown = (name: string) => sample(after, name) - sample(before, name)
  assert.equal(grown('refdesk_remembered_answers_total'), 3)
  assert.ok(grown('refdesk_remembered_answers_bytes') > 0)
})

describe('from another machine', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7', ...headers } })

  test('/metrics without the token looks like an unknown address', async () => {
    const unknown = await (await fetch(`${url}/nothing-here`)).text()
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${METRICS_TOKEN}x` }]) {
      const response = await ask(headers as Record<string, string>)
      assert.equal(response.status, 404)
      assert.equal(await response.text(), unknown)
    }
  })

  test('/metrics is closed to every proxy on this machine, whatever header it adds', async () => {
    for (const header of ['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'x-forwarded-proto'])
      assert.equal((await fetch(`${url}/metrics`, { headers: { [header]: '1.1 proxy' } })).status, 404, header)
    assert.equal((await fetch(`${url}/metrics`)).status, 200)
  })

  test('/metrics without the token needs a Host of this machine: any other may be a page that rebound its name, or a proxy', async () => {
    const { server } = service.node
    const statusOf = async (host: string, remoteAddress = '127.0.0.1', headers = {}) =>
      (await server.inject({ url: '/metrics', remoteAddress, headers: { host, ...headers } })).statusCode
    for (const host of ['rebound.example', 'rebound.example:4700', 'localhost.example:4700', '192.0.2.1:4700'])
      assert.equal(await statusOf(host), 404, host)
    for (const host of ['localhost:4700', '127.0.0.1:4700', '[::1]:4700'])
      for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
        assert.equal(await statusOf(host, address), 200, `${host} from ${address}`)
    assert.equal(await statusOf('localhost:4700', '::ffff:192.0.2.1'), 404)
    const token = { authorization: `Bearer ${METRICS_TOKEN}` }
    assert.equal(await statusOf('rebound.example', '127.0.0.1', token), 200)
  })

  test('/metrics accepts the token', async () => {
    const response = await ask({ authorization: `Bearer ${METRICS_TOKEN}` })
    assert.equal(response.status, 200)
    assert.match(await response.text(), /^process_resident_memory_bytes \d+$/m)
  })
})
