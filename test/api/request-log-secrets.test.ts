import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { exchangeOf } from '../../src/requests/api/view.ts'
import { demoApp, demoPassword, demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { startService } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  basic,
  codeRequest,
  obtainTokens,
  postToken,
  readForm,
  refresh,
  signIn,
  signInForCode,
} from '../support/sign-in.ts'

const service = await startService({ reference: true })
after(() => service.close())
const { url, baseUrl } = service
const secrets = new Map<string, string>([['password', demoPassword]])
const keep = (kind: string, value: string | null | undefined) => {
  assert.ok(value, kind)
  secrets.set(kind, value)
  noteSecret(kind, value)
}

/** All entries, as an operator would read them. */
async function readLog(): Promise<string> {
  const { requestLog } = service.node.server
  assert.ok(requestLog)
  const exchanges = requestLog.ring.newest().map((entry) => exchangeOf(entry, requestLog.shown))
  return JSON.stringify(await Promise.all(exchanges))
}

async function call(method: string, path: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

test('no entry has a secret, token, code, password, cookie or private address, whatever was sent', async () => {
  // Sign-in pages, with a wrong and a right password.
  const browser = new Browser()
  const start = await browser.fetch(authorizeUrl(url, codeRequest))
  const { action, formToken } = await readForm(await browser.fetch(`${url}${start.headers.get('location')}`))
  keep('form token', formToken)
  keep('typed password', 'my other password')
  const wrong = { form_token: formToken, decision: 'allow', user: 'my other password', password: 'my other password' }
  await browser.fetch(new URL(action, url).href, { method: 'POST', body: new URLSearchParams(wrong) })
  keep('code', await signInForCode(url, codeRequest, { browser }))
  for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value)

  // Tokens, by all grants; with credentials in the header, the form and the query.
  const tokens = await obtainTokens(url)
  keep('access token', tokens.access_token)
  const { body: renewed } = await refresh(url, tokens.refresh_token)
  keep('refresh token', tokens.refresh_token)
  keep('renewed token', renewed.access_token)
  keep('app secret', demoApp.Secret)
  const form = { grant_type: 'authorization_code', code: secrets.get('code') ?? '', redirect_uri: demoRedirectUri }
  await postToken(url, { ...form, client_id: demoApp.AppKey, client_secret: demoApp.Secret }, null)
  keep('verifier', 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
  await postToken(url, { ...form, code_verifier: secrets.get('verifier') ?? '' })
  await fetch(`${url}/token?client_secret=${demoApp.Secret}&refresh_token=${tokens.refresh_token}`, { method: 'POST' })
  for (const path of ['introspect', 'revoke'])
    await fetch(`${url}/${path}`, {
      method: 'POST',
      headers: { authorization: basic() },
      body: new URLSearchParams({ token: tokens.refresh_token }),
    })
  await signIn(url, { ...codeRequest, prompt: 'none' }, { browser })

  // In places where they do not belong.
  keep('password in a query', 'hunter2 horse')
  await call('GET', `/developer/apps/${tokens.access_token}`, renewed.access_token)
  await call('GET', '/ref/v1/instruments?Keywords=zzqqxx&password=hunter2%20horse', renewed.access_token)
  await call('GET', '/ref/v1/instruments?$top=1&password=hunter2%20horse', renewed.access_token)
  const explained = encodeURIComponent('/ref/v1/instruments?password=hunter2 horse')
  await call('GET', `/x/v1/explain?Request=${explained}`, renewed.access_token)
  await fetch(`${baseUrl}/x/v1/scenarios`, {
    method: 'POST',
    headers: { authorization: `Bearer ${renewed.access_token}`, 'content-type': 'application/json' },
    body: '{"Text":"{\\u0022kind\\u0022:\\u0022user\\u0022,\\u0022Password\\u0022:\\u0022hunter2 horse\\u0022}"}',
  })

  // Operations that return secrets.
  const { access_token: token } = await obtainTokens(url)
  const app = await call('POST', '/developer/apps', token, { Name: 'Log', Description: 'Of a test.', Flow: 'Code' })
  assert.equal(app.status, 201, JSON.stringify(app.body))
  const listed = await call('GET', `/developer/apps/${app.body.AppKey}/secrets`, token)
  keep('created secret', listed.body.Data[0].Secret)
  const day = await call('POST', '/x/v1/daytoken', token)
  keep('day token', day.body.AccessToken)
  const calendar = await call('POST', '/x/v1/calendars', token, { Name: 'Mine' })
  keep('private address', /[0-9a-f]{32}/.exec(calendar.body.Address)?.[0])
  await fetch(calendar.body.Address)

  // Secrets in the wrong place.
  const pasted = [token, demoApp.Secret, tokens.refresh_token]
  for (const secret of pasted) {
    for (const path of [
      `/ref/v1/instruments?Keywords=${secret}`,
      `/ref/v1/instruments?access_token=${secret}&${secret}`,
    ])
      await call('GET', path, token)
    await fetch(`${baseUrl}/nothing/${secret}?x=${secret}`, { headers: { 'user-agent': secret, referer: secret } })
    await call('POST', '/developer/apps', token, { Name: secret, [secret]: secret, Description: secret, Flow: 'PKCE' })
    await call('PUT', '/x/v1/faults/x', token, { Kind: secret })
  }
  await fetch(`${url}/hunter2-my-other-password/my%20other%20password`)
  await fetch(`${baseUrl}/x/v1/sessions`, {
    headers: { authorization: 'my other password', cookie: `a=${demoApp.Secret}` },
  })

  const log = await eventually(async () => {
    const text = await readLog()
    return text.includes('/sim/openapi/x/v1/sessions') ? text : undefined
  })
  for (const [kind, value] of secrets)
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
      assert.ok(!log.includes(form), `the log has a secret of this kind: ${kind}`)
  // It has the rest: the check would pass on an empty log too.
  for (const part of ['"grant_type=authorization_code', '/calendar/[redacted]', '"invalid_grant"'])
    assert.ok(log.includes(part), part)
})
