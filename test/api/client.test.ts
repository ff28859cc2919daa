import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  beginSignIn,
  type ClientOptions,
  createClient,
  finishSignIn,
  type Init,
  RefdeskError,
  refreshingTokens,
  type Schemas,
  type Tokens,
} from '../../src/client/index.ts'
import { demoApp, demoRedirectUri } from '../support/demo.ts'
import { demoClient } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, obtainTokens, signIn } from '../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { url: authUrl, baseUrl } = service
const { access_token: token } = await obtainTokens(authUrl)
const client = createClient({ baseUrl, token })

/** A fetch that records every requested URL and calls back on every response. */
function watched(onAnswer: (answer: Response, address: string) => unknown = () => undefined) {
  const asked: string[] = []
  const watchedFetch: typeof fetch = async (address, init) => {
    asked.push(String(address))
    const answer = await fetch(address, init)
    await onAnswer(answer, String(address))
    return answer
  }
  return { asked, fetch: watchedFetch }
}

/** A promise's error, which must be one of this client's. */
async function errorOf(promise: Promise<unknown>): Promise<RefdeskError> {
  const error = await promise.then(
    () => assert.fail('this should have been rejected'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof RefdeskError, String(error))
  return error
}

describe('a call', () => {
  test('is typed by its path: parameters, body and response', async () => {
    const found = await client.get('/ref/v1/instruments', {
      query: { Keywords: 'apple', AssetTypes: ['Stock', 'Etf'] },
    })
    const apple: Schemas['InstrumentSummary'] | undefined = found.Data[0]
    assert.equal(apple?.Symbol, 'AAPL:xnas')
    const path = { Uic: apple.Identifier, AssetType: apple.AssetType }
    const details = await client.get('/ref/v1/instruments/details/{Uic}/{AssetType}', { path })
    assert.equal(details.CurrencyCode, 'USD')
    const key = await client.get('/port/v1/users/me').then(({ UserKey }) => UserKey)
    assert.match(key, /^[^/]+==$/)
  })

  test('returns text if text was requested, or if there is nothing else', async () => {
    const events: unknown = await client.get('/ca/v2/events', { headers: { Accept: 'text/csv' } })
    assert.match(String(events), /^\W?EventId,/)
    assert.equal(await client.get('/ref/isalive'), 'Service is alive')
  })

  test('with ifMatch changes only the version that was read', async () => {
    const body = { Name: 'Client of a test', Description: 'Made by the typed client', Flow: 'PKCE' } as const
    const { AppKey } = await client.post('/developer/apps', { body })
    const path = { AppKey }
    const { headers } = await client.request('get', '/developer/apps/{AppKey}', { path })
    const ifMatch = headers.get('etag') ?? ''
    const unchanged = client.get('/developer/apps/{AppKey}', { path, headers: { 'If-None-Match': ifMatch } })
    const { status, code, message } = await errorOf(unchanged)
    assert.deepEqual([status, code], [304, 'NotModified'])
    assert.match(message, /If-None-Match is current/)
    const change = { path, body: { Description: 'Changed' }, ifMatch }
    assert.equal(await client.patch('/developer/apps/{AppKey}', change), undefined)
    const stale = await errorOf(client.patch('/developer/apps/{AppKey}', change))
    assert.deepEqual([stale.status, stale.code], [412, 'PreconditionFailed'])
    const gone = await client.request('delete', '/developer/apps/{AppKey}', { path })
    assert.deepEqual([gone.status, gone.body], [204, undefined])
  })

  test('that is rejected explains why', async () => {
    const headers = { 'X-Request-Id': 'client-test-1' }
    const unknown = await errorOf(client.get('/ca/v2/events/{EventId}', { path: { EventId: 'a/b ?' }, headers }))
    assert.deepEqual([unknown.status, unknown.code], [404, 'NoResultFound'])
    assert.equal(unknown.correlation?.split('#')[2], 'client-test-1')
    const invalid = await errorOf(client.get('/ref/v1/instruments', { query: { $top: 5000 } }))
    assert.equal(invalid.code, 'InvalidModelState')
    assert.deepEqual(Object.keys(invalid.modelState ?? {}), ['$top'])
    assert.match(invalid.message, /\$top: /)
    const anonymous = await errorOf(createClient({ baseUrl }).get('/port/v1/users/me'))
    assert.deepEqual([anonymous.status, anonymous.code], [401, 'Unauthorized'])
    await assert.rejects(client.get('/ca/v2/events/{EventId}', { path: { EventId: '' } }), /needs a value for EventId/)
    assert.throws(() => createClient({ baseUrl: '/sim/openapi' }), /absolute URL/)
  })
})

describe('paging', () => {
  test('returns every row once, also with small pages', async () => {
    const query = { AssetTypes: ['Stock', 'Etf'] } satisfies Init<'/ref/v1/instruments', 'get'>['query']
    const whole = await client.get('/ref/v1/instruments', { query: { ...query, $top: 1000 } })
    assert.ok(whole.Data.length > 200 && whole.__next === undefined, String(whole.Data.length))
    assert.deepEqual(
      await Array.fromAsync(client.rows('/ref/v1/instruments', { query: { ...query, $top: 90 } })),
      whole.Data,
    )
    const events = await client.get('/ca/v2/events', { query: { $top: 1000 } })
    const pages = await Array.fromAsync(client.pages('/ca/v2/events', { query: { $top: 7 } }))
    assert.ok(pages.length > 2 && pages.every(({ Data }) => Data.length <= 7))
    assert.deepEqual(
      pages.flatMap(({ Data }) => Data),
      events.Data,
    )
  })

  test('sends the token to no other origin', async () => {
    const byNumber = baseUrl.replace('localhost', '127.0.0.1')
    const { asked, fetch } = watched()
    const other = createClient({ baseUrl: byNumber, token, fetch }).rows('/developer/apps', { query: { $top: 1 } })
    assert.match((await errorOf(Array.fromAsync(other))).message, /is not on http:\/\/127\.0\.0\.1:/)
    assert.equal(asked.length, 1)
  })
})

type Fault = Schemas['NewFault']['Kind']

/** A client with an injected fault, which is removed after the first call. */
async function afterOne(Kind: Fault, more: Partial<ClientOptions> = {}, DelaySeconds?: number) {
  const fault = { path: { AppKey: demoApp.AppKey } }
  const removeFault = () => client.delete('/x/v1/faults/{AppKey}', fault).catch(() => undefined)
  const asked: string[] = []
  const breaking: typeof fetch = async (address, init) => {
    asked.push(String(init?.method))
    return fetch(address, init).finally(removeFault)
  }
  const body = { Kind, Group: 'developer' as const, ...(DelaySeconds && { DelaySeconds }) }
  await client.put('/x/v1/faults/{AppKey}', { ...fault, body })
  return { asked, client: createClient({ baseUrl, token, fetch: breaking, ...more }) }
}

const newApp = { body: { Name: 'Tried again', Description: 'Made once', Flow: 'PKCE' } } as const

describe('an unavailable service', () => {
  test('is called again after Retry-After, also for a change', async () => {
    const unavailable = await afterOne('Unavailable')
    assert.equal((await unavailable.client.post('/developer/apps', newApp)).Name, 'Tried again')
    assert.deepEqual(unavailable.asked, ['POST', 'POST'])
  })

  test('is not called again if the wait exceeds the limit; the error has the wait', async () => {
    const full = await afterOne('RateLimited', { maxWaitSeconds: 0.9 })
    const { status, code, retryAfterSeconds } = await errorOf(full.client.get('/developer/apps'))
    assert.deepEqual([status, code], [429, 'RateLimitExceeded'])
    assert.ok(retryAfterSeconds && retryAfterSeconds <= 60)
    assert.deepEqual(full.asked, ['GET'])
  })

  test('or a broken connection or a timeout is retried only for reads', async () => {
    const reading = await afterOne('Dropped')
    await reading.client.get('/developer/apps')
    assert.deepEqual(reading.asked, ['GET', 'GET'])
    const writing = await afterOne('Dropped')
    assert.equal((await errorOf(writing.client.post('/developer/apps', newApp))).code, 'NetworkError')
    assert.deepEqual(writing.asked, ['POST'])
    const slow = await afterOne('Slow', { timeoutMs: 100 }, 30)
    assert.equal((await errorOf(slow.client.post('/developer/apps', newApp))).code, 'Timeout')
  })
})

const code = demoClient('Code')
const app = { authUrl, clientId: code.id, clientSecret: code.secret }
const isToken = (address: string): boolean => address.endsWith('/token')

function noted(tokens: Tokens): Tokens {
  noteSecret('access token', tokens.access_token)
  noteSecret('refresh token', tokens.refresh_token ?? '')
  return tokens
}

const postForm = (path: string, form: Record<string, string>) =>
  fetch(`${authUrl}${path}`, { method: 'POST', headers: { authorization: basic() }, body: new URLSearchParams(form) })

describe('refreshing tokens', () => {
  test('refresh once for a rejected token, and never again when the session has ended', async () => {
    const { asked, fetch } = watched()
    const { refresh_token } = await obtainTokens(authUrl)
    let latest: Tokens = { access_token: 'spoilt', refresh_token }
    const onTokens = (next: Tokens) => {
      latest = noted(next)
    }
    const source = refreshingTokens({ ...app, tokens: latest, onTokens, fetch })
    const refreshing = createClient({ baseUrl, token: source, fetch })
    const together = () => Promise.allSettled(Array.from({ length: 20 }, () => refreshing.get('/port/v1/users/me')))
    assert.ok((await together()).every(({ status }) => status === 'fulfilled'))
    assert.equal(asked.filter(isToken).length, 1)
    await postForm('/revoke', { token: latest.access_token })
    for (const one of await together())
      assert.ok(one.status === 'rejected' && one.reason instanceof RefdeskError && one.reason.code === 'invalid_grant')
    assert.equal((await errorOf(refreshing.get('/port/v1/users/me'))).code, 'invalid_grant')
    assert.equal(asked.filter(isToken).length, 2)
  })

  test('survive a lost response to a refresh: the retry returns the same tokens', async () => {
    const given: string[] = []
    const { asked, fetch } = watched(async (answer, address) => {
      if (!isToken(address)) return
      given.push((await answer.clone().json()).access_token)
      if (given.length === 1) throw new TypeError('connection lost')
    })
    const tokens = { ...(await obtainTokens(authUrl)), expires_at: 0 }
    const source = refreshingTokens({ ...app, tokens, onTokens: noted, fetch })
    assert.ok((await createClient({ baseUrl, token: source, fetch }).get('/port/v1/users/me')).UserKey)
    assert.deepEqual([given.length, given[0], asked.length], [2, await source(), 3])
  })
})

describe('a sign-in', () => {
  const apps = [
    { clientId: code.id, redirectUri: demoRedirectUri, clientSecret: code.secret },
    { clientId: demoClient('PKCE').id, redirectUri: 'http://127.0.0.1:49152/callback' },
  ]
  for (const { clientSecret, ...own } of apps)
    test(`with PKCE ${clientSecret ? 'and' : 'without'} a secret gives tokens that refresh themselves`, async () => {
      const pending = await beginSignIn({ authUrl, ...own })
      noteSecret('verifier', pending.verifier)
      const callback = await signIn(authUrl, Object.fromEntries(new URL(pending.url).searchParams))
      const tokens = noted(await finishSignIn(pending, callback, { clientSecret }))
      const source = refreshingTokens({ authUrl, ...own, clientSecret, tokens, onTokens: noted })
      assert.equal(await source(), tokens.access_token)
      assert.notEqual(await source(tokens.access_token), tokens.access_token)
      assert.equal((await createClient({ baseUrl, token: source }).get('/port/v1/users/me')).Name, 'ada')
    })

  test('fails with the result of another one, of another server, or if the user cancelled', async () => {
    const pending = await beginSignIn({ authUrl, clientId: code.id, redirectUri: demoRedirectUri })
    noteSecret('verifier', pending.verifier)
    const finish = (callback: string | URL) => errorOf(finishSignIn(pending, callback, app))
    const params = Object.fromEntries(new URL(pending.url).searchParams)
    assert.equal((await finish(await signIn(authUrl, params, { decision: 'cancel' }))).code, 'access_denied')
    const { state } = pending
    assert.match((await finish(`${demoRedirectUri}?code=x&state=other`)).message, /state belongs to another/)
    assert.match((await finish(`${demoRedirectUri}?code=x&state=${state}&iss=https://x.example`)).message, /x\.example/)
    assert.match((await finish(`${demoRedirectUri}?state=${state}`)).message, /no code/)
    assert.equal((await finish(`${demoRedirectUri}?code=x&state=${state}&iss=${authUrl}`)).code, 'invalid_grant')
  })
})
