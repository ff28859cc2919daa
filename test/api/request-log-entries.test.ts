import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOperatorKey } from '../../src/requests/operator-key.ts'
import { demoApp, demoApps, demoRedirectUri } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { followLog, until } from '../support/http/live-log.ts'
import { masterKey, serviceForFile, startService } from '../support/service/service.ts'
import { basic, getRest, obtainTokens, postToken, refresh, signInForCode } from '../support/sign-in.ts'
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
