import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InstrumentSummary } from '../../../src/instruments/api/schema.ts'
import { demoKey } from '../../support/demo.ts'
import { type ErrorBody, readError, readOk } from '../../support/reference/rest.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const service = await serviceForFile({ reference: true })
const tokenOf = async (user: string): Promise<string> => (await obtainTokens(service.url, { user })).access_token
const [ada, bo, cy] = [await tokenOf('ada'), await tokenOf('bo'), await tokenOf('cy')]
const path = '/ref/v1/instruments'

type Feed = { Data: InstrumentSummary[] }
const ask = (query: string, token = ada): Promise<Response> => getRest(service.baseUrl, `${path}?${query}`, token)
const search = (query: string, token = ada): Promise<Feed> => readOk(ask(query, token))
const all = async (query: string, token = ada) => (await search(`${query}&$top=1000`, token)).Data
const keys = (rows: InstrumentSummary[]): string[] => rows.map((row) => `${row.AssetType} ${row.Identifier}`)
const typesOf = (rows: InstrumentSummary[]): string[] => [...new Set(rows.map(({ AssetType }) => AssetType))].sort()

test('AccountKey limits results to what that account may see and trade (operation 1)', async () => {
  const account = (id: string): string => `AccountKey=${encodeURIComponent(demoKey(`account ${id}`))}`
  const whole = await all('AssetTypes=Etf')
  assert.deepEqual(keys(await all(`AssetTypes=Etf&${account('9226397')}`)), keys(whole))
  assert.deepEqual(await search(account('9226400')), { Data: [] }, 'the treasury account is view-only')
  const seen = await all(`AssetTypes=Etf&IncludeNonTradable=true&${account('9226400').replace('Key', 'KEY')}`)
  assert.deepEqual(keys(seen), keys(await all('AssetTypes=Etf&IncludeNonTradable=true')))
  assert.ok(seen.every((row) => !('TradableAs' in row)))
  assert.deepEqual(await readError(ask('AccountKey=9226400')), [400, 'InvalidModelState', 'AccountKey'])
})

test('an account of another client returns the same error as an unknown one (operation 1)', async () => {
  const errors = ['account 9400001', 'account 9300101', 'unknown account'].map(async (name) => {
    const response = await ask(`AccountKey=${encodeURIComponent(demoKey(name))}`)
    const body = (await response.json()) as ErrorBody
    assert.equal(response.headers.get('etag'), null)
    return { status: response.status, body }
  })
  const [cys, bos, unknown] = await Promise.all(errors)
  assert.deepEqual([unknown?.status, unknown?.body.ErrorCode], [404, 'NoResultFound'])
  assert.match(unknown?.body.Message ?? '', /AccountKey/)
  assert.deepEqual([cys, bos], [unknown, unknown])
})

test('users with different rights get different results (operation 1)', async () => {
  const query = 'IncludeNonTradable=true&Keywords=apple'
  const [adas, bos, cys] = [await all(query), await all(query, bo), await all(query, cy)]
  assert.deepEqual(
    [typesOf(adas), typesOf(bos), typesOf(cys)],
    [['Bond', 'Stock', 'StockOption'], ['Stock'], ['Stock', 'StockOption']],
  )
  const tradableAs = (rows: InstrumentSummary[]) => rows.find(({ Identifier }) => Identifier === 1000)?.TradableAs
  assert.deepEqual(
    [tradableAs(adas), tradableAs(bos), tradableAs(cys)],
    [['Stock', 'CfdOnStock'], ['Stock'], ['Stock', 'CfdOnStock']],
  )
})

test('a user with rights to stocks sees nothing else (operation 1)', async () => {
  const rows = await all('IncludeNonTradable=true', bo)
  assert.ok(rows.length > 300)
  assert.deepEqual(typesOf(rows), ['Stock'])
  assert.deepEqual(await search('AssetTypes=CfdOnStock,Bond,StockOption&IncludeNonTradable=true', bo), { Data: [] })
  assert.deepEqual(
    (await all('Uics=1000,3000,4000', bo)).map(({ Identifier }) => Identifier),
    [1000],
  )
})

test('returns 304 if the entity tag matches; other users have another tag (operation 1)', async () => {
  const first = await ask('Keywords=apple')
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^W\/".+"$/)
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  for (const name of ['Authorization', 'Accept', 'Accept-Encoding'])
    assert.ok(first.headers.get('vary')?.includes(name))
  const again = (token: string, query = 'Keywords=apple') =>
    fetch(`${service.baseUrl}${path}?${query}`, {
      headers: { authorization: `Bearer ${token}`, 'if-none-match': etag },
    })
  const known = await again(ada)
  assert.deepEqual([known.status, await known.text(), known.headers.get('etag')], [304, '', etag])
  const bos = await again(bo)
  assert.equal(bos.status, 200)
  assert.notEqual(bos.headers.get('etag'), etag)
  assert.equal((await again(ada, 'Keywords=apple&$top=x')).status, 400)
})

test('requires a token; the path matches in any case and with a trailing slash (operation 1)', async () => {
  const unauthorized = await fetch(`${service.baseUrl}${path}?Keywords=apple`)
  assert.equal(unauthorized.status, 401)
  assert.match(unauthorized.headers.get('www-authenticate') ?? '', /^Bearer/)
  assert.equal(((await unauthorized.json()) as ErrorBody).ErrorCode, 'Unauthorized')
  const expected = await search('Keywords=apple&$top=3')
  for (const address of ['/ref/v1/instruments/', '/REF/V1/Instruments']) {
    const response = await getRest(service.baseUrl, `${address}?Keywords=apple&$top=3`, ada)
    assert.deepEqual(keys(((await response.json()) as Feed).Data), keys(expected.Data))
  }
})
