import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { demoClient } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import {
  type AuthorizeParams,
  basic,
  obtainTokens,
  pkcePair,
  postToken,
  signIn,
  type TokenBody,
} from '../support/sign-in.ts'

const service = await serviceForFile({
  env: { RATE_LIMITS: 'on', RATE_LIMIT_SESSION_MINUTE: '6', RATE_LIMIT_REFDATA_MINUTE: '3' },
})
const { url, baseUrl } = service
const resource = `${url}/mcp`
const redirect_uri = 'http://127.0.0.1:49152/callback'
const client_id = demoClient('PKCE').id

/** Signs in with PKCE; returns the redirect and the verifier. */
async function authorize(more: AuthorizeParams = {}) {
  const { verifier, challenge } = pkcePair()
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  return { result: (await signIn(url, { ...asked, ...more })).searchParams, verifier }
}

const exchange = (code: string, code_verifier: string, more: Record<string, string> = {}) =>
  postToken(url, { grant_type: 'authorization_code', code, code_verifier, redirect_uri, client_id, ...more }, null)

const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
  postToken(url, { grant_type: 'refresh_token', refresh_token, client_id, ...more }, null)

/** Tokens for agents. */
async function agentTokens(): Promise<TokenBody> {
  const { result, verifier } = await authorize({ resource })
  const { status, body } = await exchange(result.get('code') ?? '', verifier, { resource })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const toolCall = (name: string, parameters: object) => message('tools/call', { name, arguments: parameters })

function post(token: string | undefined, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(resource, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

type Result = { result?: { isError?: boolean; content: [{ text: string }] }; error?: { code: number; message: string } }
const resultOf = async (response: Response) => (await response.json()) as Result
const audienceOf = (token: string) => decodeJwt(token).aud
const opensRest = async (token: string) =>
  (await fetch(`${baseUrl}/port/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })).status

describe('the metadata of the resource (RFC 9728)', () => {
  test('names the resource and its authorization server, at both addresses, for every web page', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource']) {
      const response = await fetch(`${url}${path}`, { headers: { origin: 'https://anyone.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      const { resource: named, authorization_servers } = (await response.json()) as Record<string, unknown>
      assert.deepEqual([named, authorization_servers], [resource, [url]])
    }
  })

  test('is named by a 401, with or without a token', async () => {
    const pointer = `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`
    const none = await post(undefined, message('tools/list'))
    assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, `Bearer ${pointer}`])
    const wrong = await post('no-token', message('tools/list'))
    assert.equal(wrong.status, 401)
    assert.match(
      wrong.headers.get('www-authenticate') ?? '',
      /^Bearer resource_metadata="[^"]+", error="invalid_token", /,
    )
  })
})

describe('a token is for one resource (RFC 8707)', () => {
  test('one for agents opens /mcp only, and so do those refreshed from it', async () => {
    const first = await agentTokens()
    const { status, body: second } = await refresh(first.refresh_token)
    assert.equal(status, 200)
    const { body: third } = await refresh(second.refresh_token, { resource })
    for (const { access_token } of [first, second, third]) {
      assert.equal(audienceOf(access_token), resource)
      assert.equal((await post(access_token, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
      assert.equal(await opensRest(access_token), 401)
    }
  })

  test('/mcp rejects a token of the REST API, and one for another audience', async () => {
    const { access_token } = await obtainTokens(url)
    assert.equal(audienceOf(access_token), baseUrl)
    assert.equal((await post(access_token, message('tools/list'))).status, 401)
    // Signed by this service, for an address that is not its own.
    const claims = decodeJwt((await agentTokens()).access_token)
    const foreign = service.node.context.tokens.issue({ ...claims, aud: 'https://other.example/mcp' } as never)
    noteSecret('access token', foreign)
    assert.equal((await post(foreign, message('tools/list'))).status, 401)
    assert.equal(await opensRest(foreign), 401)
  })

  test('/authorize rejects an unknown resource, and one for agents without PKCE', async () => {
    const { result } = await authorize({ resource: 'https://other.example/mcp' })
    assert.equal(result.get('error'), 'invalid_target')
    const asked = {
      response_type: 'code',
      client_id: demoClient('Code').id,
      redirect_uri: 'http://localhost:5000/callback',
    }
    assert.equal((await signIn(url, { ...asked, resource })).searchParams.get('error'), 'invalid_request')
  })

  test('/token rejects another resource than that of the sign-in', async () => {
    const { result, verifier } = await authorize()
    const code = result.get('code') ?? ''
    const unknown = await exchange(code, verifier, { resource: 'https://other.example' })
    assert.deepEqual([unknown.status, unknown.body.error], [400, 'invalid_target'])
    assert.equal((await exchange(code, verifier, { resource })).body.error, 'invalid_grant')
    const { refresh_token } = await agentTokens()
    assert.equal((await refresh(refresh_token, { resource: baseUrl })).body.error, 'invalid_target')
    assert.equal((await refresh(refresh_token)).status, 200)
  })

  test('introspection says what a token is for, and revocation ends it', async () => {
    const { access_token, refresh_token } = await agentTokens()
    const ask = async (path: string) =>
      (
        await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams({ token: access_token, client_id }) })
      ).json()
    const { active, aud } = (await ask('/introspect')) as { active: boolean; aud: string }
    assert.deepEqual([active, aud], [true, resource])
    await ask('/revoke')
    assert.equal((await post(access_token, message('tools/list'))).status, 401)
    assert.equal((await refresh(refresh_token)).body.error, 'invalid_grant')
  })
})

describe('POST /mcp', () => {
  test('works without a session: each message is answered by itself', async () => {
    const { access_token } = await agentTokens()
    const response = await post(access_token, message('tools/list'))
    assert.equal(response.headers.get('mcp-session-id'), null)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.ok((await resultOf(response)).result)
  })

  test('rejects what is no message, lists of messages, large bodies and other methods', async () => {
    const { access_token } = await agentTokens()
    assert.equal((await post(access_token, '{')).status, 400)
    assert.equal((await post(access_token, { no: 'message' })).status, 400)
    assert.equal((await post(access_token, '')).status, 400)
    assert.equal((await post(access_token, [message('tools/list')])).status, 400)
    assert.equal((await post(access_token, { text: 'x'.repeat(70_000) })).status, 413)
    assert.equal((await post(access_token, 'x', { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await post(access_token, message('tools/list'), { accept: 'text/html' })).status, 406)
    const { status, headers } = await fetch(resource, { headers: { authorization: `Bearer ${access_token}` } })
    assert.deepEqual([status, headers.get('allow')?.includes('POST')], [405, true])
  })

  test('pages may call it only from the origin of an app, or of the service', async () => {
    const { access_token } = await agentTokens()
    const evil = await post(access_token, message('ping'), { origin: 'http://rebound.example' })
    assert.equal(evil.status, 403)
    assert.equal((await post(access_token, message('ping'), { origin: url })).status, 200)
    const own = await post(access_token, message('ping'), { origin: 'http://127.0.0.1:49152' })
    assert.deepEqual([own.status, own.headers.get('access-control-allow-origin')], [200, 'http://127.0.0.1:49152'])
    const preflight = await fetch(resource, {
      method: 'OPTIONS',
      headers: { origin: 'http://127.0.0.1:49152', 'access-control-request-method': 'POST' },
    })
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /MCP-Protocol-Version/)
  })

  test('the limits of an operation are those of its tool', async () => {
    const { access_token } = await agentTokens()
    const search = async () => (await resultOf(await post(access_token, toolCall('search_instruments', {})))).result
    for (let count = 0; count < 3; count++) assert.ok(!(await search())?.isError)
    const limited = await search()
    assert.equal(limited?.isError, true)
    assert.match(limited?.content[0].text ?? '', /^RateLimitExceeded: .*\nRetry after \d+ seconds\.$/s)
  })

  test('messages that reach no operation are limited too', async () => {
    const { access_token } = await agentTokens()
    const { id: _none, ...withoutId } = toolCall('get_event', { EventId: 'x' })
    const failing = [{ no: 1 }, { Uic: 1, AssetType: 'Stock', cursor: 'none' }, { Uic: '..', AssetType: 'details' }]
    const calls = failing.map((given) => toolCall('get_instrument', given))
    const rejected = [toolCall('no_tool', {}), message('ping'), ...calls, withoutId]
    const statuses: number[] = []
    for (let count = 0; count < 7; count++) {
      const response = await post(access_token, rejected[count % rejected.length])
      statuses.push(response.status)
      if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) > 0)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 202, 429])
  })
})

test('faults of the app reach its tools', async () => {
  const { access_token } = await agentTokens()
  const me = { authorization: `Bearer ${(await obtainTokens(url)).access_token}`, 'content-type': 'application/json' }
  const inject = (Kind: string) =>
    fetch(`${baseUrl}/x/v1/faults/${client_id}`, { method: 'PUT', headers: me, body: JSON.stringify({ Kind }) })
  try {
    assert.equal((await inject('Unavailable')).status, 200)
    const answer = await resultOf(await post(access_token, toolCall('get_event', { EventId: 'x' })))
    assert.match(answer.result?.content[0].text ?? '', /^ServiceUnavailable: .*\nRetry after 1 seconds\.$/s)
    assert.equal((await inject('Dropped')).status, 200)
    await assert.rejects(post(access_token, toolCall('get_event', { EventId: 'x' })))
  } finally {
    await fetch(`${baseUrl}/x/v1/faults/${client_id}`, {
      method: 'DELETE',
      headers: { authorization: me.authorization },
    })
  }
})

test('a secret app may ask for tokens of agents with PKCE too', async () => {
  const app = demoClient('Code')
  const uri = 'http://localhost:5000/callback'
  const { result, verifier } = await authorize({ client_id: app.id, redirect_uri: uri, resource })
  const form = {
    grant_type: 'authorization_code',
    code: result.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: uri,
  }
  const { body } = await postToken(url, form, basic())
  assert.equal(audienceOf(body.access_token), resource)
})
