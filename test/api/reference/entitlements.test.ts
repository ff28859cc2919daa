import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoKey } from '../../support/demo.ts'
import { readError, readOk } from '../../support/reference/rest.ts'
import { serviceForFile } from '../../support/service/service.ts'
import { getRest, obtainTokens } from '../../support/sign-in.ts'

const { url, baseUrl } = await serviceForFile({ reference: true })
const ada = (await obtainTokens(url)).access_token
const bo = (await obtainTokens(url, { user: 'bo' })).access_token

type Types = { Greeks: string[]; RealTimeFullBook: string[]; RealTimeTopOfBook: string[] }
type Row = { ExchangeId: string; Entitlements: Types[] }
type Feed<T> = { Data: T[]; __count?: number; __next?: string }

const read = <T>(path: string, token: string) => readOk<Feed<T>>(getRest(baseUrl, path, token))
const path = '/port/v1/users/me/entitlements'

test('entitlements are the asset types that the caller may see at each exchange', async () => {
  const [{ Data }, exchanges] = [await read<Row>(path, ada), await read<Row>('/ref/v1/exchanges', ada)]
  const ids = (rows: Row[]) => rows.map(({ ExchangeId }) => ExchangeId)
  assert.deepEqual(ids(Data), ids(exchanges.Data).sort())
  const at = (rows: Row[], id: string) => rows.find(({ ExchangeId }) => ExchangeId === id)?.Entitlements
  const [cboe] = at(Data, 'CBOE') ?? []
  assert.deepEqual(
    cboe?.Greeks,
    cboe?.RealTimeTopOfBook.filter((type) => type.endsWith('Option')),
  )
  assert.ok(cboe && cboe.Greeks.length > 0 && cboe.RealTimeFullBook.length === 0)
  assert.ok(at(Data, 'NASDAQ')?.[0]?.RealTimeTopOfBook.includes('Etf'))

  const bos = (await read<Row>(path, bo)).Data
  assert.deepEqual(ids(bos), ids((await read<Row>('/ref/v1/exchanges', bo)).Data).sort())
  const stocks = [{ Greeks: [], RealTimeFullBook: [], RealTimeTopOfBook: ['Stock'] }]
  for (const { ExchangeId, Entitlements } of bos) assert.deepEqual(Entitlements, stocks, ExchangeId)
})

test('entitlements come in pages', async () => {
  const all = await read<Row>(`${path}?$inlinecount=AllPages`, ada)
  assert.deepEqual([all.__count, all.__next], [all.Data.length, undefined])
  const first = await read<Row>(`${path}?$top=20`, ada)
  assert.deepEqual([first.Data.length, first.__next], [20, `${baseUrl}${path}?$top=20&$skip=20`])
  const second = await read<Row>(`${path}?$top=20&$skip=20`, ada)
  assert.deepEqual([...first.Data, ...second.Data], all.Data)
})

test('entitlements can be read for any user of the client or of a client below it', async () => {
  const of = (user: string) => `/port/v1/users/${encodeURIComponent(demoKey(`user ${user}`))}/entitlements`
  assert.deepEqual(await read<Row>(of('ada'), ada), await read<Row>(path, ada))
  assert.deepEqual(await read<Row>(of('bo'), ada), await read<Row>(path, bo))
  const first = await read<Row>(`${of('bo')}?$top=2`, ada)
  assert.deepEqual([first.Data.length, first.__next], [2, `${baseUrl}${of('bo')}?$top=2&$skip=2`])
  for (const [user, token] of [
    ['ada', bo],
    ['cy', ada],
    ['nobody', ada],
  ] as const)
    assert.deepEqual(await readError(getRest(baseUrl, of(user), token)), [404, 'NoResultFound'], user)
})
