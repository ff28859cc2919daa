import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens } from '../support/sign-in.ts'

const METRICS_TOKEN = 'a-token-for-metrics'
noteSecret('metrics token', METRICS_TOKEN)
const { url, baseUrl } = await serviceForFile({ env: { METRICS_TOKEN } })
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
const counted = (text: string, method: string, route: string, status: number): number =>
  sample(text, `refdesk_requests_total{method="${method}",route="${route}",status="${status}"}`)

/** Waited for, since an answer is done here a moment after the caller has it. The request that asks is one of them. */
async function untilInFlight(wanted: number): Promise<void> {
  let seen = Number.NaN
  for (let attempt = 0; attempt < 100 && seen !== wanted; attempt++) {
    if (attempt > 0) await sleep(20)
    seen = sample(await metrics(), 'refdesk_requests_in_flight')
  }
  assert.equal(seen, wanted)
}

describe('requests in flight', () => {
  test('are those that are being answered, whatever became of the ones before', async () => {
    for (let index = 0; index < 5; index++) {
      assert.equal((await fetch(`${url}/nothing-here`)).status, 404)
      assert.equal((await fetch(`${url}/token`)).status, 405)
      assert.equal((await fetch(`${baseUrl}/port/v1/users/me`)).status, 401)
      assert.equal((await getRest(baseUrl, '/port/v1/users/me', ada)).status, 200)
      assert.equal((await fetch(`${url}/health/live`)).status, 200)
    }
    await untilInFlight(1)
  })

  test('do not keep a caller who hung up before the answer', async () => {
    const { port } = new URL(url)
    const socket = connect(Number(port), 'localhost')
    const head = 'POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n'
    socket.write(`${head}Content-Length: 100\r\n\r\ngrant_type=`)
    await untilInFlight(2)
    socket.destroy()
    await untilInFlight(1)
  })
})

test('answers are counted by method, route and status; what nobody knows has one name', async () => {
  const before = await metrics()
  await getRest(baseUrl, '/port/v1/users/me', ada)
  await getRest(baseUrl, '/PORT/v1/users/me/', ada)
  await fetch(`${baseUrl}/port/v1/users/me`)
  await fetch(`${url}/some-secret-in-the-wrong-place`)
  await fetch(`${url}/another`)
  await fetch(`${url}/health/live`)
  const answeredIn = (text: string) => [
    counted(text, 'GET', '/sim/openapi/port/v1/users/me', 200),
    counted(text, 'GET', '/sim/openapi/port/v1/users/me', 401),
    counted(text, 'GET', 'unknown', 404),
    counted(text, 'GET', '/health/live', 200),
  ]
  const wanted = answeredIn(before).map((count, index) => count + ([2, 1, 2, 1][index] ?? 0))
  let after = await metrics()
  for (let attempt = 0; attempt < 100 && answeredIn(after).join() !== wanted.join(); attempt++) {
    await sleep(20)
    after = await metrics()
  }
  assert.deepEqual(answeredIn(after), wanted)
  assert.doesNotMatch(after, /some-secret/)
  const total = [...after.matchAll(/^refdesk_requests_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
  assert.equal(sample(after, 'refdesk_request_seconds_count'), total)
  assert.ok(sample(after, 'refdesk_request_seconds_sum') > 0)
})

describe('from elsewhere', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7', ...headers } })

  test('/metrics is not there without the token, like any address that is not', async () => {
    const unknown = await (await fetch(`${url}/nothing-here`)).text()
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${METRICS_TOKEN}x` }]) {
      const response = await ask(headers as Record<string, string>)
      assert.equal(response.status, 404)
      assert.equal(await response.text(), unknown)
    }
  })

  test('/metrics opens with the token', async () => {
    const response = await ask({ authorization: `Bearer ${METRICS_TOKEN}` })
    assert.equal(response.status, 200)
    assert.match(await response.text(), /^process_resident_memory_bytes \d+$/m)
  })
})
