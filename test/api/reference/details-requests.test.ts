import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentDetails } from '../../../src/instruments/api/schema.ts'
import { demoKey } from '../../support/demo.ts'
import { type ErrorBody, findUic, readError, readOk } from '../../support/reference/rest.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const { access_token: ada } = await obtainTokens(service.url)
const { access_token: bo } = await obtainTokens(service.url, { user: 'bo' })

const get = (path: string, token = ada) => getRest(service.baseUrl, `/ref/v1/instruments${path}`, token)
const read = (path: string): Promise<InstrumentDetails> => readOk(get(path))
const errorOf = (path: string, token = ada) => readError(get(path, token))
const identifierOf = (symbol: string, assetType: string) => findUic(get, symbol, assetType)

const tradingAccount = demoKey('account 9226398')
const viewOnlyAccount = demoKey('account 9226400')
const foreignKeys = [demoKey('account 9400001'), demoKey('unknown account')]

test('AccountKey limits access to that account (operation 3)', async () => {
  const path = `/details/${await identifierOf('AAPL:xnas', 'Stock')}/Stock`
  assert.deepEqual((await read(path)).TradableOn, ['9226397', '9226398'])
  assert.deepEqual((await read(`${path}?AccountKey=${tradingAccount}`)).TradableOn, ['9226398'])
  assert.deepEqual((await read(`${path}?AccountKey=${viewOnlyAccount}`)).TradableOn, [])
  const answers = foreignKeys.map(async (key) => (await get(`${path}?AccountKey=${key}`)).json())
  const [foreign, unknown] = (await Promise.all(answers)) as ErrorBody[]
  assert.deepEqual(foreign, unknown)
  assert.equal(foreign?.ErrorCode, 'NoResultFound')
  assert.match(foreign?.Message ?? '', /AccountKey/)
  assert.deepEqual(await errorOf(`${path}?AccountKey=mine`), [400, 'InvalidModelState', 'AccountKey'])
  assert.deepEqual(await errorOf(`${path}?AccountKey=${tradingAccount}&accountkey=${tradingAccount}`), [
    400,
    'InvalidModelState',
    'AccountKey',
  ])
})

test('ClientKey applies the rights of the caller’s client or one below it (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  const path = `/details/${apple}/Stock`
  const [own, below, foreign] = [demoKey('client ada'), demoKey('client bo'), demoKey('client cy')]
  assert.deepEqual(await read(`${path}?ClientKey=${own}`), await read(path))
  const asBo = await read(`${path}?ClientKey=${below}`)
  assert.deepEqual([asBo.TradableOn, asBo.TradableAs], [['9300101'], ['Stock']])
  assert.deepEqual(await errorOf(`/details/${apple}/CfdOnStock?ClientKey=${below}`), [404, 'IllegalInstrumentId'])
  for (const key of [foreign, demoKey('unknown client')]) {
    const { ErrorCode, Message } = (await (await get(`${path}?ClientKey=${key}`)).json()) as ErrorBody
    assert.deepEqual([ErrorCode, Message.includes('ClientKey')], ['NoResultFound', true])
  }
  assert.deepEqual(await errorOf(`${path}?ClientKey=${own}`, bo), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf(`${path}?ClientKey=mine`), [400, 'InvalidModelState', 'ClientKey'])
  const account = demoKey('account 9300101')
  assert.deepEqual((await read(`${path}?ClientKey=${below}&AccountKey=${account}`)).TradableOn, ['9300101'])
  assert.deepEqual(await errorOf(`${path}?AccountKey=${account}`), [404, 'NoResultFound'])
  assert.deepEqual(await errorOf(`${path}?ClientKey=${below}&AccountKey=${tradingAccount}`), [404, 'NoResultFound'])
})

test('the path accepts an asset type in any case and a trailing slash (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  const details = await read(`/details/${apple}/Stock`)
  assert.deepEqual(await read(`/DETAILS/${apple}/sTOCK/`), details)
  assert.deepEqual(await errorOf(`/details/${apple}/FxSpot`), [404, 'IllegalInstrumentId'])
  for (const uic of ['999999', '0', '-1', '4294968296', '9007199254740991'])
    assert.deepEqual(await errorOf(`/details/${uic}/Stock`), [404, 'IllegalInstrumentId'], uic)
  assert.deepEqual(await errorOf(`/details/${apple}/Stonk`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf(`/details/${apple}/62`), [400, 'InvalidAssetType'])
  assert.deepEqual(await errorOf('/details/AAPL/Stock'), [400, 'InvalidModelState', 'Uic'])
  assert.deepEqual(await errorOf('/details/1.5/Stock?AccountKey=x&ClientKey=y'), [
    400,
    'InvalidModelState',
    'Uic',
    'AccountKey',
    'ClientKey',
  ])
})

test('returns 304 if the entity tag matches, with every field group (operation 3)', async () => {
  const apple = await identifierOf('AAPL:xnas', 'Stock')
  for (const path of [`/details/${apple}/Stock`, `/details/${apple}/Stock?FieldGroups=TradingSessions`]) {
    const first = await get(path)
    const etag = first.headers.get('etag') ?? ''
    assert.match(etag, /^W\/"/)
    const url = `${service.baseUrl}/ref/v1/instruments${path}`
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': etag }
    const again = await fetch(url, { headers })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    for (const answer of [first, again]) {
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      assert.match(answer.headers.get('vary') ?? '', /Authorization, Accept, Accept-Encoding/)
      assert.equal(answer.headers.get('etag'), etag)
    }
    assert.notEqual((await get(path, bo)).headers.get('etag'), etag, 'other rights, another tag')
  }
})

test('If-None-Match does not change a 404 (operation 3)', async () => {
  const known = await get(`/details/${await identifierOf('AAPL:xnas', 'Stock')}/Stock`)
  for (const condition of ['*', known.headers.get('etag') ?? '']) {
    const headers = { authorization: `Bearer ${ada}`, 'if-none-match': condition }
    const answer = await fetch(`${service.baseUrl}/ref/v1/instruments/details/999999/Stock`, { headers })
    assert.equal(answer.status, 404)
  }
})
