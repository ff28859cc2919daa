import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerWith, makeApp, signInTo } from '../support/apps.ts'
import { demoApp } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { type Answered, answersIn, batchOf, type Request } from '../support/http/batch.ts'
import { serviceForFile } from '../support/service/service.ts'
import { obtainTokens } from '../support/sign-in.ts'

const limits = { RATE_LIMITS: 'on', RATE_LIMIT_REFDATA_MINUTE: '20', RATE_LIMIT_SESSION_MINUTE: '50' }
const service = await serviceForFile({ reference: true, env: limits })
const { access_token: token } = await obtainTokens(service.url)
const base = '/sim/openapi'
const groups = ['ref', 'ca', 'port', 'developer', 'root', 'x']

function send(group: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.baseUrl}/${group}/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/mixed; boundary="+"', ...headers },
    body,
  })
}

async function answersTo(group: string, requests: readonly Request[], headers = {}): Promise<Answered[]> {
  const response = await send(group, batchOf(requests), headers)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return answersIn(text, response.headers.get('content-type') ?? '')
}

const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status)

test('a batch of reads returns the same responses as individual reads', async () => {
  const details = `${base}/ref/v1/instruments/details/1000/Stock`
  const requests = [
    { url: `${base}/ref/v1/instruments?Keywords=apple&$top=2` },
    { url: `${service.config.publicUrl}${details}` },
    { url: `${base}/ref/v1/instruments/details/1/Stock` },
    { url: details, headers: { 'If-None-Match': '*' } },
    { url: details, method: 'HEAD' },
    { url: details, headers: { Authorization: 'Bearer unknown' } },
    { url: details, method: 'PUT' },
  ]
  const answers = await answersTo('ref', requests, { 'accept-encoding': 'gzip' })
  assert.deepEqual(statuses(answers), [200, 200, 404, 304, 200, 401, 405])
  for (const [index, { url, method = 'GET', headers = {} }] of requests.entries()) {
    const authorization = `Bearer ${token}`
    const alone = await fetch(new URL(url, service.url), { method, headers: { authorization, ...headers } })
    const answer = answers[index]
    assert.equal(answer?.text, await alone.text(), url)
    for (const name of ['etag', 'allow', 'content-type', 'cache-control', 'www-authenticate', 'vary'])
      assert.equal(answer?.headers.get(name), alone.headers.get(name), `${name} of ${url}`)
    assert.equal(answer?.headers.get('x-request-id'), String(index + 1))
    // One line, because there are clients that read it so.
    assert.doesNotMatch(answer?.text ?? '', /[\r\n]/)
  }
  // Others look for names by how the interface spells them.
  const spelled = new Set(answers.flatMap(({ fields }) => fields.map((line) => line.split(':', 1)[0])))
  for (const name of ['ETag', 'WWW-Authenticate', 'X-Request-Id', 'X-RateLimit-RefDataInstrumentsMinute-Limit'])
    assert.ok(spelled.has(name), name)
})

test('each part is counted, the batch is not', async () => {
  const { access_token } = await obtainTokens(service.url)
  const one = { url: `${base}/ref/v1/instruments?Keywords=apple&$top=1` }
  const headers = { authorization: `Bearer ${access_token}` }
  const many = Array.from({ length: 41 }, () => one)
  const answers = await answersTo('ref', many, headers)
  const [admitted, rejected] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted))
  assert.equal((admitted?.length ?? 0) + (rejected?.length ?? 0), 41)
  // Twenty a minute, and a new one may begin meanwhile.
  assert.ok(rejected?.every((answer) => Number(answer.headers.get('retry-after')) > 0) && rejected.length > 0)
  const left = admitted?.map((answer) => Number(answer.headers.get('x-ratelimit-refdatainstrumentsminute-remaining')))
  assert.ok(
    left?.every((count, index) => count === 19 || count === Number(left[index - 1]) - 1),
    String(left),
  )
  const whole = await send('ref', batchOf([one]), headers)
  assert.deepEqual([whole.status, whole.headers.get('x-ratelimit-session-remaining')], [200, null])
})

test('a batch writes in the order of its parts; a read-only token is rejected where it writes', async () => {
  const app = await makeApp(callerWith(service, token), { Name: 'Reader', IsTradingEnabled: false })
  const { access_token: reader } = await signInTo(service, app)
  const at = `${base}/developer/apps/${app.AppKey}`
  const patch = (Name: string, headers = {}) => ({ method: 'PATCH', url: at, body: { Name }, headers })
  const override = { ...patch('C', { 'X-HTTP-Method-Override': 'PATCH' }), method: 'POST' }
  const read = { url: at }
  const answers = await answersTo('developer', [
    ...[patch('Ünser'), read, patch('B'), read, override, read],
    patch('D', { Authorization: `Bearer ${reader}` }),
    { method: 'POST', url: `${base}/developer/apps`, body: { Name: '' } },
    { method: 'DELETE', url: at },
    read,
  ])
  const [, first, , second, , third, readOnly, bad, , last] = answers
  assert.deepEqual(statuses(answers), [204, 200, 204, 200, 204, 200, 403, 400, 204, 200])
  assert.deepEqual(
    [first, second, third].map((answer) => answer?.body.Name),
    ['Ünser', 'B', 'C'],
  )
  assert.equal(readOnly?.body.ErrorCode, 'RequestNotAllowed')
  assert.equal(bad?.body.ErrorCode, 'InvalidModelState')
  assert.equal(last?.body.IsActive, false)
})

test('every service group has its own batches, for callers with a token and pages of their app', async () => {
  const own = ['v1/currencies', 'v2/events/lookupdata', 'v1/users/me', 'apps', 'v1/diagnostics/get', 'v1/revision']
  for (const [index, group] of groups.entries()) {
    const other = groups[(index + 1) % groups.length]
    const requests = [{ url: `${base}/${group}/${own[index]}` }, { url: `${base}/${other}/isalive` }]
    assert.deepEqual(statuses(await answersTo(group, requests)), [200, 400], group)
  }
  const rejected = await send('ca', batchOf([{ url: `${base}/ca/isalive` }]), { authorization: 'Bearer unknown' })
  assert.equal(rejected.status, 401)
  const origin = 'http://localhost:5000'
  const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
  const preflight = await fetch(`${service.baseUrl}/ca/batch`, { method: 'OPTIONS', headers: { origin, ...asks } })
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/i)
  const read = await send('ca', batchOf([{ url: `${base}/ca/isalive` }]), { origin, 'x-request-id': '41' })
  assert.equal(read.headers.get('access-control-allow-origin'), origin)
  assert.equal(read.headers.get('x-request-id'), '41')
  await read.text()
})

test('diagnostics show which methods get through, and every group whether it is alive', async () => {
  const headers = { authorization: `Bearer ${token}` }
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const url = `${service.baseUrl}/root/v1/diagnostics/${method.toLowerCase()}`
    // Also without a token: libraries ask before they have one.
    for (const given of [headers, undefined]) {
      const answer = await fetch(url, { method, ...(given && { headers: given }) })
      assert.deepEqual([answer.status, await answer.json()], [200, { Method: method }])
    }
    const other = await fetch(url, { method: method === 'GET' ? 'PUT' : 'GET', headers })
    assert.equal(other.status, 405)
    assert.match(other.headers.get('allow') ?? '', new RegExp(`\\b${method}\\b`))
  }
  const patched = await fetch(`${service.baseUrl}/root/v1/diagnostics/patch`, {
    method: 'POST',
    headers: { ...headers, 'x-http-method-override': 'PATCH', 'content-type': 'application/json' },
    body: '{}',
  })
  assert.deepEqual(await patched.json(), { Method: 'PATCH' })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json']) {
    const posted = await fetch(`${service.baseUrl}/root/v1/diagnostics/post`, {
      ...{ method: 'POST', headers: { 'content-type': type }, body: 'anything' },
    })
    assert.equal(posted.status, 200, type)
  }
  for (const method of ['HEAD', 'OPTIONS']) {
    const answer = await fetch(`${service.baseUrl}/root/v1/diagnostics/${method.toLowerCase()}`, { method })
    assert.deepEqual([answer.status, await answer.text()], [200, ''], method)
  }
  const echo = `${service.baseUrl}/root/v1/diagnostics/echo`
  assert.deepEqual(await (await fetch(`${echo}?a=%20b?c`)).json(), { Method: 'GET', Query: 'a=%20b?c' })
  const echoed = await fetch(echo, { method: 'POST', headers: { 'content-type': 'text/html' }, body: '<b>æ</b>' })
  assert.deepEqual(await echoed.json(), { Method: 'POST', Body: '<b>æ</b>' })
  assert.equal(echoed.headers.get('content-type'), 'application/json; charset=utf-8')
  for (const group of groups) {
    const origin = 'http://localhost:5000'
    const alive = await fetch(`${service.baseUrl}/${group}/isalive`, { headers: { origin } })
    assert.deepEqual([alive.status, await alive.text()], [200, 'Service is alive'])
    assert.equal(alive.headers.get('access-control-allow-origin'), origin)
  }
})

test('an injected fault affects the parts, not the batch; a disconnect ends the wait of a part', async () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const fault = `${service.baseUrl}/x/v1/faults/${demoApp.AppKey}`
  const put = (body: object) =>
    fetch(fault, { method: 'PUT', headers, body: JSON.stringify({ Group: 'port', ...body }) })
  const requests = [{ url: `${base}/port/v1/users/me` }, { url: `${base}/port/isalive` }]
  await put({ Kind: 'RateLimited' })
  const answers = await answersTo('port', requests)
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('x-refdesk-fault')]),
    [
      [429, 'RateLimited'],
      [200, null],
    ],
  )
  await put({ Kind: 'Slow', DelaySeconds: 60 })
  const hangUp = new AbortController()
  const inFlight = (count: number) =>
    eventually(async () => service.node.server.requestsInFlight === count || undefined)
  const waiting = fetch(`${service.baseUrl}/port/batch`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'multipart/mixed; boundary="+"' },
    body: batchOf(requests),
    signal: hangUp.signal,
  }).then((response) => response.text())
  await inFlight(2)
  hangUp.abort()
  await assert.rejects(waiting)
  await inFlight(0)
  await fetch(fault, { method: 'DELETE', headers })
})
