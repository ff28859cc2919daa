import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerWith, makeApp, signInTo } from '../support/apps.ts'
import { readError, readOk } from '../support/reference/rest.ts'
import { serviceForFile } from '../support/service/service.ts'
import { getRest, obtainTokens, refresh } from '../support/sign-in.ts'

const service = await serviceForFile()
const other = await serviceForFile({ besides: service })
const path = '/root/v1/sessions/capabilities'

const levels = (TradeLevel: string) => ({ AuthenticationLevel: 'Authenticated', DataLevel: 'Standard', TradeLevel })
const read = (token: string, node = service) => readOk<object>(getRest(node.baseUrl, path, token))
const send = (method: 'PUT' | 'PATCH', token: string, body: object) =>
  fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('a session keeps its trade level on every node and after a refresh; other sessions keep theirs', async () => {
  const { access_token: token, refresh_token } = await obtainTokens(service.url)
  const { access_token: second } = await obtainTokens(service.url)
  assert.deepEqual(await read(token), levels('OrdersOnly'))

  const put = await send('PUT', token, { TradeLevel: 'FullTradingAndChat' })

  assert.deepEqual([put.status, await put.text()], [202, ''])
  assert.deepEqual(await read(token), levels('FullTradingAndChat'))
  assert.deepEqual(await read(token, other), levels('FullTradingAndChat'))
  assert.deepEqual(await read(second), levels('OrdersOnly'))
  const { body } = await refresh(service.url, refresh_token)
  assert.deepEqual(await read(body.access_token), levels('FullTradingAndChat'))

  assert.equal((await send('PATCH', body.access_token, {})).status, 202)
  assert.deepEqual(await read(token), levels('FullTradingAndChat'))
  assert.equal((await send('PATCH', body.access_token, { tradeLevel: 'ordersonly' })).status, 400)
  assert.equal((await send('PATCH', body.access_token, { TradeLevel: 'ordersonly' })).status, 202)
  assert.deepEqual(await read(token), levels('OrdersOnly'))
})

test('a read-only token may set its trade level', async () => {
  const { access_token } = await obtainTokens(service.url)
  const reader = await makeApp(callerWith(service, access_token), { Name: 'Reader', IsTradingEnabled: false })
  const { access_token: token } = await signInTo(service, reader)

  assert.equal((await send('PUT', token, { TradeLevel: 'FullTradingAndChat' })).status, 202)

  assert.deepEqual(await read(token), levels('FullTradingAndChat'))
})

test('an unknown level, a missing one and the fixed levels are rejected by name', async () => {
  const { access_token: token } = await obtainTokens(service.url)
  for (const [body, field] of [
    [{ TradeLevel: 'Everything' }, 'TradeLevel'],
    [{}, 'TradeLevel'],
    [{ TradeLevel: 'OrdersOnly', DataLevel: 'Premium' }, 'DataLevel'],
  ] as const)
    assert.deepEqual(await readError(send('PUT', token, body)), [400, 'InvalidModelState', field])
  assert.deepEqual(await read(token), levels('OrdersOnly'))
})

test('features are listed as unavailable', async () => {
  const { access_token: token } = await obtainTokens(service.url)
  const features = await readOk<{ Feature: string; Available: boolean }[]>(
    getRest(service.baseUrl, '/root/v1/features/availability', token),
  )
  assert.deepEqual(
    features.map(({ Feature, Available }) => [Feature, Available]),
    ['Calendar', 'Chart', 'GainersLosers', 'News'].map((name) => [name, false]),
  )
})
