import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp, demoApps } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { serviceForFile } from '../support/service/service.ts'
import { basic, getRest, obtainTokens, pkcePair, postToken, refresh, signIn } from '../support/sign-in.ts'

type Message = { Headers: { Name: string; Value: string }[]; Body?: string; IsCut: boolean }
type Exchange = { Path: string; Request: Message; Response: Message }

const service = await serviceForFile()
const { db } = service.node.context
await db.updateTable('service_user').set({ is_operator: true }).where('name', '=', 'ada').execute()
const { access_token: ada } = await obtainTokens(service.url)

/** Without the shape of a token, so that only its name or its place can hide it. */
const secret = 'hunter2-zebra'
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const r = '[redacted]'
const guid = 'a666c58e-5707-0c51-64a2-e9dd7df119b2'
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJZT2pIcHYifQ.c2ln'

const readEntry = (id: string) =>
  eventually(async () => {
    const found = await getRest(service.baseUrl, `/x/v1/requests/${encodeURIComponent(id)}`, ada)
    return found.ok ? ((await found.json()) as Exchange) : undefined
  })

const explain = async (id: string) =>
  (await getRest(service.baseUrl, `/x/v1/explain?${new URLSearchParams({ Correlation: id })}`, ada)).text()

async function send(url: string, body: string, type: string, authorization: string): Promise<string> {
  const headers = { authorization, 'content-type': type }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.headers.get('x-correlation') ?? assert.fail()
}

const app = (more: string) => `{"Name":"Log",${more}}`
const nested = (depth: number, inner: string) => `${'{"Data":'.repeat(depth)}${inner}${'}'.repeat(depth)}`

/** The trait of a body, its bytes, and what the log has instead. */
const bodies: [trait: string, path: string, type: string, body: string, shown: string | RegExp][] = [
  [
    'names without quotes',
    '/token',
    json,
    `{client_id:${demoApp.AppKey},client_secret:${secret}}`,
    /^\[redacted\] \d+ bytes of application\/json$/,
  ],
  ['single quotes', '/token', json, `{'client_secret':'${secret}'}`, `${r} 33 bytes of ${json}`],
  ['a bare token', '/token', json, jwt, `${r} ${jwt.length} bytes of ${json}`],
  ['an assignment', '/token', json, `token=${guid} ${secret}`, `${r} 56 bytes of ${json}`],
  ['another media type', '/token', 'text/plain', `refresh_token=${secret}`, `${r} 27 bytes of text/plain`],
  ['a media type that is a secret', '/token', `text/${secret}`, 'a', `${r} 1 byte of another type`],
  [
    'a multipart form',
    '/token',
    'multipart/form-data; boundary=x',
    `--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n${secret}\r\n--x--`,
    /^\[redacted\] \d+ bytes of multipart\/form-data$/,
  ],
  ['a grant type that is a secret', '/token', form, `grant_type=${secret}&code=${secret}`, `grant_type=${r}&code=${r}`],
  [
    'a form with unknown names',
    '/token',
    form,
    `grant_type=authorization_code&${secret}=1&${secret}&x=${secret}`,
    `grant_type=authorization_code&${r}&${r}&${r}`,
  ],
  [
    'a form with an address that is none',
    '/token',
    form,
    `redirect_uri=${secret}&resource=${secret}`,
    `redirect_uri=${r}&resource=${r}`,
  ],
  [
    'a form with id and secret exchanged',
    '/token',
    form,
    `client_id=fedcba9876543210fedcba9876543210&client_secret=${demoApp.AppKey}`,
    `client_id=${r}&client_secret=${r}`,
  ],
  [
    'a form with its app',
    '/token',
    form,
    `client_id=${demoApp.AppKey}&grant_type=refresh_token`,
    `client_id=${demoApp.AppKey}&grant_type=refresh_token`,
  ],
  [
    'JSON that is a form elsewhere',
    '/token',
    json,
    `{"grant_type":"${secret}","client_id":"fedcba9876543210fedcba9876543210"}`,
    `{"grant_type":"${r}","client_id":"${r}"}`,
  ],
  [
    'a token to revoke',
    '/revoke',
    form,
    `token=${secret}&token_type_hint=${secret}`,
    `token=${r}&token_type_hint=${r}`,
  ],
  [
    'a token to introspect',
    '/introspect',
    form,
    `token=${secret}&token_type_hint=access_token`,
    `token=${r}&token_type_hint=access_token`,
  ],
  [
    'a documented body',
    '/developer/apps',
    json,
    app('"Description":"Of a test.","Flow":"None"'),
    app('"Description":"Of a test.","Flow":"None"'),
  ],
  ['a number', '/developer/apps', json, app('"password":987654321012'), app(`"${r}":"${r}"`)],
  [
    'a list under a secret name',
    '/developer/apps',
    json,
    app(`"Password":["a",{"b":"${secret}"}]`),
    app(`"${r}":"${r}"`),
  ],
  [
    'an object under a documented secret name',
    '/developer/apps',
    json,
    app(`"Secret":{"Name":"${secret}"}`),
    app(`"Secret":"${r}"`),
  ],
  ['an unknown name', '/developer/apps', json, app(`"Nickname":{"Name":"${secret}"}`), app(`"${r}":"${r}"`)],
  ['a name that is a secret', '/developer/apps', json, app(`"${secret}":1`), app(`"${r}":"${r}"`)],
  [
    'a list at the top',
    '/developer/apps',
    json,
    `["${secret}",${app(`"Secret":"${secret}"`)}]`,
    `["${r}",${app(`"Secret":"${r}"`)}]`,
  ],
  ['a text at the top', '/developer/apps', json, `"${secret}"`, `"${r}"`],
  ['a number at the top', '/developer/apps', json, '987654321012', `"${r}"`],
  [
    'a name that is repeated',
    '/developer/apps',
    json,
    `{"Name":{"x":"${secret}"},"Name":"Log","Secret":"${secret}","Secret":1}`,
    app(`"Secret":"${r}"`),
  ],
  ['an escaped name', '/developer/apps', json, app(`"Pass\\u0077ord":"${secret}"`), app(`"${r}":"${r}"`)],
  ['deep nesting', '/developer/apps', json, nested(40, `{"Name":"${secret}"}`), nested(12, `"${r}"`)],
  ['very deep nesting', '/developer/apps', json, nested(6_000, `{"Name":"${secret}"}`), `${nested(12, `"${r}"`)}…`],
  ['a secret in a text', '/developer/apps', json, app(`"Description":"token=${secret}"`), app(`"Description":"${r}"`)],
  [
    'JSON in a text',
    '/developer/apps',
    json,
    app(`"Description":"{\\"Name\\":\\"a\\",\\"Secret\\":\\"${secret}\\"}"`),
    app(`"Description":"{\\"Name\\":\\"a\\",\\"Secret\\":\\"${r}\\"}"`),
  ],
  [
    'malformed JSON in a text',
    '/developer/apps',
    json,
    app(`"Description":"{Secret:${secret}"`),
    app(`"Description":"${r}"`),
  ],
  [
    'a long text',
    '/developer/apps',
    json,
    app(`"Flow":"Code","Description":"${'long '.repeat(5_000)}"`),
    `${app('"Flow":"Code"')}…`,
  ],
  [
    'a long list',
    '/developer/apps',
    json,
    app(`"RedirectUris":[${`"http://a.example",`.repeat(1_000)}"${secret}"],"Secret":"${secret}"`),
    /^\{"Name":"Log","RedirectUris":\["http:\/\/a.example",.*"http:\/\/a.example"\]\}…$/,
  ],
  [
    'a long body that is malformed',
    '/developer/apps',
    json,
    `{"Name":"Log",Secret:"${secret}","Flow":"${'long '.repeat(5_000)}"}`,
    /^\[redacted\] \d+ bytes of application\/json$/,
  ],
]

for (const [trait, path, type, body, shown] of bodies)
  test(`the log has no secret of a request body with ${trait}`, async () => {
    const isRest = path.startsWith('/developer')
    const url = `${isRest ? service.baseUrl : service.url}${path}`
    const id = await send(url, body, type, isRest ? `Bearer ${ada}` : basic())

    const entry = await readEntry(id)
    if (typeof shown === 'string') assert.equal(entry.Request.Body, shown)
    else assert.match(entry.Request.Body ?? '', shown)
    for (const text of [JSON.stringify(entry), await explain(id)])
      for (const value of [secret, '987654321012', guid, 'c2ln', 'fedcba9876543210fedcba9876543210'])
        assert.ok(!text.includes(value), `${value} in ${text}`)
  })

const latest = async (path: string) => {
  const found = await getRest(service.baseUrl, `/x/v1/requests?$top=1&Path=${encodeURIComponent(path)}`, ada)
  return readEntry(((await found.json()) as { Data: { Id: string }[] }).Data[0]?.Id ?? '')
}

test('the log has no secret of a part of a batch, and of the batch only its addresses', async () => {
  const part = [
    '--+',
    'Content-Type: application/http; msgtype=request',
    '',
    'POST /sim/openapi/developer/apps HTTP/1.1',
    'Content-Type: application/json',
    '',
    app(`"Password":"${secret}"`),
    '--+--',
  ]
  const type = 'multipart/mixed; boundary=+'
  const batch = await readEntry(
    await send(`${service.baseUrl}/developer/batch`, part.join('\r\n'), type, `Bearer ${ada}`),
  )
  const inner = await latest('/developer/apps')

  assert.equal(inner.Request.Body, app(`"${r}":"${r}"`))
  assert.ok(!JSON.stringify([batch, inner]).includes(secret))
})

async function agentToken(): Promise<string> {
  const resource = `${service.url}/mcp`
  const client_id = demoApps.find(({ Flow }) => Flow === 'PKCE')?.AppKey ?? ''
  const redirect_uri = 'http://127.0.0.1:49152/callback'
  const { verifier, challenge } = pkcePair()
  const pkce = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }
  const code =
    (await signIn(service.url, { ...pkce, client_id, redirect_uri, resource })).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, client_id, resource }
  return (await postToken(service.url, form, null)).body.access_token
}

test('the log shows the calls of agents without secrets', async () => {
  const parameters = { Keywords: 'apple', top: 1, password: secret }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: parameters } }
  const id = await send(`${service.url}/mcp`, JSON.stringify(call), json, `Bearer ${await agentToken()}`)

  const { Request, Response } = await readEntry(id)
  const body = (Request.Body ?? '').replace(/^.*?"arguments":/, '')
  assert.equal(body, `{"Keywords":"apple","top":1,"${r}":"${r}"}}}`)
  assert.match(Response.Body ?? '', /^\{.*"jsonrpc":"2.0"/)
  assert.ok(!JSON.stringify([Request, Response]).includes(secret))
})

test('the log has no token or secret of a response, but everything else', async () => {
  const renewed = await refresh(service.url, (await obtainTokens(service.url)).refresh_token)
  const { Response } = await readEntry(renewed.headers.get('x-correlation') ?? '')
  const { expires_in, refresh_token_expires_in } = renewed.body
  const safe = { access_token: r, expires_in, token_type: 'Bearer', refresh_token: r, refresh_token_expires_in }
  assert.deepEqual(JSON.parse(Response.Body ?? ''), safe)

  const headers = { authorization: `Bearer ${ada}`, 'content-type': json }
  const body = '{"Name":"Log","Description":"Of a test.","Flow":"Code"}'
  const made = await fetch(`${service.baseUrl}/developer/apps`, { method: 'POST', headers, body })
  const { AppKey } = (await made.json()) as { AppKey: string }
  const list = await getRest(service.baseUrl, `/developer/apps/${AppKey}/secrets`, ada)
  const sent = (await list.json()) as { Data: { Secret: string }[] }
  noteSecret('created secret', sent.Data[0]?.Secret ?? '')
  const shown = await readEntry(list.headers.get('x-correlation') ?? '')
  const masked = { ...sent, Data: sent.Data.map((row) => ({ ...row, Secret: r })) }
  assert.equal(shown.Path, `/sim/openapi/developer/apps/${AppKey}/secrets`)
  assert.deepEqual(JSON.parse(shown.Response.Body ?? ''), masked)
})
