import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printLog } from '../../src/requests/commands/log.ts'
import { makeOperatorKey } from '../../src/requests/operator-key.ts'
import { demoApp, demoUsers } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { followLog, until } from '../support/http/live-log.ts'
import { rowsOfAllPages } from '../support/http/pages.ts'
import { masterKey, serviceForFile } from '../support/service/service.ts'
import { basic, getRest, obtainTokens, postToken } from '../support/sign-in.ts'

type Row = Record<string, unknown> & { Id: string; Path: string; Status: number }
type Message = { Headers: { Name: string; Value: string }[]; Body?: string; IsCut: boolean }

const service = await serviceForFile()
const { access_token: ada } = await obtainTokens(service.url)
const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })

const rest = (path: string, token = ada) => getRest(service.baseUrl, path, token)
async function list(query = '', token = ada): Promise<Row[]> {
  const response = await rest(`/x/v1/requests${query}`, token)
  assert.equal(response.status, 200)
  return ((await response.json()) as { Data: Row[] }).Data
}

/** A request under an id of its own, and its entry. */
async function logged(path: string, token = ada, reader = token): Promise<Row> {
  const id = `test-${Math.random().toString(36).slice(2)}`
  await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${token}`, 'x-request-id': id } })
  return eventually(async () => (await list('?$top=200', reader)).find(({ RequestId }) => RequestId === id))
}

test('lists the latest requests of the own client, newest first', async () => {
  const first = await logged('/port/v1/users/me')
  const second = await logged('/ref/v1/instruments/details/999999999/Stock?FieldGroups=OrderSetting')
  assert.ok(second.Id > first.Id)
  const rows = await list()
  assert.deepEqual(
    rows.map(({ Id }) => Id),
    rows.map(({ Id }) => Id).toSorted((a, b) => (a < b ? 1 : -1)),
  )
  assert.equal(second.Status, 404)
  assert.equal(second.ErrorCode, 'IllegalInstrumentId')
  assert.match(String(second.Reason), /999999999/)
  assert.equal(second.AppKey, demoApp.AppKey)
  assert.match(second.Path, /\?FieldGroups=OrderSetting$/)
  assert.ok(
    rows.every(({ Path }) => !Path.includes('/x/v1/requests')),
    'the log itself is not logged',
  )
})

test('entries of another client are neither listed nor found', async () => {
  const own = await logged('/port/v1/users/me')
  const foreign = await list('?$top=200', bo)
  assert.ok(foreign.every(({ Id }) => Id !== own.Id))
  const found = await rest(`/x/v1/requests/${own.Id}`, bo)
  const unknown = await rest('/x/v1/requests/nothing', bo)
  assert.deepEqual([found.status, unknown.status], [404, 404])
  assert.equal(await found.text(), await unknown.text())
  assert.equal((await rest(`/x/v1/requests/${own.Id}`)).status, 200)
})

test('filters by status, app and path, and pages', async () => {
  const missing = await logged('/ref/v1/instruments/details/999999998/Stock')
  for (const path of ['/port/v1/clients/me', '/port/v1/users/me']) await logged(path)

  assert.ok((await list('?Status=4xx')).every(({ Status }) => Status >= 400 && Status < 500))
  assert.deepEqual(
    (await list('?Path=999999998')).map(({ Id }) => Id),
    [missing.Id],
  )
  assert.deepEqual(await list('?AppKey=other'), [])
  assert.ok((await list(`?Since=${missing.Id}`)).every(({ Id }) => Id > missing.Id))
  assert.equal((await rest('/x/v1/requests?Status=9')).status, 400)

  for (const query of ['', `Since=${missing.Id}&`])
    assert.deepEqual(
      await rowsOfAllPages(`${service.baseUrl}/x/v1/requests?${query}$top=1`, ada),
      await list(`?${query}$top=200`),
    )
})

test('shows a whole exchange without its credentials', async () => {
  const { Id } = await logged('/port/v1/users/me')

  const exchange = (await (await rest(`/x/v1/requests/${Id}`)).json()) as { Request: Message; Response: Message }
  const sent = Object.fromEntries(exchange.Request.Headers.map(({ Name, Value }) => [Name, Value]))
  assert.equal(sent.authorization, 'Bearer [redacted]')
  assert.equal(JSON.parse(exchange.Response.Body ?? '').UserKey, demoUsers.find(({ Name }) => Name === 'ada')?.UserKey)
  assert.ok(exchange.Response.Headers.some(({ Name }) => Name === 'x-correlation'))
})

test('the owner of an app sees why /token rejected it, in more detail than the caller', async () => {
  const { headers, body } = await postToken(
    service.url,
    { grant_type: 'refresh_token', refresh_token: 'none' },
    basic(demoApp.AppKey, 'wrong'),
  )
  const correlation = encodeURIComponent(headers.get('x-correlation') ?? '')

  assert.equal(body.error, 'invalid_client')
  const entry = await eventually(async () => {
    const response = await rest(`/x/v1/requests/${correlation}`)
    return response.status === 200 ? ((await response.json()) as Row & { Request: Message }) : undefined
  })
  assert.equal(entry.ErrorCode, 'invalid_client')
  assert.equal(entry.Reason, 'the secret is wrong, or not valid now')
  assert.equal(entry.Request.Body, 'grant_type=refresh_token&refresh_token=[redacted]')
})

const follow = (query = '', token = ada, headers: Record<string, string> = {}) =>
  followLog(service.baseUrl, token, query, headers)
const idsIn = ({ text }: { text: string }) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)

test('new entries of the own client are sent live, by the filters, and those that were missed after Last-Event-ID', async () => {
  const all = follow()
  const errors = follow('?Status=4xx')
  const foreign = follow('', bo)
  await until(() => [all, errors, foreign].every(({ text }) => text.includes('retry:')))
  const first = await logged('/port/v1/users/me')
  const second = await logged('/ref/v1/instruments/details/999999997/Stock')
  await until(() => idsIn(all).includes(second.Id) && idsIn(errors).includes(second.Id))
  assert.deepEqual(idsIn(all).slice(-2), [first.Id, second.Id])
  assert.deepEqual(idsIn(errors), [second.Id])
  assert.deepEqual(idsIn(foreign), [])
  const resumed = follow('', ada, { 'last-event-id': first.Id })
  const begun = follow(`?Since=${first.Id}`, ada, { 'last-event-id': '' })
  await until(() => [resumed, begun].every((each) => idsIn(each).includes(second.Id)))
  for (const each of [resumed, begun]) assert.equal(idsIn(each)[0], second.Id)
  for (const each of [all, errors, foreign, resumed, begun]) each.close()
})

test('a user can open four streams at a time', async () => {
  await until(() => service.node.server.requestStreams?.count === 0)
  const open = [1, 2, 3, 4].map(() => follow())
  await until(() => open.every(({ text }) => text !== ''))

  const fifth = await rest('/x/v1/requests/stream')
  assert.equal(fifth.status, 409)
  assert.equal(((await fifth.json()) as { ErrorCode: string }).ErrorCode, 'LimitReached')
  for (const each of open) each.close()
  await until(() => service.node.server.requestStreams?.count === 0)
})

test('a stream ends when the session of its token ends', async () => {
  const { access_token: token, refresh_token } = await obtainTokens(service.url)
  const live = follow('', token)
  await until(() => live.text !== '')

  await fetch(`${service.url}/revoke`, {
    method: 'POST',
    headers: { authorization: basic() },
    body: new URLSearchParams({ token: refresh_token }),
  })
  await until(() => live.hasEnded)
  assert.match(live.text, /event: end\ndata: {"Reason":"signed out"}/)
})

test('a stream cannot be a part of a batch', async () => {
  const part = [
    '--+',
    'Content-Type: application/http; msgtype=request',
    '',
    'GET /sim/openapi/x/v1/requests/stream HTTP/1.1',
    '',
    '',
    '--+--',
  ]
  const response = await fetch(`${service.baseUrl}/x/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada}`, 'content-type': 'multipart/mixed; boundary=+' },
    body: part.join('\r\n'),
  })
  assert.match(await response.text(), /HTTP\/1.1 400 /)
})

test('an operator sees the entries of all clients', async () => {
  await setOperator(true)
  const own = await logged('/port/v1/users/me', bo, ada)
  assert.equal(own.UserKey, demoUsers.find(({ Name }) => Name === 'bo')?.UserKey)
  assert.equal((await rest(`/x/v1/requests/${own.Id}`)).status, 200)
  await setOperator(false)
  assert.equal((await rest(`/x/v1/requests/${own.Id}`)).status, 404)
})

test('the stream of an operator ends when the user is no operator any more', async () => {
  await setOperator(true)
  const live = follow()
  await until(() => live.text !== '')
  const seen = await logged('/port/v1/users/me', bo)
  await until(() => idsIn(live).includes(seen.Id))

  await setOperator(false)
  await until(() => live.hasEnded)
  assert.match(live.text, /event: end\ndata: {"Reason":"rights changed"}\n\n$/)
})

async function setOperator(isOperator: boolean): Promise<void> {
  const { db } = service.node.context
  await db.updateTable('service_user').set({ is_operator: isOperator }).where('name', '=', 'ada').execute()
}

test('refdesk log prints the latest requests of all clients, then new ones, and resumes', async () => {
  const own = await logged('/port/v1/users/me', bo)
  const lines: string[] = []
  const stopping = new AbortController()
  const target = {
    addresses: ['http://localhost:1', service.url],
    makeKey: () => makeOperatorKey(masterKey, service.clock.nowMs()),
    style: { width: undefined, hasColours: false },
    signal: stopping.signal,
    out: (line: string) => lines.push(line),
    err: (line: string) => lines.push(line),
  }
  assert.equal(await printLog({ last: '5' }, target), 0)
  assert.equal(lines.length, 5)
  assert.match(lines.at(-1) ?? '', new RegExp(`200 GET .*${own.Path}`))

  lines.length = 0
  assert.equal(await printLog({ last: '1', path: own.Path, json: true }, target), 0)
  assert.equal(JSON.parse(lines.splice(0)[0] ?? '').Path, own.Path)
  const following = printLog({ follow: true, status: '4xx', last: '1' }, target)
  await until(() => lines.length === 1)
  const missing = await logged('/ref/v1/instruments/details/999999996/Stock')
  await until(() => lines.some((line) => line.includes(missing.Path)))
  service.node.server.requestStreams?.close()
  const next = await logged('/ref/v1/instruments/details/999999995/Stock')
  await until(() => lines.some((line) => line.includes(next.Path)))
  stopping.abort()
  assert.equal(await following, 0)
})

test('the log of all clients is for the operator’s key only', async () => {
  const ask = (key: string) =>
    fetch(`${service.url}/operator/requests`, { headers: { authorization: `Bearer ${key}` } })
  const [known, wrong, unknown] = await Promise.all([
    ask(makeOperatorKey(masterKey, service.clock.nowMs())),
    ask(makeOperatorKey(Buffer.alloc(32, 9), service.clock.nowMs())),
    fetch(`${service.url}/operator/nothing`),
  ])
  assert.deepEqual([known.status, wrong.status, unknown.status], [200, 404, 404])
  const revision = await fetch(`${service.url}/operator/revision`)
  assert.deepEqual([revision.status, await wrong.text()], [404, await unknown.text()])
})
