import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { startService } from '../support/service/service.ts'
import { sharedDemoService } from '../support/service/shared.ts'
import { basic, getRest, obtainTokens } from '../support/sign-in.ts'

const service = await sharedDemoService()
const { url, baseUrl } = service
const token = (await obtainTokens(url)).access_token
const me = `${baseUrl}/port/v1/users/me`

describe('an invalid token', () => {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const kid = (JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }).kid
  const foreign = (name: string) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const text = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: name })}.${claims}`
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  }
  const symmetric = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}`
  const bad: [string, string][] = [
    ['no token', 'abc'],
    ['with other claims', `${head}.${encode({ ...decodeJwt(token), oaa: '99999' })}.${signature}`],
    ['without signature', `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.`],
    ['signed by a stranger under our key’s name', foreign(kid)],
    ['signed by a stranger under another name', foreign('constructor')],
    ['signed with HMAC', `${symmetric}.${createHmac('sha256', kid).update(symmetric).digest('base64url')}`],
    ['with characters behind', `${token}!`],
  ]
  for (const [name, value] of bad)
    test(`is 401 with error="invalid_token" (RFC 6750 §3.1): ${name}`, async () => {
      const response = await getRest(baseUrl, '/port/v1/users/me', value)
      const body = (await response.json()) as Record<string, string>
      assert.deepEqual([response.status, body.ErrorCode], [401, 'Unauthorized'])
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/)
    })

  test('counts as missing if it is empty: the challenge has no error (RFC 6750 §3.1)', async () => {
    const response = await getRest(baseUrl, '/port/v1/users/me', '')
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    assert.match(await response.text(), /Send an access token/)
  })

  test('includes one of another service', async () => {
    const elsewhere = await startService({ besides: service, env: { PUBLIC_URL: 'http://localhost:1' } })
    const { status } = await getRest(elsewhere.baseUrl, '/port/v1/users/me', token)
    await elsewhere.close()
    assert.equal(status, 401)
  })

  test('at /mcp, one of the REST API says where to sign in while it is valid; a revoked one is like any other', async () => {
    const { access_token } = await obtainTokens(url)
    const callAgents = async () => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: '{}',
      })
      assert.equal(response.status, 401)
      return response.text()
    }
    assert.ok((await callAgents()).includes(`is for another resource. Sign in with resource=${url}/mcp.`))
    const body = new URLSearchParams({ token: access_token })
    await fetch(`${url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body })
    assert.match(await callAgents(), /expired, revoked, or was not issued/)
  })

  test('is not read from the query or from a form', async () => {
    assert.equal((await fetch(`${me}?access_token=${token}`)).status, 401)
    const body = new URLSearchParams({ access_token: token })
    assert.equal((await fetch(`${baseUrl}/x/v1/sessions/unknown`, { method: 'DELETE', body })).status, 401)
  })

  test('differs from a missing one, which gets a bare Bearer challenge; the scheme matches in any case', async () => {
    for (const headers of [{}, { authorization: basic() }] as Record<string, string>[]) {
      const response = await fetch(me, { headers })
      assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer'])
    }
    assert.equal((await fetch(me, { headers: { authorization: `bEARER ${token}` } })).status, 200)
  })
})
