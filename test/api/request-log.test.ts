import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoApp, demoKey } from '../support/demo.ts'
import { eventually } from '../support/eventually.ts'
import { serviceForFile } from '../support/service/service.ts'
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
  await logged('/port/v1/clients/me')

  assert.ok((await list('?Status=4xx')).every(({ Status }) => Status >= 400 && Status < 500))
  assert.deepEqual(
    (await list('?Path=999999998')).map(({ Id }) => Id),
    [missing.Id],
  )
  assert.deepEqual(await list('?AppKey=other'), [])
  assert.ok((await list(`?Since=${missing.Id}`)).every(({ Id }) => Id > missing.Id))
  assert.equal((await rest('/x/v1/requests?Status=9')).status, 400)

  const all = (await list('?$top=200')).map(({ Id }) => Id)
  const paged: string[] = []
  for (let next: string | undefined = `${service.baseUrl}/x/v1/requests?$top=3`; next !== undefined; ) {
    const page = (await (await fetch(next, { headers: { authorization: `Bearer ${ada}` } })).json()) as {
      Data: Row[]
      __next?: string
    }
    paged.push(...page.Data.map(({ Id }) => Id))
    next = page.__next
  }
  assert.deepEqual(paged, all)
})

test('shows a whole exchange without its credentials', async () => {
  const { Id } = await logged('/port/v1/users/me')

  const exchange = (await (await rest(`/x/v1/requests/${Id}`)).json()) as { Request: Message; Response: Message }
  const sent = Object.fromEntries(exchange.Request.Headers.map(({ Name, Value }) => [Name, Value]))
  assert.equal(sent.authorization, 'Bearer [redacted]')
  assert.equal(JSON.parse(exchange.Response.Body ?? '').UserKey, demoKey('user ada'))
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
