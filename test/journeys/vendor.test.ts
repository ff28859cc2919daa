import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoRedirectUri } from '../support/demo.ts'
import { demoClient, serviceOfEachProfile } from '../support/journey.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import type { TestService } from '../support/service/service.ts'
import { Browser, basic, getRest, signIn, type TokenBody } from '../support/sign-in.ts'

type Tokens = TokenBody & { base_uri?: null }
const { id, secret } = demoClient('Code')
const pkce = { client_id: demoClient('PKCE').id, redirect_uri: 'http://localhost:6000/callback' }
const verifier = 'short-verifier'
noteSecret('verifier', verifier)

/** Behaves like existing clients of this API, and follows the RFC where that is rejected. */
class OldClient {
  readonly service: TestService
  readonly browser = new Browser()
  /** The steps with their results. */
  readonly story: unknown[][] = []

  constructor(service: TestService) {
    this.service = service
  }

  async code(params: Record<string, string>): Promise<string> {
    const asked = { response_type: 'code', state: 'a state', ...params }
    const { searchParams } = await signIn(this.service.url, asked, { browser: this.browser })
    this.story.push(['sign-in', searchParams.get('error') ?? searchParams.get('state'), searchParams.has('iss')])
    return searchParams.get('code') ?? ''
  }

  /** POST /token, in several ways until one is accepted. A form that cannot be read does not use up the grant. */
  async token(name: string, ...ways: { query?: object; body?: BodyInit; authorization?: string }[]): Promise<Tokens> {
    let tokens = {} as Tokens
    for (const { query = {}, body, authorization } of ways) {
      const init = { method: 'POST', ...(body && { body }), headers: authorization ? { authorization } : {} }
      const response = await fetch(`${this.service.url}/token?${new URLSearchParams({ ...query })}`, init)
      tokens = (await response.json()) as Tokens
      for (const token of [tokens.access_token, tokens.refresh_token]) if (token) noteSecret('token', token)
      this.story.push([name, response.status, tokens.error ?? Object.keys(tokens).includes('base_uri')])
      if (response.ok) break
    }
    return tokens
  }

  async read(name: string, access_token: string): Promise<void> {
    const response = await getRest(this.service.baseUrl, '/port/v1/users/me', access_token)
    const text = await response.text()
    this.story.push([name, response.status, response.ok ? (JSON.parse(text) as { Name: string }).Name : text !== ''])
  }
}

function multipart(members: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) form.set(name, value)
  return form
}

async function live(client: OldClient): Promise<unknown[][]> {
  const authorization = basic(id, secret)
  const code = await client.code({ client_id: id, redirect_uri: demoRedirectUri })
  const grant = { grant_type: 'authorization_code', code }
  const strict = { body: new URLSearchParams({ ...grant, redirect_uri: demoRedirectUri }), authorization }
  const first = await client.token('code', { query: { ...grant, client_id: id, client_secret: secret } }, strict)
  await client.read('users/me', first.access_token)
  const renewal = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  const byForm = { body: new URLSearchParams(renewal), authorization }
  const second = await client.token('refresh', { body: multipart(renewal), authorization }, byForm)
  await client.read('users/me', second.access_token)
  await client.token('a code again', strict)
  await client.read('after that', second.access_token)

  // A script without a secret: a plain challenge, no redirect_uri and, for the refresh, no client_id.
  const challenge = { code_challenge: verifier, code_challenge_method: 'plain' }
  const scripted = await client.code({ ...pkce, ...challenge })
  if (!scripted) return client.story
  const exchange = { grant_type: 'authorization_code', code: scripted, code_verifier: verifier }
  const third = await client.token('PKCE code', {
    body: new URLSearchParams({ ...exchange, client_id: pkce.client_id }),
  })
  const bare = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: third.refresh_token })
  const fourth = await client.token('PKCE refresh', { body: bare })
  await client.read('users/me', fourth.access_token)
  return client.story
}

const services = Object.fromEntries((await serviceOfEachProfile()).map(({ COMPAT, service }) => [COMPAT, service]))
const journeyIn = (COMPAT: string): Promise<unknown[][]> => live(new OldClient(services[COMPAT] as TestService))

test('with COMPAT=vendor, a client with the habits of existing ones works from sign-in to the end', async () => {
  assert.deepEqual(await journeyIn('vendor'), [
    ['sign-in', 'a state', false],
    ['code', 201, true],
    ['users/me', 200, 'ada'],
    ['refresh', 201, true],
    ['users/me', 200, 'ada'],
    ['a code again', 401, 'invalid_grant'],
    ['after that', 401, false],
    ['sign-in', 'a state', false],
    ['PKCE code', 201, true],
    ['PKCE refresh', 201, true],
    ['users/me', 200, 'ada'],
  ])
})

test('by default the same client gets errors for its deviations, and works when it follows the RFC', async () => {
  assert.deepEqual(await journeyIn('off'), [
    ['sign-in', 'a state', true],
    ['code', 400, 'invalid_request'],
    ['code', 200, false],
    ['users/me', 200, 'ada'],
    ['refresh', 400, 'invalid_request'],
    ['refresh', 200, false],
    ['users/me', 200, 'ada'],
    ['a code again', 400, 'invalid_grant'],
    ['after that', 401, true],
    ['sign-in', 'invalid_request', true],
  ])
})
