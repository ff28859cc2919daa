import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOperatorKey } from '../../src/requests/operator-key.ts'
import { demoApp, demoApps, demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { followLog, until } from '../support/http/live-log.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile, startService } from '../support/service/service.ts'
import {
  basic,
  getRest,
  obtainTokens,
  pkcePair,
  postToken,
  refresh,
  signIn,
  signInForCode,
} from '../support/sign-in.ts'
import { signInTraveller } from './sim/support.ts'

type Message = { Headers: { Name: string; Value: string }[]; Body?: string; IsCut: boolean }

const service = await serviceForFile()
const { access_token: ada } = await obtainTokens(service.url)
const rest = (path: string) => getRest(service.baseUrl, path, ada)

test('shows the headers of each response as they were sent, also if responses differ', async () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${service.baseUrl}/ref/v1/instruments?$top=2`, { headers: { authorization: `Bearer ${ada}`, ...headers } })
  const etag = (await ask({})).headers.get('etag') ?? ''
  for (const headers of [
    {},
    { 'if-none-match': etag },
    { 'x-request-id': 'of-a-test' },
    { accept: 'application/json' },
  ]) {
    const response = await ask({ 'accept-encoding': 'identity', ...headers })
    const id = encodeURIComponent(response.headers.get('x-correlation') ?? '')
    const entry = await eventually(async () => {
      const found = await rest(`/x/v1/requests/${id}`)
      return found.ok ? ((await found.json()) as { Request: Message; Response: Message }) : undefined
    })
    const shown = Object.fromEntries(entry.Response.Headers.map(({ Name, Value }) => [Name, Value]))
    for (const name of ['x-correlation', 'x-request-id', 'content-length', 'etag', 'content-type'])
      assert.equal(shown[name] ?? null, response.headers.get(name), name)
    for (const [name, value] of Object.entries(headers))
      assert.ok(
        entry.Request.Headers.some(({ Name, Value }) => Name === name && Value === value),
        name,
      )
    assert.equal(entry.Response.Body ?? '', await response.text())
  }
})

test('shows a response with long names unchanged', async () => {
  const response = await rest('/port/v1/users/me')
  const id = encodeURIComponent(response.headers.get('x-correlation') ?? '')
  const { Response } = await eventually(async () => {
    const found = await rest(`/x/v1/requests/${id}`)
    return found.ok ? ((await found.json()) as { Response: Message }) : undefined
  })
  assert.equal(Response.Body, await response.text())
  assert.match(Response.Body ?? '', /"CertificateCapitalProtectionWithKnockOut"/)
})

test('a connection that an injected fault drops is logged, without a status', async () => {
  const put = await fetch(`${service.baseUrl}/x/v1/faults/${demoApp.AppKey}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ada}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Kind: 'Dropped', Group: 'port' }),
  })
  assert.equal(put.status, 200)
  const headers = { authorization: `Bearer ${ada}`, 'x-request-id': 'dropped-by-a-fault' }
  await assert.rejects(fetch(`${service.baseUrl}/port/v1/clients/me?a=b`, { headers }))

  const entry = (await (await rest('/x/v1/requests/dropped-by-a-fault')).json()) as Record<string, unknown>
  const { Status, Fault, AppKey, Path, Response } = entry
  assert.deepEqual({ Status, Fault, AppKey }, { Status: 0, Fault: 'Dropped', AppKey: demoApp.AppKey })
  assert.match(String(Path), /clients\/me\?/)
  assert.deepEqual(Response, { Headers: [], IsCut: false })
  const { Data } = (await (await rest('/x/v1/requests?Path=clients/me')).json()) as { Data: unknown[] }
  assert.equal(Data.length, 1, 'only once')
  const path = `${service.baseUrl}/x/v1/faults/${demoApp.AppKey}`
  await fetch(path, { method: 'DELETE', headers: { authorization: `Bearer ${ada}` } })
})

test('entries of the authorization server name the user and the session, but not of another app’s token', async () => {
  const code = await signInForCode(service.url)
  const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
  const exchanged = await postToken(service.url, form, basic())
  const refreshed = await refresh(service.url, exchanged.body.refresh_token)
  const client_id = demoApps.find(({ Flow }) => Flow === 'PKCE')?.AppKey ?? ''
  const { refresh_token } = refreshed.body
  const foreign = await postToken(service.url, { grant_type: 'refresh_token', refresh_token, client_id }, null)
  const replayed = await postToken(service.url, form, basic())
  const entryOf = ({ headers }: { headers: Headers }) =>
    eventually(async () => {
      const found = await rest(`/x/v1/requests/${encodeURIComponent(headers.get('x-correlation') ?? '')}`)
      return found.ok ? ((await found.json()) as Record<string, unknown>) : undefined
    })

  const { uid, sid } = JSON.parse(Buffer.from(exchanged.body.access_token.split('.')[1] ?? '', 'base64url').toString())
  for (const response of [exchanged, refreshed, replayed]) {
    const { UserKey, SessionId } = await entryOf(response)
    assert.deepEqual([UserKey, SessionId], [uid, sid])
  }
  const { ErrorCode, UserKey, SessionId } = await entryOf(foreign)
  assert.deepEqual([ErrorCode, UserKey, SessionId], ['invalid_grant', undefined, undefined])
  const { Data } = (await (await rest('/x/v1/requests?Path=/login&Status=302')).json()) as {
    Data: { UserKey?: string }[]
  }
  assert.equal(Data[0]?.UserKey, uid)
})

test('a stream goes on after a time travel and a change of keys', async () => {
  const { access_token } = await obtainTokens(service.url)
  const traveller = await signInTraveller(service)
  const { feed } = service.node.context
  const changes = [() => traveller.travel({ AdvanceSeconds: 60 }), () => feed.deliver('key', '')]
  const live = followLog(service.baseUrl, access_token)
  await until(() => live.text !== '')
  for (const [at, change] of changes.entries()) {
    const { access_token: other, refresh_token } = await obtainTokens(service.url)
    const checked = followLog(service.baseUrl, other)
    await until(() => checked.text !== '')
    await change()
    const body = new URLSearchParams({ token: refresh_token })
    await fetch(`${service.url}/revoke`, { method: 'POST', headers: { authorization: basic() }, body })
    // Streams are checked together.
    await until(() => checked.hasEnded)
    await traveller.call('GET', '/port/v1/users/me', undefined, { 'x-request-id': `after-change-${at}` })
    await until(() => live.hasEnded || live.text.includes(`"after-change-${at}"`))
    assert.doesNotMatch(live.text, /event: end/)
  }
  live.close()
  await traveller.home()
})

test('REQUEST_LOG=off keeps nothing, and says so to who has the key of the operator', async (t) => {
  const off = await startService({ env: { REQUEST_LOG: 'off' } })
  t.after(() => off.close())
  const { access_token: token } = await obtainTokens(off.url)
  assert.equal(off.node.server.requestLog, undefined)
  for (const path of ['/x/v1/requests', '/x/v1/requests/stream', '/x/v1/requests/nothing'])
    assert.equal((await getRest(off.baseUrl, path, token)).status, 404)
  const key = makeOperatorKey(masterKey, off.clock.nowMs())
  const response = await fetch(`${off.url}/operator/requests`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(response.status, 404)
  assert.match(await response.text(), /The request log is off/)
})

const r = '[redacted]'
/** Without the shape of a token, so that only its name or its place can hide it. */
const secret = 'hunter2-zebra'

const readEntry = (id: string) =>
  eventually(async () => {
    const found = await rest(`/x/v1/requests/${encodeURIComponent(id)}`)
    return found.ok ? ((await found.json()) as { Path: string; Request: Message; Response: Message }) : undefined
  })

async function send(url: string, body: string, type: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.headers.get('x-correlation') ?? assert.fail()
}

const latest = async (path: string) => {
  const found = await rest(`/x/v1/requests?$top=1&Path=${encodeURIComponent(path)}`)
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
    `{"Name":"Log","Password":"${secret}"}`,
    '--+--',
  ]
  const type = 'multipart/mixed; boundary=+'
  const batch = await readEntry(await send(`${service.baseUrl}/developer/batch`, part.join('\r\n'), type, ada))
  const inner = await latest('/developer/apps')

  assert.equal(inner.Request.Body, `{"Name":"Log","${r}":"${r}"}`)
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
  const id = await send(`${service.url}/mcp`, JSON.stringify(call), 'application/json', await agentToken())

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

  const headers = { authorization: `Bearer ${ada}`, 'content-type': 'application/json' }
  const body = '{"Name":"Log","Description":"Of a test.","Flow":"Code"}'
  const made = await fetch(`${service.baseUrl}/developer/apps`, { method: 'POST', headers, body })
  const { AppKey } = (await made.json()) as { AppKey: string }
  const list = await rest(`/developer/apps/${AppKey}/secrets`)
  const sent = (await list.json()) as { Data: { Secret: string }[] }
  noteSecret('created secret', sent.Data[0]?.Secret ?? '')
  const shown = await readEntry(list.headers.get('x-correlation') ?? '')
  const masked = { ...sent, Data: sent.Data.map((row) => ({ ...row, Secret: r })) }
  assert.equal(shown.Path, `/sim/openapi/developer/apps/${AppKey}/secrets`)
  assert.deepEqual(JSON.parse(shown.Response.Body ?? ''), masked)
})
