import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { demoApp, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { authorizeUrl, codeRequest, getRest, obtainTokens, postToken } from '../support/sign-in.ts'

const service = await serviceForFile()
const { url, baseUrl } = service
const limited = await serviceForFile({ env: { RATE_LIMITS: 'on', RATE_LIMIT_SESSION_MINUTE: '3' } })
const token = (await obtainTokens(url)).access_token
const me = `${baseUrl}/port/v1/users/me`
const appOrigin = new URL(demoRedirectUri).origin
const otherOrigin = 'https://pages.example'
const other = { AppKey: randomHex(), ClientKey: demoKey('client ada'), Name: 'Pages', Description: '' }
const otherApp = { ...other, Flow: 'PKCE' as const, RedirectUris: [`${otherOrigin}/callback`], IsTradingEnabled: true }
await importApp(service.node.context.db, masterKey, otherApp, service.clock.now())
await service.node.context.feed.poll()
const call = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(address, { method, redirect: 'manual', headers: { authorization: `Bearer ${token}`, ...headers } })

describe('correlation', () => {
  test('every response has X-Correlation with session, app, request and node', async () => {
    const { sid } = decodeJwt(token)
    const parts = ((await call(me)).headers.get('x-correlation') ?? '').split('#')
    assert.deepEqual(parts.slice(0, 2), [sid, demoApp.AppKey])
    assert.ok(parts.length === 4 && parts[2] && parts[3])
    const places = ['/', '/token', '/authorize', '/nowhere', '/sim/openapi/nowhere', '/.well-known/jwks.json']
    for (const path of places) {
      const response = await fetch(`${url}${path}`, { redirect: 'manual' })
      assert.match(response.headers.get('x-correlation') ?? '', /^##[^#]+#[^#]+$/, path)
    }
  })

  test('a valid X-Request-Id is used and returned; an invalid one is neither', async () => {
    const { headers } = await call(me, { 'x-request-id': 'order-17:a.b_c' })
    assert.equal(headers.get('x-request-id'), 'order-17:a.b_c')
    assert.equal(headers.get('x-correlation')?.split('#')[2], 'order-17:a.b_c')
    for (const invalid of ['a#b', 'x'.repeat(65), 'a b', '<script>']) {
      const response = await call(me, { 'x-request-id': invalid })
      assert.equal(response.headers.get('x-request-id'), null)
      assert.match(response.headers.get('x-correlation') ?? '', /^[^#]+#[^#]+#[0-9a-f]{24}#[^#]+$/)
    }
  })
})

describe('a REST call', () => {
  test('finds its path in any case and with a final slash', async () => {
    for (const path of [
      '/SIM/OpenAPI/Port/V1/Users/ME',
      '/sim/openapi/port/v1/users/me/',
      '/sim/openapi/port/v1/Users/Me/',
    ])
      assert.equal((await call(`${url}${path}`)).status, 200, path)
    assert.equal((await fetch(`${url}/Token/`)).status, 405)
    assert.equal(
      (await fetch(`${url}/AUTHORIZE/?${new URLSearchParams(codeRequest)}`, { redirect: 'manual' })).status,
      302,
    )
  })

  test('to a path without {base_url}, or with that of the other environment, is 404 with a suggestion', async () => {
    const sentences = { '/port/v1/users/me': true, '/openapi/port/v1/users/me': true, '/port/v1/nothing': false }
    for (const [path, isKnown] of Object.entries(sentences)) {
      const { Message } = (await (await call(`${url}${path}`)).json()) as Record<string, string>
      const meant = isKnown ? ' Did you mean /sim/openapi/port/v1/users/me?' : ''
      assert.equal(Message, `There is nothing at this address.${meant}`)
    }
  })

  test('to a misspelled path is 404 with the path that is documented', async () => {
    const meant = {
      '/port/v1/user/me': '/port/v1/users/me',
      '/ref/v1/instrument/detials/211/Stock/': '/ref/v1/instruments/details/211/Stock',
      '/ref/v2/exchanges': '/ref/v1/exchanges',
    }
    for (const [path, expected] of Object.entries(meant)) {
      const { Message } = (await (await call(`${service.baseUrl}${path}`)).json()) as Record<string, string>
      assert.equal(Message, `There is nothing at this address. Did you mean /sim/openapi${expected}?`)
    }
    // Without a value for a parameter, or too long, so that a suggestion costs little.
    for (const path of ['/ref/v1/instrument/details//Stock', `/port/v1/user/me${'/'.repeat(300)}x`]) {
      const { Message } = (await (await call(`${service.baseUrl}${path}`)).json()) as Record<string, string>
      assert.equal(Message, 'There is nothing at this address.')
    }
  })

  test('to an unknown path is 404, to a known one with another method 405 with Allow; both as JSON', async () => {
    const expected: [string, string, number, string][] = [
      ['GET', '/port/v1/nothing', 404, 'NoResultFound'],
      ['POST', '/nothing', 404, 'NoResultFound'],
      ['PUT', '/x/v1/sessions', 405, 'RequestNotAllowed'],
      ['PATCH', '/x/v1/consents/abc', 405, 'RequestNotAllowed'],
    ]
    for (const [method, path, status, code] of expected) {
      const response = await call(`${baseUrl}${path}`, {}, method)
      const body = (await response.json()) as Record<string, string>
      assert.deepEqual([response.status, body.ErrorCode, Object.keys(body)], [status, code, ['ErrorCode', 'Message']])
      assert.equal(response.headers.has('allow'), status === 405)
    }
    const { headers } = await call(`${baseUrl}/x/v1/sessions`, {}, 'PUT')
    assert.deepEqual(
      headers
        .get('allow')
        ?.split(', ')
        .filter((name) => !['HEAD', 'OPTIONS'].includes(name)),
      ['DELETE', 'GET'],
    )
  })

  test('to a part that is not offered is 401 without a valid token, and 404 with one', async () => {
    const paths = ['/trade/v2/orders', '/port/v1/orders/me', '/port/v1/balances/me', '/Trade/v1/prices/subscriptions/']
    for (const path of paths) {
      const statusOf = async (method: string, headers?: Record<string, string>) =>
        (await fetch(`${baseUrl}${path}`, { method, headers: headers ?? {}, ...(method === 'POST' && { body: 'x' }) }))
          .status
      for (const method of ['GET', 'POST']) {
        assert.equal(await statusOf(method), 401, path)
        assert.equal(await statusOf(method, { authorization: 'Bearer x' }), 401, path)
        assert.equal(await statusOf(method, { authorization: `Bearer ${token}` }), 404, path)
      }
    }
    const missing = await fetch(`${baseUrl}/trade/v2/orders`, { headers: { origin: appOrigin } })
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer')
    assert.equal(missing.headers.get('access-control-allow-origin'), appOrigin)
    const { ErrorCode } = (await (await call(`${baseUrl}/trade/v2/orders`)).json()) as Record<string, string>
    assert.equal(ErrorCode, 'NotOffered')
    for (const path of ['/streaming/negotiate', '/streamingws/connect', '/nothing'])
      assert.equal((await fetch(`${baseUrl}${path}`)).status, 404, path)
  })

  test('can set its method with X-HTTP-Method-Override', async () => {
    const { access_token } = await obtainTokens(url)
    const headers = { authorization: `Bearer ${access_token}` }
    const post = (method: string, path: string) =>
      fetch(`${baseUrl}${path}`, { method: 'POST', headers: { ...headers, 'x-http-method-override': method } })
    assert.equal((await post('delete', '/x/v1/sessions/unknown')).status, 404)
    assert.equal((await post('DELETE', `/x/v1/sessions/${decodeJwt(access_token).sid}`)).status, 204)
    assert.equal((await post('GET', '/port/v1/users/me')).status, 400)
  })
})

describe('CORS', () => {
  const preflight = (address: string, origin: string) =>
    fetch(address, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
  const allowed = ({ headers }: Response) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]

  for (const path of ['/token', '/revoke'])
    test(`${path} allows the pages of active apps, without credentials, also for errors`, async () => {
      assert.deepEqual(allowed(await preflight(`${url}${path}`, appOrigin)), [appOrigin, null])
      assert.deepEqual(allowed(await preflight(`${url}${path}`, 'https://evil.example')), [null, null])
      const post = (origin: string) =>
        fetch(`${url}${path}`, { method: 'POST', headers: { origin }, body: new URLSearchParams({ x: '1' }) })
      assert.deepEqual(allowed(await post(appOrigin)), [appOrigin, null])
      assert.deepEqual(allowed(await post('https://evil.example')), [null, null])
    })

  test('/authorize and /login allow no page of another origin to read them', async () => {
    for (const path of ['/authorize', '/login']) {
      assert.deepEqual(allowed(await preflight(`${url}${path}`, appOrigin)), [null, null])
      const read = await fetch(`${url}${path}`, { headers: { origin: appOrigin }, redirect: 'manual' })
      assert.deepEqual(allowed(read), [null, null])
    }
  })

  test('REST allows preflights from any app’s page, and reads only from the calling app’s, with credentials', async () => {
    for (const origin of [appOrigin, otherOrigin])
      assert.deepEqual(allowed(await preflight(me, origin)), [origin, 'true'])
    assert.deepEqual(allowed(await preflight(me, 'https://evil.example')), [null, null])
    const answer = await call(me, { origin: appOrigin })
    assert.deepEqual(allowed(answer), [appOrigin, 'true'])
    assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/)
    const exposed = answer.headers.get('access-control-expose-headers') ?? ''
    for (const name of [
      'X-Correlation',
      'X-Request-Id',
      'ETag',
      'Location',
      'WWW-Authenticate',
      'Retry-After',
      'X-RateLimit-Session-Remaining',
    ])
      assert.ok(exposed.split(', ').includes(name), name)
    assert.deepEqual(allowed(await call(me, { origin: otherOrigin })), [null, null])
    assert.deepEqual(allowed(await fetch(me, { headers: { origin: appOrigin } })), [appOrigin, 'true'])
  })

  test('the origin "null" is never allowed', async () =>
    assert.deepEqual(allowed(await preflight(me, 'null')), [null, null]))
})

describe('rate limits', () => {
  const ask = (access: string, path = '/port/v1/users/me') => getRest(limited.baseUrl, path, access)
  const left = ({ headers }: Response, name = 'Session') => Number(headers.get(`x-ratelimit-${name}-remaining`))

  test('count per session and service group, are reported in headers, and end in 429 with Retry-After', async () => {
    const [first, second] = [
      (await obtainTokens(limited.url)).access_token,
      (await obtainTokens(limited.url)).access_token,
    ]
    // Windows begin with the minute: not across its end.
    const reset = Number((await ask(second, '/x/v1/consents')).headers.get('x-ratelimit-session-reset'))
    if (reset < 5) await sleep(reset * 1000 + 100)
    const answers = [await ask(first), await ask(first), await ask(first), await ask(first)]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429],
    )
    assert.deepEqual(
      answers.map((answer) => left(answer)),
      [2, 1, 0, 0],
    )
    const rejected = answers[3] ?? new Response()
    assert.equal(rejected.headers.get('x-ratelimit-session-limit'), '3')
    assert.match(rejected.headers.get('x-ratelimit-session-reset') ?? '', /^[1-9]\d?$/)
    assert.equal(rejected.headers.get('retry-after'), rejected.headers.get('x-ratelimit-session-reset'))
    assert.equal(((await rejected.json()) as { ErrorCode: string }).ErrorCode, 'RateLimitExceeded')
    assert.equal(left(await ask(first, '/x/v1/consents')), 2, 'another group has its own count')
    assert.equal(left(await ask(second)), 2, 'another session has its own count')
    assert.equal(answers[0]?.headers.get('x-ratelimit-appday-limit'), '10000000')
    assert.ok(left(await ask(second), 'AppDay') < 10_000_000)
  })

  test('are off for loopback in sim, but on for forwarded requests', async () => {
    assert.equal((await call(me)).headers.get('x-ratelimit-session-limit'), null)
    for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }] as Record<
      string,
      string
    >[])
      assert.equal((await call(me, headers)).headers.get('x-ratelimit-session-limit'), '120')
  })
})

test('a body that is too large is 413, an address that is too long 414', async () => {
  const large = await postToken(url, { grant_type: 'authorization_code', code: 'x'.repeat(70_000) })
  assert.deepEqual([large.status, large.body.error], [413, 'invalid_request'])
  const long = await call(`${me}?x=${'y'.repeat(33_000)}`)
  assert.deepEqual([long.status, ((await long.json()) as { ErrorCode: string }).ErrorCode], [414, 'InvalidRequest'])
  const page = await fetch(authorizeUrl(url, { ...codeRequest, state: 'x'.repeat(33_000) }), { redirect: 'manual' })
  assert.ok(page.status >= 400 && page.status < 500)
})
