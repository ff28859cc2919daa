import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomHex } from '../../src/core/crypto/keys.ts'
import { FixedClock } from '../support/clock.ts'
import { demoApp, demoKey, demoRedirectUri } from '../support/demo.ts'
import { importApp } from '../support/import-app.ts'
import { noteSecret } from '../support/runner/log-check.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import {
  authorizeUrl,
  Browser,
  basic,
  codeRequest,
  getRest,
  obtainTokens,
  postToken,
  refresh,
  signInForCode,
} from '../support/sign-in.ts'

const clock = new FixedClock('2026-11-16T09:00:00.123456Z')
const service = await serviceForFile({ clock })
const { url, baseUrl } = service
const { db } = service.node.context
const browser = new Browser()

type Session = { SessionId: string; AppKey: string; CreatedAt: string; IsCurrent: boolean }
type Page<Row> = { Data: Row[]; MaxRows: number; __next?: string; __count?: number }

const list = async <Row>(path: string, token: string) =>
  (await (await getRest(baseUrl, path, token)).json()) as Page<Row>
const remove = (path: string, token: string) =>
  fetch(`${baseUrl}${path}`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })
const opens = async (token: string) => (await getRest(baseUrl, '/port/v1/users/me', token)).status === 200
const currentId = async (token: string) =>
  (await list<Session>('/x/v1/sessions', token)).Data.find(({ IsCurrent }) => IsCurrent)?.SessionId ?? ''

const reader = { AppKey: randomHex(), Secret: randomHex() }
noteSecret('secret', reader.Secret)
const record = { ...reader, ClientKey: demoKey('client ada'), Name: 'Reader', Description: '', IsTradingEnabled: false }
await importApp(db, masterKey, { ...record, Flow: 'Code', RedirectUris: [demoRedirectUri] }, clock.now())

async function readerToken() {
  const code = await signInForCode(url, { ...codeRequest, client_id: reader.AppKey }, { browser })
  const form = { grant_type: 'authorization_code', code, redirect_uri: demoRedirectUri }
  return (await postToken(url, form, basic(reader.AppKey, reader.Secret))).body.access_token
}

describe('GET /x/v1/sessions', () => {
  test('lists the active sessions of the caller, newest first, and marks the current one', async () => {
    const { access_token: older } = await obtainTokens(url, { browser })
    const { access_token: theirs } = await obtainTokens(url, { user: 'bo' })
    clock.advance(1)
    const { access_token: newer } = await obtainTokens(url, { browser })
    const { Data, MaxRows, ...rest } = await list<Session>('/x/v1/sessions', older)
    assert.deepEqual([MaxRows, rest], [1000, {}])
    assert.deepEqual(
      Data.map(({ IsCurrent }) => IsCurrent),
      [false, true],
    )
    assert.deepEqual(Object.keys(Data[0] ?? {}).sort(), [
      'Address',
      'AppKey',
      'AppName',
      'CreatedAt',
      'ExpiresAt',
      'IsCurrent',
      'SessionId',
      'UserAgent',
    ])
    assert.deepEqual([Data[1]?.AppKey, Data[1]?.CreatedAt], [demoApp.AppKey, '2026-11-16T09:00:00.123456Z'])
    assert.equal((await list('/x/v1/sessions', theirs)).Data.length, 1)
    await remove(`/x/v1/sessions/${await currentId(newer)}`, newer)
    assert.equal((await list('/x/v1/sessions', older)).Data.length, 1)
  })

  test('returns pages that link to the next, each row once', async () => {
    clock.advance(1)
    const { access_token } = await obtainTokens(url, { browser })
    for (let count = 0; count < 3; count++) await obtainTokens(url, { browser })
    const { Data: all } = await list<Session>('/x/v1/sessions', access_token)
    const walked: Session[] = []
    let next: string | undefined = `${baseUrl}/x/v1/sessions?$top=2&other=a%20b`
    while (next !== undefined) {
      assert.ok(next.startsWith(`${baseUrl}/x/v1/sessions?$top=2&other=a%20b`), next)
      const page: Page<Session> = await list(next.slice(baseUrl.length), access_token)
      assert.ok(page.Data.length > 0 && page.Data.length <= 2)
      walked.push(...page.Data)
      next = page.__next
    }
    assert.deepEqual(walked, all)
    assert.deepEqual(await list('/x/v1/sessions?$top=0', access_token), { Data: [], MaxRows: 1000 })
    assert.deepEqual(await list('/x/v1/sessions?$skip=1000', access_token), { Data: [], MaxRows: 1000 })
  })

  test('reports every $top and $skip that is not a number, out of range or repeated', async () => {
    const { access_token } = await obtainTokens(url, { browser })
    const rejected: [string, string[]][] = [
      ['$top=-1', ['$top']],
      ['$top=1001', ['$top']],
      ['$top=1.5', ['$top']],
      ['$top=1&$top=2', ['$top']],
      ['$top=x&$skip=-1', ['$skip', '$top']],
      ['$inlinecount=Some', ['$inlinecount']],
    ]
    for (const [query, fields] of rejected) {
      const response = await getRest(baseUrl, `/x/v1/sessions?${query}`, access_token)
      const body = (await response.json()) as { ErrorCode: string; ModelState: object }
      assert.deepEqual([response.status, body.ErrorCode], [400, 'InvalidModelState'], query)
      assert.deepEqual(Object.keys(body.ModelState).sort(), fields)
    }
    const anyCase = await list('/x/v1/sessions?$TOP=1&$InlineCount=none&unheard=1', access_token)
    assert.equal(anyCase.Data.length, 1)
  })
})

describe('DELETE /x/v1/sessions/{SessionId}', () => {
  test('ends only that session, once', async () => {
    const [first, second] = [await obtainTokens(url, { browser }), await obtainTokens(url, { browser })]
    const id = await currentId(first.access_token)
    assert.equal((await remove(`/x/v1/sessions/${id}`, second.access_token)).status, 204)
    assert.deepEqual([await opens(first.access_token), await opens(second.access_token)], [false, true])
    assert.equal((await refresh(url, first.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await remove(`/x/v1/sessions/${id}`, second.access_token)).status, 404)
  })

  test('returns the same 404 for another user’s session and a missing one', async () => {
    const [own, theirs] = [await obtainTokens(url, { browser }), await obtainTokens(url, { user: 'bo' })]
    const ids = [await currentId(theirs.access_token), 'f'.repeat(32), 'nonsense']
    const answers = []
    for (const id of ids) {
      const response = await remove(`/x/v1/sessions/${id}`, own.access_token)
      answers.push([response.status, await response.text()])
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal(answers[0]?.[0], 404)
    assert.match(String(answers[0]?.[1]), /"ErrorCode":"NoResultFound"/)
    assert.equal(await opens(theirs.access_token), true)
  })

  test('returns a 400 that names the field for an invalid id', async () => {
    const own = await obtainTokens(url, { browser })
    const response = await remove('/x/v1/sessions/%00', own.access_token)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /"ModelState":\{"SessionId"/)
  })
})

test('a read-only token can list, and gets 403 for every change', async () => {
  const token = await readerToken()
  for (const path of ['/x/v1/sessions', '/x/v1/consents'])
    assert.equal((await getRest(baseUrl, path, token)).status, 200)
  for (const path of [
    '/x/v1/sessions',
    `/x/v1/sessions/${await currentId(token)}`,
    `/x/v1/consents/${reader.AppKey}`,
  ]) {
    const response = await remove(path, token)
    assert.deepEqual(
      [response.status, ((await response.json()) as { ErrorCode: string }).ErrorCode],
      [403, 'RequestNotAllowed'],
      path,
    )
  }
  assert.equal(await opens(token), true)
})

test('sessions and consents require a token', async () => {
  for (const [method, path] of [
    ['GET', 'sessions'],
    ['DELETE', 'sessions'],
    ['DELETE', 'sessions/x'],
    ['GET', 'consents'],
    ['DELETE', 'consents/x'],
  ])
    assert.equal((await fetch(`${baseUrl}/x/v1/${path}`, { method: method ?? '' })).status, 401)
})

describe('consents', () => {
  test('are listed in pages', async () => {
    const { access_token } = await obtainTokens(url, { browser })
    await readerToken()
    const { Data } = await list<{ AppKey: string; AppName: string; GivenAt: string }>('/x/v1/consents', access_token)
    assert.deepEqual(Data.map(({ AppKey }) => AppKey).sort(), [demoApp.AppKey, reader.AppKey].sort())
    assert.deepEqual(Object.keys(Data[0] ?? {}).sort(), ['AppKey', 'AppName', 'GivenAt'])
    const first = await list<{ AppKey: string }>('/x/v1/consents?$top=1', access_token)
    const second = await list<{ AppKey: string }>((first.__next ?? '').slice(baseUrl.length), access_token)
    assert.deepEqual(
      [...first.Data, ...second.Data].map(({ AppKey }) => AppKey),
      Data.map(({ AppKey }) => AppKey),
    )
    assert.equal(second.__next, undefined)
  })

  test('that are withdrawn end the sessions of the app, which must ask again; unknown ones are 404', async () => {
    const { access_token } = await obtainTokens(url, { browser })
    const ended = await readerToken()
    const params = { ...codeRequest, client_id: reader.AppKey }
    assert.equal((await remove(`/x/v1/consents/${reader.AppKey}`, access_token)).status, 204)
    assert.deepEqual([await opens(ended), await opens(access_token)], [false, true])
    const asked = await browser.fetch(authorizeUrl(url, params))
    assert.match(asked.headers.get('location') ?? '', /^\/login\?/)
    assert.equal((await remove(`/x/v1/consents/${reader.AppKey}`, access_token)).status, 404)
    assert.equal((await remove('/x/v1/consents/unknown', access_token)).status, 404)
  })
})

test('DELETE /x/v1/sessions ends all sessions and sign-ins of the user, and no others', async () => {
  const elsewhere = new Browser()
  const own = [await obtainTokens(url, { browser }), await obtainTokens(url, { browser: elsewhere })]
  const theirs = await obtainTokens(url, { user: 'bo' })
  assert.equal((await remove('/x/v1/sessions', own[0]?.access_token ?? '')).status, 204)
  for (const { access_token, refresh_token } of own) {
    assert.equal(await opens(access_token), false)
    assert.equal((await refresh(url, refresh_token)).body.error, 'invalid_grant')
  }
  for (const each of [browser, elsewhere])
    assert.match((await each.fetch(authorizeUrl(url, codeRequest))).headers.get('location') ?? '', /^\/login\?/)
  assert.equal(await opens(theirs.access_token), true)
})
