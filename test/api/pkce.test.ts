import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomHex, sha256 } from '../../src/core/crypto/keys.ts'
import { demoApp, demoApps, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import {
  type AuthorizeParams,
  authorizeUrl,
  Browser,
  codeRequest,
  pkcePair,
  postToken,
  signIn,
  signInForCode,
} from '../support/sign-in.ts'

const service = await serviceForFile()
const { url } = service
const pkceKey = demoApps.find((app) => app.Flow === 'PKCE')?.AppKey ?? ''
const redirectUri = 'http://localhost:6123/callback'
const browser = new Browser()

/** A code of the PKCE app, or with other parameters of another app, and its verifier. */
async function challengedCode(more: AuthorizeParams = {}) {
  const { verifier, challenge } = pkcePair()
  const own = {
    client_id: pkceKey,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  return { verifier, code: await signInForCode(url, { ...codeRequest, ...own, ...more }, { browser }) }
}

const exchange = (code: string, more: Record<string, string>, authorization: string | null = null) =>
  postToken(
    url,
    { grant_type: 'authorization_code', client_id: pkceKey, redirect_uri: redirectUri, code, ...more },
    authorization,
  )

async function tokensOfPkceApp() {
  const { code, verifier } = await challengedCode()
  const { status, body } = await exchange(code, { code_verifier: verifier })
  assert.equal(status, 200, JSON.stringify(body))
  return { verifier, tokens: body }
}

test('a PKCE app gets tokens with its key and the verifier alone', async () => {
  const { tokens } = await tokensOfPkceApp()
  assert.equal(tokens.token_type, 'Bearer')
  assert.match(tokens.refresh_token, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
})

test('a PKCE app may use any port of a loopback address registered without one, the same in the exchange', async () => {
  for (const uri of ['http://127.0.0.1:1/callback', 'http://127.0.0.1:65535/callback', 'http://localhost/callback']) {
    const { code, verifier } = await challengedCode({ redirect_uri: uri })
    assert.equal((await exchange(code, { redirect_uri: uri, code_verifier: verifier })).status, 200, uri)
  }
  const { code, verifier } = await challengedCode()
  const otherPort = { redirect_uri: 'http://localhost:6124/callback', code_verifier: verifier }
  assert.equal((await exchange(code, otherPort)).body.error, 'invalid_grant')
})

test('consent to a PKCE app on one loopback port covers no other port', async () => {
  const user = new Browser()
  const request = (redirect_uri: string, more: AuthorizeParams = {}) => {
    const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
    return { ...codeRequest, client_id: pkceKey, redirect_uri, ...pkce, ...more }
  }
  const asks = async (redirectUri: string) => {
    const response = await user.fetch(authorizeUrl(url, request(redirectUri)))
    const location = response.headers.get('location') ?? ''
    noteSecret('code', new URL(location, url).searchParams.get('code') ?? '')
    return location.startsWith('/login?')
  }
  const silent = async (redirectUri: string) => {
    const response = await user.fetch(authorizeUrl(url, request(redirectUri, { prompt: 'none' })))
    const { searchParams } = new URL(response.headers.get('location') ?? '')
    noteSecret('code', searchParams.get('code') ?? '')
    return searchParams.get('error')
  }
  const [first, second] = ['http://localhost:6301/callback', 'http://localhost:6302/callback']
  await signIn(url, request(first), { browser: user })
  assert.deepEqual([await asks(first), await silent(first)], [false, null])

  assert.deepEqual([await asks(second), await silent(second)], [true, 'consent_required'])
  await signIn(url, request(second), { browser: user })

  assert.deepEqual([await asks(second), await silent(second)], [false, null])
  assert.equal(await asks(first), true, 'only the last port is remembered')
})

test('a private-use scheme, a query and an empty path work as redirect URIs', async () => {
  const AppKey = randomHex()
  const RedirectUris = ['com.example.desk:/callback', 'https://desk.example/callback?own=1', 'https://desk.example']
  const record = { AppKey, ClientKey: demoKey('client ada'), Name: 'Desk', Description: '', IsTradingEnabled: true }
  await importApp(service.node.context.db, masterKey, { ...record, Flow: 'PKCE', RedirectUris }, service.clock.now())
  const requested = [...RedirectUris, 'https://desk.example/']
  for (const redirect_uri of requested) {
    const { challenge: code_challenge, verifier: code_verifier } = pkcePair()
    const own = { client_id: AppKey, redirect_uri, code_challenge, code_challenge_method: 'S256' }
    const target = await signIn(url, { ...codeRequest, ...own }, { browser })
    const begin = `${new URL(redirect_uri).href}${redirect_uri.includes('?') ? '&' : '?'}code=`
    assert.ok(target.href.startsWith(begin), `${target.origin}${target.pathname} is not ${redirect_uri}`)
    const code = target.searchParams.get('code') ?? ''
    assert.equal((await exchange(code, { client_id: AppKey, redirect_uri, code_verifier })).status, 200, redirect_uri)
  }
})

describe('a code with a challenge is rejected as invalid_grant and spent', () => {
  const cases: [string, (verifier: string) => Record<string, string>][] = [
    ['without its verifier', () => ({})],
    ['with an empty verifier', () => ({ code_verifier: '' })],
    ['with another verifier', () => ({ code_verifier: pkcePair().verifier })],
    ['with one more character', (verifier) => ({ code_verifier: `${verifier}x` })],
    ['with a verifier in another case', (verifier) => ({ code_verifier: swapCase(verifier) })],
  ]
  for (const [name, more] of cases)
    test(name, async () => {
      const { code, verifier } = await challengedCode()
      const { status, body } = await exchange(code, more(verifier))
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
      assert.equal((await exchange(code, { code_verifier: verifier })).body.error, 'invalid_grant')
    })
})

const swapCase = (text: string) =>
  [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('')

test('a Code app may use PKCE, and must then send the verifier', async () => {
  const own = { client_id: demoApp.AppKey, redirect_uri: demoRedirectUri }
  const [first, second] = [await challengedCode(own), await challengedCode(own)]
  const finish = (code: string, more: Record<string, string>) =>
    postToken(url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri, ...more })
  assert.equal((await finish(first.code, {})).body.error, 'invalid_grant')
  assert.equal((await finish(second.code, { code_verifier: second.verifier })).status, 200)
})

describe('a refresh of a PKCE app', () => {
  const again = (token: string, more: Record<string, string> = {}) =>
    postToken(url, { grant_type: 'refresh_token', client_id: pkceKey, refresh_token: token, ...more }, null)

  test('works without the verifier', async () => {
    const { tokens } = await tokensOfPkceApp()
    assert.equal((await again(tokens.refresh_token)).status, 200)
  })

  test('works with the right verifier', async () => {
    const { tokens, verifier } = await tokensOfPkceApp()
    assert.equal((await again(tokens.refresh_token, { code_verifier: verifier })).status, 200)
  })

  test('is rejected with a wrong one, and the token stays valid for the right one', async () => {
    const { tokens, verifier } = await tokensOfPkceApp()
    const wrong = await again(tokens.refresh_token, { code_verifier: pkcePair().verifier })
    assert.deepEqual([wrong.status, wrong.body.error], [400, 'invalid_grant'])
    assert.equal((await again(tokens.refresh_token, { code_verifier: verifier })).status, 200)
  })

  test('is rejected with a secret, because a PKCE app has none', async () => {
    const { tokens } = await tokensOfPkceApp()
    noteSecret('secret', 'a made-up secret')
    const { status, body } = await again(tokens.refresh_token, { client_secret: 'a made-up secret' })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
  })
})

test('a node that ignores the resource does not find codes and refresh tokens for agents', async () => {
  const { db } = service.node.context
  const { code, verifier } = await challengedCode({ resource: `${url}/mcp` })
  const { body: first } = await exchange(code, { code_verifier: verifier })
  const renewal = { grant_type: 'refresh_token', client_id: pkceKey, refresh_token: first.refresh_token }
  const { status, body: second } = await postToken(url, renewal, null)
  assert.equal(status, 200)
  const { tokens: ofRest } = await tokensOfPkceApp()

  // It looks for the SHA-256 of the text.
  const hashes = [code, ...[first, second, ofRest].map(({ refresh_token }) => refresh_token)].map(sha256)
  const codes = await db.selectFrom('authorization_code').select('code_hash').where('code_hash', 'in', hashes).execute()
  const tokens = await db.selectFrom('refresh_token').select('token_hash').where('token_hash', 'in', hashes).execute()
  assert.deepEqual(codes, [])
  assert.deepEqual(tokens, [{ token_hash: hashes[3] }])
})
