import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomHex } from '../../../src/core/crypto/keys.ts'
import type { Explanation } from '../../../src/core/explain/schema.ts'
import { FixedClock } from '../../support/clock.ts'
import { demoApp, demoApps, demoRedirectUri } from '../../support/demo.ts'
import { eventually } from '../../support/eventually.ts'
import { noteSecret } from '../../support/runner/log-check.ts'
import { serviceForFile } from '../../support/service/service.ts'
import {
  authorizeUrl,
  basic,
  codeRequest,
  getRest,
  obtainTokens,
  pkcePair,
  postToken,
  refresh,
  signInForCode,
} from '../../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00Z')
const service = await serviceForFile({ clock })
const { url, baseUrl } = service
const tokenOf = async (user: string) => (await obtainTokens(url, { user })).access_token
let ada = await tokenOf('ada')
let bo = await tokenOf('bo')

const ask = (id: string, token = ada) =>
  getRest(baseUrl, `/x/v1/explain?${new URLSearchParams({ Correlation: id })}`, token)
/** Entries are made after the response. */
const explained = (id: string): Promise<Explanation> =>
  eventually(async () => {
    const response = await ask(id)
    if (response.status === 404) return undefined
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Explanation
  })
const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-correlation') ?? assert.fail()
const stepsOf = ({ Steps }: Explanation) => Steps.map(({ Section, Title }) => `${Section} ${Title}`)
const textOf = ({ Steps }: Explanation, title: string) => Steps.find(({ Title }) => Title === title)?.Text ?? ''

const exchange = (code: string, more: Record<string, string> = {}, authorization: string | null = basic()) =>
  postToken(url, { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri, ...more }, authorization)

test('a rejected call of /token is explained by its reason, its section and what to send instead', async () => {
  const secret = randomHex()
  noteSecret('wrong secret', secret)
  const wrongSecret = await exchange('x', {}, basic(demoApp.AppKey, secret))
  const otherUri = await exchange(await signInForCode(url), { redirect_uri: 'http://localhost:5000/other' })
  const code = await signInForCode(url)
  await exchange(code)
  const spent = await exchange(code)
  const client_id = demoApps.find(({ Flow }) => Flow === 'PKCE')?.AppKey ?? ''
  const { challenge } = pkcePair()
  const redirect_uri = 'http://localhost:5000/callback'
  const pkce = { ...codeRequest, client_id, redirect_uri, code_challenge: challenge, code_challenge_method: 'S256' }
  const challenged = await signInForCode(url, pkce)
  const { verifier: code_verifier } = pkcePair()
  const mismatch = await exchange(challenged, { client_id, redirect_uri, code_verifier }, null)
  const { refresh_token } = await obtainTokens(url)
  clock.advance(3600)
  const expired = await refresh(url, refresh_token)
  ada = await tokenOf('ada')
  bo = await tokenOf('bo')

  const cases: [response: typeof spent, section: string, reason: RegExp, advice: RegExp][] = [
    [wrongSecret, '§4.7', /^The secret is wrong, or not valid now\.$/, /^Send a secret of the app/],
    [otherUri, '§4.4', /^Redirect_uri differs from that of the sign-in\.$/, /^Send the redirect_uri to \/token/],
    [spent, '§4.4', /^The code was used before\.$/, /^Exchange a code once/],
    [mismatch, '§4.4', /^Code_verifier is missing, wrong, or unexpected\.$/, /^Send the code_verifier/],
    [expired, '§4.5', /^The refresh token has expired\.$/, /^Refresh within/],
  ]
  for (const [response, section, reason, advice] of cases) {
    const explanation = await explained(idOf(response))
    assert.deepEqual([explanation.Status, explanation.ErrorCode], [response.status, response.body.error])
    assert.deepEqual(stepsOf(explanation), [
      '§11.6 Logged request',
      `${section} Reason`,
      `${section} What to send instead`,
    ])
    assert.match(textOf(explanation, 'Reason'), reason)
    assert.match(textOf(explanation, 'What to send instead'), advice)
    assert.match(
      textOf(explanation, 'Logged request'),
      /: POST \/token, .*body grant_type=\w+&(code|refresh_token)=\[redacted\]/,
    )
  }
})

test('a rejected authorization request is explained', async () => {
  const wrong = { ...codeRequest, redirect_uri: 'http://localhost:5000/other' }
  const page = await fetch(authorizeUrl(url, wrong), { redirect: 'manual' })
  const redirected = await fetch(authorizeUrl(url, { ...codeRequest, prompt: 'none' }), { redirect: 'manual' })

  const unregistered = await explained(idOf(page))
  assert.equal(unregistered.Status, 400)
  assert.match(textOf(unregistered, 'What to send instead'), /^redirect_uri must be identical to a registered one/)
  const silent = await explained(idOf(redirected))
  assert.deepEqual([silent.Status, silent.ErrorCode], [302, 'login_required'])
  assert.match(textOf(silent, 'What to send instead'), /without prompt=none/)
})

test('a request of the REST API is explained from the log, or by the rules of its operation', async () => {
  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'application/json' }
  const rejected = await fetch(`${baseUrl}/x/v1/reset`, { method: 'POST', headers, body: '{}' })
  const other = await explained(idOf(rejected))
  assert.equal(other.Status, rejected.status)
  assert.equal(other.OperationId, undefined)
  assert.equal(stepsOf(other).at(-1), `${other.Steps.at(-2)?.Section} What to send instead`)
  const fine = await explained(idOf(await getRest(baseUrl, '/port/v1/users/me', ada)))
  assert.equal(fine.Summary, 'It was answered with 200.')

  const missing = await getRest(baseUrl, '/ca/v2/events/none?EventStates=Complete', ada)
  const { Status, OperationId, Request, Steps } = await explained(idOf(missing))
  assert.deepEqual([Status, OperationId, Request], [404, 'getEvent', '/ca/v2/events/none?EventStates=Complete'])
  assert.match(Steps[0]?.Text ?? '', /The response was 404\. The following steps are what it answers for you now\.$/)
  assert.ok(Steps.length > 1)
})

test('a request that is too long for the log is not explained as another one', async () => {
  const ids = Array.from({ length: 240 }, (_, at) => 100_000_000 + at)
  const sent = await getRest(baseUrl, `/ref/v1/instruments?Keywords=apple&Uics=${ids.join(',')}`, ada)

  const { OperationId, Request, Summary } = await explained(idOf(sent))
  assert.equal(OperationId, undefined)
  assert.match(Request, /Keywords=apple&…$/)
  assert.equal(Summary, 'It was answered with 200.')
})

test('an id of another client gets the answer of an unknown one', async () => {
  const id = idOf(await exchange('none'))
  await explained(id)
  const [foreign, unknown] = [await ask(id, bo), await ask('nothing', bo)]
  assert.deepEqual([foreign.status, unknown.status], [404, 404])
  const body = await foreign.text()
  assert.equal(body, await unknown.text())
  assert.match(body, /X-Correlation header of a response.*latest 5,000 requests/)
  for (const query of ['', `?Request=x&Correlation=${encodeURIComponent(id)}`]) {
    const response = await getRest(baseUrl, `/x/v1/explain${query}`, ada)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /Send either Request or Correlation\./)
  }
})

test('without a log every id gets the answer of an unknown one', async () => {
  const id = idOf(await exchange('none'))
  await explained(id)
  const off = await serviceForFile({ besides: service, env: { REQUEST_LOG: 'off' } })
  const response = await getRest(off.baseUrl, `/x/v1/explain?Correlation=${encodeURIComponent(id)}`, ada)
  assert.deepEqual([response.status, await response.text()], [404, await (await ask('nothing')).text()])
})

test('a response that an injected fault replaced or delayed is explained by the fault', async () => {
  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'application/json' }
  const path = `${baseUrl}/x/v1/faults/${demoApp.AppKey}`
  for (const [fault, summary] of [
    [{ Kind: 'Unavailable' }, /^The response was the injected fault Unavailable\. /],
    [{ Kind: 'Slow', DelaySeconds: 0.1 }, /^The injected fault Slow delayed the response\. /],
  ] as const) {
    const put = await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ ...fault, Group: 'ref' }) })
    assert.equal(put.status, 200)
    const explanation = await explained(idOf(await getRest(baseUrl, '/ref/v1/instruments?Keywords=apple', ada)))
    assert.match(explanation.Summary, summary)
    assert.ok(stepsOf(explanation).includes('§11.3 Injected fault'))
  }
  await fetch(path, { method: 'DELETE', headers })
})
